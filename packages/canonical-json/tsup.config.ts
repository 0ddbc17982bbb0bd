import { defineConfig } from "tsup";

export default defineConfig({
  entry: ["src/index.ts", "src/sha256/node.ts", "src/sha256/portable.ts"],
  external: ["#sha256"],
  format: ["esm"],
  dts: true,
  clean: true,
  sourcemap: true,
  removeNodeProtocol: false,
});
