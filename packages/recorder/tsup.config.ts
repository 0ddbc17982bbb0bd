import { defineConfig } from "tsup";

export default defineConfig({
  // Only `dependencies` are left out of the bundle by themselves; this one is optional.
  external: ["@agentprint/trail-store", "#mac"],
  entry: [
    "src/index.ts",
    "src/events.ts",
    "src/entries/{ai-sdk,langchain,mastra,openai-agents}.ts",
    "src/platform/*.ts",
  ],
  format: ["esm"],
  dts: true,
  clean: true,
  sourcemap: true,
  removeNodeProtocol: false,
});
