import { defineConfig } from "tsdown";
import { base } from "../../tsdown.base.ts";

export default defineConfig({
  ...base,
  entry: [
    "src/index.ts",
    "src/events.ts",
    "src/folder.ts",
    "src/chain/serve-chains.ts",
    "src/adapters/{ai-sdk,langchain,mastra,openai-agents}.ts",
    "src/platform/*.ts",
  ],
});
