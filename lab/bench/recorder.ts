import { createHash, createHmac, createSecretKey, randomBytes } from "node:crypto";
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { open } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { sha256Hex } from "@agentprint/canonical-json";
import { createRecorder, type EventInput } from "@agentprint/recorder";
import { v7 } from "uuid";
import { record } from "./corpora.ts";
import type { Comparison, Suite } from "./measure.ts";

const CALLS = 500;
/** A folder in memory where possible, because the benchmark measures the work of the event loop and not of the disk. */
const FOLDER = existsSync("/dev/shm") ? "/dev/shm" : tmpdir();
const SECRET = randomBytes(32);
const DIGEST = sha256Hex("");
const TRACE = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01";
/** Results of 1 KB. */
const results = Array.from({ length: 200 }, (_, index) =>
  JSON.stringify(record(index + 1))
    .padEnd(1_024)
    .slice(0, 1_024),
);

let call = 0;

/** Returns the start and end events of a call, with the digest of its result. */
function eventsOf(): readonly [EventInput, EventInput] {
  const id = String(call++);
  const result = sha256Hex(results[call % results.length] as string);
  const shared = { server: "files", method: "tools/call", tool: "read_text_file", call: id, trace: TRACE } as const;
  return [
    { kind: "call", ...shared, decision: "pass", digests: { arguments: DIGEST, tool: DIGEST, lock: DIGEST } },
    { kind: "result", ...shared, outcome: "ok", digests: { result } },
  ];
}

/**
 * Records with straightforward code: each event gets a MAC and a record that follows the previous one, and is appended
 * with one write.
 */
async function byHand(): Promise<() => Promise<void>> {
  const folder = mkdtempSync(join(FOLDER, "recorder-bench-"));
  const file = await open(join(folder, "trail.jsonl"), "a");
  cleaning.push(
    () => file.close(),
    () => rmSync(folder, { recursive: true }),
  );
  const key = createSecretKey(SECRET);
  const session = v7();
  let head = "0".repeat(64);
  let sequence = 0;
  const toLine = (event: EventInput): string => {
    const text = JSON.stringify({ ...event, agent: "planner", session, sequence: sequence++ });
    const [id, timestamp] = [v7(), new Date().toISOString()];
    const fields = { id, task_id: session, timestamp, type: "plan" };
    const mac = createHmac("sha256", key)
      .update(`${JSON.stringify(fields)}${text}`)
      .digest("hex");
    const covered = {
      content: `{"event":${text},"mac":"${mac}"}`,
      id,
      prev_hash: head,
      task_id: session,
      timestamp,
      type: "plan",
    };
    head = createHash("sha256").update(JSON.stringify(covered)).digest("hex");
    return `${JSON.stringify({ ...covered, agent_id: "planner", hash: head })}\n`;
  };
  return async () => {
    const lines: string[] = [];
    for (let count = 0; count < CALLS; count++) for (const event of eventsOf()) lines.push(toLine(event));
    await file.write(lines.join(""));
    await file.datasync();
  };
}

async function comparison(): Promise<Comparison> {
  const folder = mkdtempSync(join(FOLDER, "recorder-bench-"));
  const recorder = await createRecorder({ store: folder, key: SECRET, agentId: "planner", groupMs: 0 });
  cleaning.push(() => recorder.close().then(() => rmSync(folder, { recursive: true })));
  return {
    name: `${CALLS} calls with a result of 1 KB, mode behind`,
    reference: "by hand",
    ours: "agentprint",
    bar: 0.8,
    contenders: {
      agentprint: async () => {
        for (let count = 0; count < CALLS; count++) for (const event of eventsOf()) recorder.record(event);
        await recorder.flush();
      },
      "by hand": await byHand(),
    },
  };
}

const cleaning: (() => unknown)[] = [];

export const recordSuite: Suite = {
  title: "Recording calls (each event with a MAC and a hash by hand, in one write = 1)",
  comparisons: () => [comparison],
  close: async () => {
    for (const clean of cleaning.splice(0).reverse()) await clean();
  },
};
