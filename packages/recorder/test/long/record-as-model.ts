// A separate process that records one session until it is killed, and prints what was acknowledged: a line `<id>
// <tool>` for each record, and the code of the error that ends the process.
import { writeSync } from "node:fs";
import { syncBuiltinESMExports } from "node:module";
import os from "node:os";

const [store = "", sessionId = "", machine = ""] = process.argv.slice(2);
if (machine !== "") {
  // Pretends to be another machine in the network, whose clock is three days ahead.
  os.hostname = () => machine;
  syncBuiltinESMExports();
  const ahead = 3 * 86_400_000;
  globalThis.Date = new Proxy(Date, {
    construct: (date, given) => Reflect.construct(date, given.length === 0 ? [date.now() + ahead] : given),
    get: (date, name) => (name === "now" ? () => date.now() + ahead : Reflect.get(date, name)),
  });
}

const { createRecorder } = await import("../../src/index.ts");

function end(error: unknown): never {
  writeSync(1, `error ${(error as { code?: unknown }).code}\n`);
  process.exit(0);
}

const recorder = await createRecorder({
  store,
  sessionId,
  key: new Uint8Array(32).fill(7),
  agentId: "planner",
  groupMs: 1,
  thread: machine === "",
  onError: (error) => {
    if (error.code === "taken-over") end(error);
  },
}).catch(end);
writeSync(1, "begun\n");
for (let call = 0; ; call++) {
  const tool = `${process.pid}-${call}-${"x".repeat(call % 500)}`;
  const receipt = recorder.record({ kind: "call", call: String(call), tool });
  void receipt.durable().then(
    () => writeSync(1, `${receipt.id} ${tool}\n`),
    () => {},
  );
  await receipt.ready;
  if (call % 8 === 0) await new Promise((resolve) => setTimeout(resolve, 1));
}
