import { defineConfig } from "tsup";

export default defineConfig({
  // Only `dependencies` are left out of the bundle by themselves; this one is optional.
  external: ["@agentprint/trail-store"],
  entry: ["src/index.ts", "src/events.ts"],
  format: ["esm"],
  dts: true,
  clean: true,
  sourcemap: true,
  removeNodeProtocol: false,
});
