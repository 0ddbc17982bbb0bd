import { readFileSync } from "node:fs";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { sha256Hex } from "@agentprint/canonical-json";
import { streamText } from "ai";
import { expect, test } from "vitest";
import { recordingTelemetry } from "../src/adapters/ai-sdk.ts";
import { LONG, PARTS, type Part, streaming, telemetry } from "./ai-models.ts";
import { eventsOf, outlineOf } from "./entries-support.ts";
import { chainsIn, collect } from "./support.ts";

test("a streamed answer is digested as the array of its parts", async () => {
  let parts: readonly unknown[] = [];
  const events = await eventsOf(async (recorder) => {
    const { fullStream, text } = streamText({ model: streaming(), prompt: "Go", telemetry: telemetry(recorder) });
    parts = await collect(fullStream);
    expect(await text).toBe("done");
  });
  expect(parts.length).toBeGreaterThan(5);
  expect(outlineOf(events)).toEqual(["model-call", "model-result ok"]);
  const sorted = JSON.stringify(PARTS, (_, value) => sortedMembers(value));
  expect(events[1]).toMatchObject({
    digests: { result: sha256Hex(sorted) },
    attributes: { "gen_ai.response.id": "r2", "gen_ai.usage.output_tokens": 5 },
  });
});

function sortedMembers(value: unknown): unknown {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)));
}

test.each<[what: string, outcome: string, reason: string | undefined, parts: readonly Part[]]>([
  ["fails", "error", undefined, [...PARTS.slice(0, 3), { type: "error", error: new RangeError("half") }]],
  ["fails without an error", "error", undefined, [...PARTS.slice(0, 3), { type: "error", error: undefined }]],
  ["is aborted", "cancelled", "abandoned", LONG],
])("an answer in parts that %s has one end", async (what, outcome, reason, parts) => {
  const events = await eventsOf(async (recorder) => {
    const abort = new AbortController();
    const options = { prompt: "Go", abortSignal: abort.signal, onError: () => {}, telemetry: telemetry(recorder) };
    const { fullStream } = streamText({ model: streaming(parts, 1), ...options });
    for await (const { type } of fullStream) if (what === "is aborted" && type === "text-delta") abort.abort();
  });
  expect(outlineOf(events)).toEqual(["model-call", `model-result ${outcome}`]);
  expect(events[1]?.reason).toBe(reason);
});

test("an abandoned streamed answer ends before its session", async () => {
  const events = await eventsOf(async (recorder, store) => {
    await leave(streamText({ model: streaming(LONG, 1), prompt: "Go", telemetry: telemetry(recorder) }));
    const written = async () => {
      collectGarbage();
      await recorder.flush();
      return readFileSync(chainsIn(store)[0] as string, "utf8");
    };
    await expect.poll(written).toContain("abandoned");
  });
  expect(outlineOf(events)).toEqual(["model-call", "model-result cancelled"]);
});

async function leave({ fullStream }: ReturnType<typeof streamText>): Promise<void> {
  for await (const { type } of fullStream) if (type === "text-delta") break;
}

function collectGarbage(): void {
  setFlagsFromString("--expose-gc");
  (runInNewContext("gc") as () => void)();
}

test.each(["cancelled", "broken"])("a stream that is %s has one end, and is read as it was", async (what) => {
  const events = await eventsOf(async (recorder) => {
    const source = new ReadableStream<string>({
      pull: (controller) =>
        what === "broken" ? controller.error(new RangeError("broken")) : controller.enqueue("part"),
    });
    const { executeLanguageModelCall } = recordingTelemetry(recorder);
    const { stream } = (await executeLanguageModelCall?.({
      callId: "g1",
      execute: async () => ({ stream: source }),
    })) ?? {
      stream: new ReadableStream<string>(),
    };
    expect(stream).toBe(source);
    expect(stream.locked).toBe(false);
    const reader = stream.getReader();
    expect(stream.locked).toBe(true);
    if (what === "broken") await expect(reader.read()).rejects.toThrow("broken");
    else expect(await reader.read()).toEqual({ done: false, value: "part" });
    await reader.cancel().catch(() => {});
  });
  expect(outlineOf(events)).toEqual(["model-call", `model-result ${what === "broken" ? "error" : "cancelled"}`]);
});
