import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { JsonObject } from "@agentprint/canonical-json";
import { createMacKey, readEvents, type TrailEntry } from "@agentprint/recorder/events";
import { chainOf, recordRun, SECRET } from "@agentprint/testing/trail/recorded-run";
import { createThought, parseThoughtLines, verifyTasks } from "@agentprint/trail/chain";
import {
  createCheckpoint,
  createCosigner,
  createNoteKeys,
  createNoteSigner,
  createNoteVerifier,
} from "@agentprint/trail/checkpoint";
import { expect, test } from "vitest";
import { anchorIn } from "../src/anchors.ts";
import { placesOfProblems } from "../src/places-of-problems.ts";
import { asAltered, rowOf } from "../src/row.ts";
import { elapsed, Timeline } from "../src/timeline.ts";

const record = createThought({ task_id: "t", agent_id: "a", type: "plan", content: "one" }, null, {
  id: "r1",
  now: "2026-04-01T12:00:00.000Z",
});

test("a run has a row for each event, with the end of a call in the row of its start", async () => {
  const folder = mkdtempSync(join(tmpdir(), "agentprint-timeline-"));
  await recordRun(folder, "s1");
  const timeline = new Timeline();
  const records = parseThoughtLines([readFileSync(join(folder, "s1.jsonl"))]);
  for await (const entry of readEvents(records, { keys: [createMacKey(SECRET)] })) timeline.add(entry);
  timeline.end();
  rmSync(folder, { recursive: true });
  expect(timeline.places).toBe(13);
  const rows = timeline.rows.map(({ tone, label, what, why }) => [tone, label, what, ...why].join(" | "));
  expect(rows.map((row) => row.replace(/\d+ ms/, "<ms>"))).toEqual([
    "quiet | session-start | ",
    "plain | plan | Read the file, then delete it.",
    "plain | link | capabilities abababababab",
    "plain | call | files › read_file | ok | <ms>",
    "odd | call | files › stat | error | code -32000 | <ms>",
    "bad | refused | files › delete_file | block | mcp/unpinned-tool",
    "odd | fault |  | 3 events lost | queue-full",
    "plain | model-call | example-1 | ok | <ms>",
    "plain | call | files › never_ends",
    "quiet | session-end | ",
  ]);
});

test("the end of a call without its start is a row of its own", () => {
  const timeline = new Timeline();
  const event = { kind: "result", session: "s", call: "c", tool: "x", outcome: "refused", by: "ann" };
  timeline.add({ is: "event", record, event } as unknown as TrailEntry);
  expect(timeline.rows).toMatchObject([{ sort: "call", tone: "bad", what: "x", why: ["refused", "by ann"] }]);
});

test.each<[string, TrailEntry, object]>([
  [
    "an event of an unknown kind",
    { is: "unknown-event", record, event: { kind: "later", method: "m" } },
    { tone: "odd", label: "later", what: "m", why: [expect.stringContaining("is unknown to this version")] },
  ],
  [
    "an event of no kind",
    { is: "unknown-event", record, event: { kind: 1, tool: "t" } as JsonObject },
    { label: "event", what: "t" },
  ],
  ["a thought", { is: "text", record, why: "no-envelope" }, { sort: "thought", tone: "plain", label: "plan", why: [] }],
  ["a text with another seal", { is: "text", record, why: "wrong-seal" }, { sort: "text", tone: "bad", label: "text" }],
  ["a text of an unknown recorder", { is: "text", record, why: "unknown-key" }, { tone: "odd" }],
  [
    "a decrypted thought",
    { is: "text", record, why: "no-envelope", content: "decrypted", text: "two" },
    { what: "two", tone: "plain", why: [] },
  ],
  [
    "an altered content",
    { is: "text", record, why: "no-envelope", content: "altered" },
    { what: "", tone: "bad", why: ["contents altered"] },
  ],
  [
    "missing events",
    { is: "missing", session: "s", count: 2 },
    { tone: "bad", what: "2 events of session s", records: [] },
  ],
  ["a session without an end", { is: "not-ended", session: "s" }, { tone: "odd", what: "session s", records: [] }],
  ["an error", { is: "unreadable", value: new Error("no JSON") }, { tone: "bad", why: ["no JSON"], records: [7] }],
  ["a value", { is: "unreadable", value: 1 }, { tone: "bad", why: [], records: [7] }],
])("the row of %s", (_, entry, expected) => {
  expect(rowOf(entry, 7)).toMatchObject(expected);
});

test("a link without digests and a session that another one began have subjects", () => {
  const rowsOf = (event: object): string => rowOf({ is: "event", record, event } as unknown as TrailEntry, 0).what;
  expect(rowsOf({ kind: "link" })).toBe("");
  expect(rowsOf({ kind: "gap", of: "s0" })).toBe("session s0");
});

test("an altered record is marked in its row", async () => {
  const lines = chainOf("t", ["one", "two"]).replace("two", "too");
  const { tasks } = await verifyTasks(parseThoughtLines([Buffer.from(lines)]));
  expect(placesOfProblems(tasks)).toEqual(new Set([1]));
  const row = rowOf({ is: "text", record, why: "no-envelope" }, 1);
  expect(asAltered(row)).toMatchObject({ tone: "bad", why: ["the record has a problem"] });
});

test("a checkpoint follows the records that it covers, and counts where its signature does", () => {
  const origin = "example.com/log";
  const { signerKey, verifierKey } = createNoteKeys(origin, SECRET);
  const head = { size: 1, rootHash: "ab".repeat(32) };
  const witness = createNoteKeys(
    "example.com/witness",
    SECRET.map((byte) => byte + 1),
  );
  const cosigner = createCosigner(witness.signerKey, () => 1_775_000_000);
  const note = createCheckpoint({ origin, ...head }, [createNoteSigner(signerKey), cosigner]);
  const witnesses = [createNoteVerifier(witness.cosignerKey)];
  const trust = { origin, log: createNoteVerifier(verifierKey), witnesses };
  const anchors = [
    anchorIn("t", note, trust),
    anchorIn("t", note, undefined),
    anchorIn("t", note, { ...trust, origin: "example.com/other" }),
    anchorIn("t", "no note", undefined),
  ];
  expect(anchors).toMatchObject([
    { size: 1, tone: "good", says: `signed by ${origin} · witnessed by example.com/witness`, head: { size: 1 } },
    { size: 1, tone: "quiet", says: `of ${origin}; its signature was not checked` },
    { size: 1, tone: "odd", says: expect.stringMatching(/^does not count: /) },
    { size: 0, tone: "odd", says: expect.stringMatching(/^does not count: /) },
  ]);
  const timeline = new Timeline(anchors);
  timeline.add({ is: "text", record, why: "no-envelope" });
  timeline.end();
  expect(timeline.rows.map(({ label, what }) => `${label}: ${what}`)).toEqual([
    "plan: one",
    "checkpoint: the first 1 record",
    "checkpoint: the first 1 record",
    "checkpoint: the first 1 record",
    "checkpoint: the first 0 records",
  ]);
});

test("a time between two timestamps is shown in words, and omitted where they do not determine it", () => {
  const start = "2026-04-01T12:00:00.000Z";
  const after = (ms: number): string => elapsed(start, new Date(Date.parse(start) + ms).toISOString());
  expect([0, 999, 1500, 61_000, 3_725_000].map(after)).toEqual(["0 ms", "999 ms", "1.5 s", "1 min 1 s", "1 h 2 min"]);
  expect([elapsed("morning", start), elapsed(start, ""), after(-1)]).toEqual(["", "", ""]);
});
