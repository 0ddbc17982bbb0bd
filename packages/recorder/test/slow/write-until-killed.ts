// A separate process that records until it is killed, and prints the id of each record acknowledged as durable.
import { writeSync } from "node:fs";
import { createRecorder } from "../../src/index.ts";

const [store = ""] = process.argv.slice(2);
const recorder = await createRecorder({ store, key: new Uint8Array(32).fill(7), agentId: "planner", groupMs: 1 });
writeSync(1, `${recorder.sessionId}\n`);

for (let call = 0; ; call++) {
  const { id, ready, durable } = record(call);
  void durable().then(() => writeSync(1, `${id}\n`));
  await ready;
  if (call % 16 === 0) await new Promise((resolve) => setImmediate(resolve));
}

function record(call: number): { id: string; ready: Promise<void>; durable: () => Promise<void> } {
  const receipt = recorder.record({ kind: "call", call: String(call), tool: "x".repeat(call % 2_000) });
  return { id: receipt.id, ready: receipt.ready, durable: () => receipt.durable() };
}
