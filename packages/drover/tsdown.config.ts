import { defineConfig } from "tsdown";
import { base } from "../../tsdown.base.ts";

export default defineConfig({
  ...base,
  entry: [
    "src/index.ts",
    "src/effect.ts",
    "src/findings/index.ts",
    "src/adapters/ai-sdk.ts",
    "src/adapters/dbos.ts",
    "src/adapters/langgraph.ts",
    "src/adapters/mastra.ts",
    "src/adapters/openai-agents.ts",
  ],
});
