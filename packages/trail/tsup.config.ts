import { defineConfig } from "tsup";
import { dts } from "../../tsup.declarations.ts";

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
  dts,
  clean: true,
  sourcemap: true,
  removeNodeProtocol: false,
});
