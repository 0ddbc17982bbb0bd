import { defineConfig } from "tsup";

export default defineConfig({
  entry: { main: "src/main.ts", "trail-worker": "src/trail/worker.ts" },
  format: ["esm"],
  target: "node20",
  clean: true,
  sourcemap: true,
  removeNodeProtocol: false,
});
