import { defineConfig } from "tsdown";
import { base } from "../../tsdown.base.ts";

export default defineConfig({
  ...base,
  entry: [
    "src/index.ts",
    "src/link/turn-rules.ts",
    "src/adapters/mcp.ts",
    "src/adapters/ai-sdk.ts",
    "src/adapters/openai.ts",
    "src/adapters/langchain.ts",
  ],
});
