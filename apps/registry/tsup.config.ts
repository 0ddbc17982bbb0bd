import { writeFile } from "node:fs/promises";
import { defineConfig } from "tsup";
import { buildScript } from "./scripts/build-script.ts";

export default defineConfig({
  entry: {
    client: "src/client.ts",
    main: "src/main.ts",
    "judge-worker": "src/diff/judge-worker.ts",
    "trail-worker": "src/trail/trail-worker.ts",
  },
  // The worker is found beside the module that starts it.
  splitting: false,
  dts: { entry: { client: "src/client.ts" } },
  format: ["esm"],
  target: "node22",
  clean: true,
  sourcemap: true,
  removeNodeProtocol: false,
  onSuccess: async () => writeFile("dist/verify-history.js", await buildScript()),
});
