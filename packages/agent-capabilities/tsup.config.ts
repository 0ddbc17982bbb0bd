import { defineConfig } from "tsup";

export default defineConfig({
  entry: [
    "src/index.ts",
    "src/link/turn-rules.ts",
    "src/adapters/mcp.ts",
    "src/adapters/ai-sdk.ts",
    "src/adapters/openai.ts",
    "src/adapters/langchain.ts",
  ],
  format: ["esm"],
  dts: true,
  clean: true,
  sourcemap: true,
  removeNodeProtocol: false,
});
