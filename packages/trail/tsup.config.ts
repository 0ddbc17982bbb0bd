import { defineConfig } from "tsup";

export default defineConfig({
  entry: ["src/index.ts", "src/chain.ts", "src/checkpoint.ts", "src/ed25519/node.ts", "src/ed25519/portable.ts"],
  external: ["#ed25519"],
  format: ["esm"],
  dts: true,
  clean: true,
  sourcemap: true,
  removeNodeProtocol: false,
});
