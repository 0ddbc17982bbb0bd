import { defineConfig } from "tsup";
import { dts } from "../../tsup.declarations.ts";

export default defineConfig({
  entry: ["src/index.ts", "src/{findings,lock}/index.ts", "src/drift/check-lock-lazily.ts", "src/foreign/mcp-pin.ts"],
  format: ["esm"],
  dts,
  clean: true,
  sourcemap: true,
  removeNodeProtocol: false,
});
