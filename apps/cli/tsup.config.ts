import { defineConfig } from "tsup";

export default defineConfig({
  // Only `dependencies` are left out of the bundle by themselves; these are optional.
  external: ["@agentprint/trail-store", /^@opentelemetry\//, "hyparquet-writer", /^@sigstore\//],
  entry: { main: "src/main.ts", "trail-worker": "src/trail/worker.ts" },
  format: ["esm"],
  target: "node20",
  clean: true,
  sourcemap: true,
  removeNodeProtocol: false,
});
