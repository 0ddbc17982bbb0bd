import { defineConfig } from "tsup";

export default defineConfig({
  entry: ["src/index.ts", "src/mcp.ts", "src/ai-sdk.ts", "src/openai.ts", "src/langchain.ts"],
  format: ["esm"],
  dts: true,
  clean: true,
  sourcemap: true,
  removeNodeProtocol: false,
});
