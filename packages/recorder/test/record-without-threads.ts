// A separate process that must not start threads: it records, and prints the kinds of its records.

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { createRecorder } from "../src/index.ts";

const [store = ""] = process.argv.slice(2);
const recorder = await createRecorder({ store, key: new Uint8Array(32).fill(7), agentId: "planner" });
recorder.record({ kind: "call", call: "c1" });
await recorder.close();
const lines = readFileSync(join(store, `${recorder.sessionId}.jsonl`), "utf8")
  .trim()
  .split("\n");
console.log(lines.map((line) => JSON.parse(JSON.parse(line).content).event.kind).join(" "));
