import { defineConfig } from "tsup";
import { dts } from "../../tsup.declarations.ts";

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
  dts,
  clean: true,
  sourcemap: true,
  removeNodeProtocol: false,
});
