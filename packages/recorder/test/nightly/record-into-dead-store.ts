// A separate process that records into a database that another connection keeps locked, directly or through the AI SDK,
// and prints the memory that this used and the trail's final contents.
import { openTrailStore } from "@agentprint/trail-store";
import Database from "better-sqlite3";
import { recordingTelemetry } from "../../src/adapters/ai-sdk.ts";
import { createRecorder, readEvents } from "../../src/index.ts";

const EVENTS = 400_000;

const [store = "", by] = process.argv.slice(2);
const key = new Uint8Array(32).fill(7);
const recorder = await createRecorder({ store, key, agentId: "planner", closeWithinMs: 60_000 });
const lock = new Database(store.slice("file:".length));
lock.exec("begin exclusive");

const { executeTool, onToolExecutionEnd } = recordingTelemetry(recorder);

/** Records two events. */
async function recordCall(call: string): Promise<void> {
  if (by !== "ai-sdk") {
    await recorder.record({ kind: "call", call, tool: "read_file" }).ready;
    await recorder.record({ kind: "result", call, outcome: "ok", tool: "read_file" }).ready;
    return;
  }
  const toolCall = { type: "tool-call", toolCallId: call, toolName: "read_file", input: {} } as const;
  const shared = { callId: "g", toolCallId: call, toolCall, messages: [], toolContext: undefined };
  await executeTool?.({ ...shared, execute: async () => "done" });
  const toolOutput = { ...toolCall, type: "tool-result", output: "done" } as const;
  await onToolExecutionEnd?.({ ...shared, toolExecutionMs: 0, toolOutput } as never);
}

const used = (): number => {
  globalThis.gc?.();
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
};
const before = used();
let most = 0;
for (let call = 0; call < EVENTS / 2; call++) {
  await recordCall(String(call));
  if (call % 25_000 === 0) most = Math.max(most, used());
}
most = Math.max(most, used());
const { lost } = recorder;
lock.exec("rollback");
lock.close();
await recorder.close();

const trails = await openTrailStore(store, { readonly: true });
const kinds: Record<string, number> = {};
const gaps: number[] = [];
for await (const entry of readEvents(trails.read(recorder.sessionId), { keys: [key] })) {
  const kind = entry.is === "event" ? entry.event.kind : entry.is;
  kinds[kind] = (kinds[kind] ?? 0) + 1;
  if (entry.is === "event" && entry.event.kind === "gap") gaps.push(entry.event.lost);
}
await trails.close();
console.log(JSON.stringify({ megabytes: (most - before) / 2 ** 20, recorded: EVENTS, lost, gaps, kinds }));
