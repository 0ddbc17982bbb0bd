import { defineConfig } from "tsup";

export default defineConfig({
  entry: ["src/index.ts", "src/errors.ts"],
  external: ["@napi-rs/keyring"], // an optional dependency
  format: ["esm"],
  dts: true,
  clean: true,
  sourcemap: true,
  removeNodeProtocol: false,
});
