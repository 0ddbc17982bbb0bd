import { defineConfig } from "tsup";

export default defineConfig({
  entry: ["src/index.ts", "src/apply/index.ts", "src/settings/index.ts"],
  format: ["esm"],
  dts: true,
  clean: true,
  sourcemap: true,
  removeNodeProtocol: false,
});
