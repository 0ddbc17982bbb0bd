import { randomBytes } from "node:crypto";
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createRecorder } from "@agentprint/recorder";
import { recordingTelemetry } from "@agentprint/recorder/ai-sdk";
import { generateText, jsonSchema, tool } from "ai";
import { MockLanguageModelV4 } from "ai/test";
import type { Comparison, Suite } from "./measure.ts";

const CALLS = 100;
/** A folder in memory where possible, because the benchmark measures the work of the event loop and not of the disk. */
const FOLDER = existsSync("/dev/shm") ? "/dev/shm" : tmpdir();
const RESULT = "x".repeat(1_022);

/** A model that makes many calls of a tool at once. */
const model = new MockLanguageModelV4({
  doGenerate: async () => ({
    content: Array.from({ length: CALLS }, (_, index) => ({
      type: "tool-call",
      toolCallId: `c${index}`,
      toolName: "noop",
      input: "{}",
    })),
    finishReason: { unified: "tool-calls", raw: undefined },
    usage: {
      inputTokens: { total: 1, noCache: 1, cacheRead: 0, cacheWrite: 0 },
      outputTokens: { total: 1, text: 1, reasoning: 0 },
    },
    warnings: [],
  }),
});
const tools = { noop: tool({ inputSchema: jsonSchema({ type: "object" }), execute: () => RESULT }) };

/** Telemetry with empty tool hooks, which measures the cost of the SDK alone. */
const IDLE: ReturnType<typeof recordingTelemetry> = {
  executeTool: async ({ execute }) => execute(),
  onToolExecutionEnd: () => {},
};

const cleaning: (() => unknown)[] = [];

/** Returns telemetry that records into a folder in memory, and a function that waits until everything is written. */
export async function openEntry(): Promise<{
  readonly telemetry: ReturnType<typeof recordingTelemetry>;
  readonly flush: () => Promise<void>;
}> {
  const store = mkdtempSync(join(FOLDER, "recorder-bench-"));
  const recorder = await createRecorder({ store, key: randomBytes(32), agentId: "planner" });
  cleaning.push(() => recorder.close().then(() => rmSync(store, { recursive: true })));
  return { telemetry: recordingTelemetry(recorder), flush: () => recorder.flush() };
}

export async function closeEntries(): Promise<void> {
  for (const clean of cleaning.splice(0)) await clean();
}

async function comparison(): Promise<Comparison> {
  const { telemetry } = await openEntry();
  return {
    name: `${CALLS} concurrent calls of a tool that returns 1 KB at once`,
    reference: "not recorded",
    ours: "recorded",
    bar: 0.2,
    contenders: {
      // The recorder writes while calls are made, and a caller that is faster than the recorder waits for it.
      recorded: async () => {
        await generateText({ model, tools, prompt: "Go", telemetry: { integrations: telemetry } });
      },
      "telemetry that does nothing": async () => {
        await generateText({ model, tools, prompt: "Go", telemetry: { integrations: IDLE } });
      },
      "not recorded": async () => {
        await generateText({ model, tools, prompt: "Go" });
      },
    },
  };
}

export const entrySuite: Suite = {
  title: "Tool calls in the AI SDK (not recorded = 1)",
  comparisons: () => [comparison],
  close: closeEntries,
};
