import { defineConfig } from "tsup";
import { dts } from "../../tsup.declarations.ts";

export default defineConfig({
  entry: ["src/index.ts", "src/rules.ts", "src/adapters/{ai-sdk,langchain,mcp-sdk,openai-agents}.ts"],
  format: ["esm"],
  dts,
  clean: true,
  sourcemap: true,
  removeNodeProtocol: false,
});
