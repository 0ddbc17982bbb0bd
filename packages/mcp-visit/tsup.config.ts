import { defineConfig } from "tsup";

export default defineConfig({
  entry: ["src/index.ts", "src/errors.ts", "src/secrets/index.ts"],
  format: ["esm"],
  dts: true,
  clean: true,
  sourcemap: true,
  removeNodeProtocol: false,
});
