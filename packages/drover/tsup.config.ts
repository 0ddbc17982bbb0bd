import { defineConfig } from "tsup";
import { dts } from "../../tsup.declarations.ts";

export default defineConfig({
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
  format: ["esm"],
  dts,
  clean: true,
  sourcemap: true,
  removeNodeProtocol: false,
});
