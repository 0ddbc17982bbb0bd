import { defineConfig } from "tsup";

export default defineConfig({
  entry: ["src/{index,sha256}.ts", "src/{json-value,lines,text}/index.ts", "src/platform/*.ts"],
  external: ["#sha256", "#utf8"],
  format: ["esm"],
  dts: true,
  clean: true,
  sourcemap: true,
  removeNodeProtocol: false,
});
