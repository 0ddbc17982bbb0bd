import { Agent, type AgentConfig } from "@mastra/core/agent";
import type { IMastraEditor } from "@mastra/core/editor";
import { createTool } from "@mastra/core/tools";
import { MockLanguageModelV3 } from "ai/test";
import { z } from "zod";
import { usage } from "../../support/model-usage.ts";

type StreamPart =
  Awaited<ReturnType<MockLanguageModelV3["doStream"]>>["stream"] extends ReadableStream<infer Part> ? Part : never;

const CALL: StreamPart[] = [
  { type: "tool-call", toolCallId: "call_1", toolName: "delete_file", input: '{"path":"a.txt"}' },
  { type: "finish", finishReason: { unified: "tool-calls", raw: undefined }, usage },
];
const ANSWER: StreamPart[] = [
  { type: "text-start", id: "1" },
  { type: "text-delta", id: "1", delta: "Done." },
  { type: "text-end", id: "1" },
  { type: "finish", finishReason: { unified: "stop", raw: undefined }, usage },
];

/** A model that deletes a file, and is done once it has the tool's answer. */
export const model = (modelId = "large"): MockLanguageModelV3 =>
  new MockLanguageModelV3({
    provider: "acme",
    modelId,
    doStream: async ({ prompt }) => ({
      stream: ReadableStream.from(prompt.some(({ role }) => role === "tool") ? ANSWER : CALL),
    }),
  });

export const deleteFile = (options: object = {}): object =>
  createTool({
    id: "delete_file",
    description: "Deletes a file.",
    inputSchema: z.object({ path: z.string() }),
    requireApproval: true,
    execute: async () => "deleted",
    ...options,
  } as never);

export const keeper = (options: object = {}): Agent =>
  new Agent({
    id: "keeper",
    name: "Keeper",
    instructions: "Keep the folder tidy.",
    model: model(),
    tools: { delete_file: deleteFile() },
    ...options,
  } as unknown as AgentConfig);

/** The editor from which Mastra reads an agent's stored versions, including the published one. */
export function editorOf(published: () => Agent): IMastraEditor {
  const editor = {
    registerWithMastra: (mastra: Parameters<IMastraEditor["registerWithMastra"]>[0]) =>
      published().__registerMastra(mastra),
    agent: { applyStoredOverrides: async () => published() },
  };
  return editor as unknown as IMastraEditor;
}
