import { defineConfig } from "tsdown";
import { base } from "../../tsdown.base.ts";

export default defineConfig({
  ...base,
  entry: ["src/index.ts", "src/rules.ts", "src/adapters/{ai-sdk,langchain,mcp-sdk,openai-agents}.ts"],
});
