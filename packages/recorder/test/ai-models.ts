import type { Telemetry } from "ai";
import { MockLanguageModelV4, simulateReadableStream } from "ai/test";
import { recordingTelemetry } from "../src/adapters/ai-sdk.ts";
import type { RecordingOptions } from "../src/adapters/recording-options.ts";
import type { Recorder } from "../src/index.ts";

export type Answer = Awaited<ReturnType<MockLanguageModelV4["doGenerate"]>>;
export type Part =
  Awaited<ReturnType<MockLanguageModelV4["doStream"]>>["stream"] extends ReadableStream<infer P> ? P : never;

export const USAGE = {
  inputTokens: { total: 3, noCache: 3, cacheRead: 0, cacheWrite: 0 },
  outputTokens: { total: 5, text: 5, reasoning: 0 },
} as const;
export const TEXT: Answer = {
  content: [{ type: "text", text: "done" }],
  finishReason: { unified: "stop", raw: undefined },
  usage: USAGE,
  warnings: [],
  response: { id: "r1" },
};
export const calls = (...names: readonly string[]): Answer => ({
  ...TEXT,
  content: names.map((toolName, index) => ({ type: "tool-call", toolCallId: `c${index}`, toolName, input: '{"n":1}' })),
  finishReason: { unified: "tool-calls", raw: undefined },
});
export const PARTS: readonly Part[] = [
  { type: "stream-start", warnings: [] },
  { type: "response-metadata", id: "r2" },
  { type: "text-start", id: "t" },
  { type: "text-delta", id: "t", delta: "do" },
  { type: "text-delta", id: "t", delta: "ne" },
  { type: "text-end", id: "t" },
  { type: "finish", finishReason: { unified: "stop", raw: undefined }, usage: USAGE },
];

/** An answer that is so long that a reader that stops early cannot have read all of it. */
export const LONG: readonly Part[] = [
  ...PARTS.slice(0, 4),
  ...Array.from({ length: 200 }, () => PARTS[3] as Part),
  ...PARTS.slice(4),
];

/** Returns a model that returns these answers one after the other, and throws those that are errors. */
export function modelOf(...answers: readonly (Answer | Error)[]): MockLanguageModelV4 {
  const left = [...answers];
  return new MockLanguageModelV4({
    doGenerate: async () => {
      const answer = left.shift() ?? TEXT;
      if (answer instanceof Error) throw answer;
      return answer;
    },
  });
}

export function streaming(parts: readonly Part[] = PARTS, chunkDelayInMs: number | null = null): MockLanguageModelV4 {
  return new MockLanguageModelV4({
    doStream: async () => ({
      stream: simulateReadableStream({ chunks: [...parts], chunkDelayInMs, initialDelayInMs: null }),
    }),
  });
}

/** Returns the option that causes a call to be recorded. */
export const telemetry = (recorder: Recorder, options?: RecordingOptions): { readonly integrations: Telemetry } => ({
  integrations: recordingTelemetry(recorder, options),
});
