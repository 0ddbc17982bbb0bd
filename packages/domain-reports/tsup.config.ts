import { defineConfig } from "tsup";

export default defineConfig({
  entry: ["src/index.ts", "src/lock.ts", "src/manifest.ts"],
  format: ["esm"],
  dts: true,
  clean: true,
  sourcemap: true,
  removeNodeProtocol: false,
});
