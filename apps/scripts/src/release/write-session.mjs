// Records an encrypted session in a folder with the installed recorder, and reads every session in the folder:
// `write-session.mjs <folder> <session>`.
import { strict as assert } from "node:assert";
import { randomBytes } from "node:crypto";
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createKeyFolder, createRecorder } from "@agentprint/recorder";
import { readEvents } from "@agentprint/recorder/events";

const [folder, sessionId] = process.argv.slice(2);
if (!existsSync("recorder.key")) writeFileSync("recorder.key", randomBytes(32));
const key = readFileSync("recorder.key");
const contentKeys = createKeyFolder("content-keys");
const recorder = await createRecorder({ store: folder, key, agentId: "planner", sessionId, encrypt: contentKeys });
recorder.record({ kind: "call", call: "c1", server: "files", tool: "read_file", attributes: { note: "seen" } });
await recorder.record({ kind: "result", call: "c1", outcome: "ok" }).durable();
await recorder.close();

async function* recordsOf(file) {
  for (const line of readFileSync(join(folder, file), "utf8").split("\n")) if (line !== "") yield JSON.parse(line);
}

const files = readdirSync(folder).filter((file) => file.endsWith(".jsonl"));
for (const file of files) {
  const kinds = [];
  for await (const entry of readEvents(recordsOf(file), { keys: [key], contentKeys })) {
    assert.equal(entry.is, "event");
    kinds.push(entry.event.kind);
  }
  assert.deepEqual(kinds, ["session-start", "call", "result", "session-end"]);
}
console.log(files.length);
