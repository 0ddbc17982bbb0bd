import { defineConfig } from "tsup";
import { dts } from "../../tsup.declarations.ts";

export default defineConfig({
  entry: ["src/index.ts", "src/rules.ts", "src/adapters/sigstore.ts", "src/evidence/index.ts", "src/evidence/rules.ts"],
  format: ["esm"],
  dts,
  clean: true,
  sourcemap: true,
  removeNodeProtocol: false,
});
