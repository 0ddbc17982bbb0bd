import { writeFile } from "node:fs/promises";
import { defineConfig } from "tsdown";
import { base } from "../../tsdown.base.ts";
import { buildScript } from "./scripts/build-script.ts";

export default defineConfig({
  ...base,
  // Packages that are not published become part of the registry.
  deps: { ...base.deps, onlyBundle: ["@agentprint/page-style", "@agentprint/report"] },
  dts: false,
  entry: {
    main: "src/main.ts",
    "judge-worker": "src/diff/judge-worker.ts",
    "trail-worker": "src/trail/trail-worker.ts",
  },
  target: "node22",
  onSuccess: async () => writeFile("dist/verify-history.js", await buildScript()),
});
