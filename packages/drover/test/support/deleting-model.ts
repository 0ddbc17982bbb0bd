import { MockLanguageModelV4 } from "ai/test";
import { usage } from "./model-usage.ts";

/** A model that deletes a file, and is done once it has the tool's answer. */
export const deletingModel = (): MockLanguageModelV4 =>
  new MockLanguageModelV4({
    provider: "acme",
    modelId: "large",
    doGenerate: async ({ prompt }) =>
      prompt.some(({ role, content }) => role === "tool" && JSON.stringify(content).includes("deleted"))
        ? {
            content: [{ type: "text", text: "Done." }],
            finishReason: { unified: "stop", raw: "" },
            usage,
            warnings: [],
          }
        : {
            content: [{ type: "tool-call", toolCallId: "call_1", toolName: "delete_file", input: '{"path":"a.txt"}' }],
            finishReason: { unified: "tool-calls", raw: "" },
            usage,
            warnings: [],
          },
  });
