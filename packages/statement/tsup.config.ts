import { defineConfig } from "tsup";

export default defineConfig({
  entry: ["src/index.ts", "src/rules.ts", "src/adapters/sigstore.ts"],
  format: ["esm"],
  dts: true,
  clean: true,
  sourcemap: true,
  removeNodeProtocol: false,
});
