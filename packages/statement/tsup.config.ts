import { defineConfig } from "tsup";

export default defineConfig({
  entry: ["src/index.ts", "src/rules.ts", "src/adapters/sigstore.ts", "src/evidence/index.ts", "src/evidence/rules.ts"],
  format: ["esm"],
  dts: true,
  clean: true,
  sourcemap: true,
  removeNodeProtocol: false,
});
