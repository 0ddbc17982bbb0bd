import { defineConfig } from "tsup";
import { dts } from "../../tsup.declarations.ts";

export default defineConfig({
  // Only `dependencies` are left out of the bundle by themselves; this one is optional.
  external: ["@agentprint/trail-store", "#mac", "#serve-chains"],
  entry: [
    "src/index.ts",
    "src/events.ts",
    "src/folder.ts",
    "src/chain/serve-chains.ts",
    "src/adapters/{ai-sdk,langchain,mastra,openai-agents}.ts",
    "src/platform/*.ts",
  ],
  format: ["esm"],
  dts,
  clean: true,
  sourcemap: true,
  removeNodeProtocol: false,
});
