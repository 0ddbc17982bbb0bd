import { defineConfig } from "tsup";

export default defineConfig({
  entry: [
    "src/index.ts",
    "src/rules.ts",
    "src/entries/ai-sdk.ts",
    "src/entries/langchain.ts",
    "src/entries/mcp-sdk.ts",
  ],
  format: ["esm"],
  dts: true,
  clean: true,
  sourcemap: true,
  removeNodeProtocol: false,
});
