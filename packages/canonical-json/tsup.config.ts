import { defineConfig } from "tsup";
import { dts } from "../../tsup.declarations.ts";

export default defineConfig({
  entry: ["src/{index,sha256}.ts", "src/{json-value,lines,text}/index.ts", "src/platform/*.ts"],
  external: ["#sha256", "#utf8"],
  format: ["esm"],
  dts,
  clean: true,
  sourcemap: true,
  removeNodeProtocol: false,
});
