import { defineConfig } from "tsdown";
import { base } from "../../tsdown.base.ts";

export default defineConfig({
  ...base,
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
});
