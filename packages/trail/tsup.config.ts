import { defineConfig } from "tsup";

export default defineConfig({
  entry: [
    "src/index.ts",
    "src/record/index.ts",
    "src/record/schema.ts",
    "src/chain/index.ts",
    "src/findings/index.ts",
    "src/checkpoint/index.ts",
    "src/ed25519/node.ts",
    "src/ed25519/portable.ts",
  ],
  external: ["#ed25519"],
  format: ["esm"],
  dts: true,
  clean: true,
  sourcemap: true,
  removeNodeProtocol: false,
});
