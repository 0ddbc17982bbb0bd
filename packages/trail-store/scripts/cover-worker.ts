// Repeatedly signs the records of each task that were stored before a time, and writes a line to stdout for each note.
// Usage: cover-worker.ts <url> <time> <signer key>
import { writeSync } from "node:fs";
import { createNoteSigner } from "@agentprint/trail/checkpoint";
import { openTrailStore } from "../src/index.ts";

const [url = "", time = "", key = ""] = process.argv.slice(2);
const store = await openTrailStore(url, { create: false });
const options = { origin: "faults", signers: [createNoteSigner(key)] };
for (;;) {
  for await (const { taskId } of store.checkpointBefore(new Date(time), () => options)) writeSync(1, `${taskId}\n`);
}
