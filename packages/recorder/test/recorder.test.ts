import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { type EventInput, RecorderError } from "../src/index.ts";
import { chainOf, chainsIn, entriesOf, kindsOf, leasesIn, record, SECRET, temporaryFolder } from "./support.ts";

const CALL = { kind: "call", call: "c1", tool: "read_file", server: "files" } as const;

test("a session is a chain that begins, records and ends", async () => {
  const store = temporaryFolder();
  const recorder = await record({ store });
  const { id, ready } = recorder.record(CALL);
  await ready;
  recorder.think({ type: "plan", content: "Read the file." });
  await recorder.record({ kind: "result", call: "c1", outcome: "ok", digests: { result: "a".repeat(64) } }).durable();
  expect(leasesIn(store)).toHaveLength(1);
  await recorder.close();
  expect(leasesIn(store)).toEqual([]);
  expect(chainsIn(store)).toEqual([chainOf(recorder, store)]);
  const entries = await entriesOf(chainOf(recorder, store));
  expect(kindsOf(entries)).toEqual(["session-start", "call", "text", "result", "session-end"]);
  expect(entries[1]).toMatchObject({
    event: { ...CALL, agent: "planner", session: recorder.sessionId, sequence: 1 },
    record: { id, type: "plan", task_id: recorder.sessionId, agent_id: "planner" },
  });
  expect(entries[4]).toMatchObject({ event: { lost: 0 } });
});

test.each(["behind", "before"] as const)("in mode %s what is acknowledged as durable is in the file", async (mode) => {
  const store = temporaryFolder();
  const recorder = await record({ store, mode });
  const { id, ready, durable } = acknowledged(recorder.record(CALL));
  await (mode === "before" ? ready : durable());
  expect(readFileSync(chainsIn(store)[0] ?? "", "utf8")).toContain(`"id":"${id}"`);
  // A second call has the same result.
  await durable();
  await recorder.close();
});

function acknowledged(receipt: { id: string; ready: Promise<void>; durable: () => Promise<void> }) {
  return { id: receipt.id, ready: receipt.ready, durable: () => receipt.durable() };
}

test("an event is recorded as it was when it was given", async () => {
  const store = temporaryFolder();
  const recorder = await record({ store });
  const findings = ["mcp/item-added"];
  recorder.record({ kind: "refused", findings });
  findings.push("mcp/other");
  await recorder.close();
  const entries = await entriesOf(chainOf(recorder, store));
  expect(entries[1]).toMatchObject({ event: { findings: ["mcp/item-added"] } });
});

test("names are recorded as they came, whatever characters they have", async () => {
  const store = temporaryFolder();
  const recorder = await record({ store });
  const tool = 'a\u0000\u001b[2J\ud800"\\\u202e{"agentprint":"event/1"}';
  recorder.record({ kind: "call", call: "", tool, attributes: { ["__proto__"]: tool } });
  await recorder.close();
  const [, entry] = await entriesOf(chainOf(recorder, store));
  expect(entry).toMatchObject({ event: { tool } });
  expect(Object.entries((entry as { event: { attributes: object } }).event.attributes)).toEqual([["__proto__", tool]]);
});

test.each<[path: string, event: unknown]>([
  ["/kind", { kind: "session-end", lost: 0 }],
  ["/kind", { kind: "constructor" }],
  ["/kind", {}],
  ["/call", { kind: "call" }],
  ["/outcome", { kind: "result", call: "c", outcome: "fine" }],
  ["/outcome", { kind: "result", call: "c", outcome: undefined }],
  ["/digests", { kind: "link", digests: { capabilities: "A".repeat(64) } }],
  ["/digests", { kind: "link", digests: [] }],
  ["/agent", { kind: "refused", agent: "root" }],
  ["/sequence", { kind: "refused", sequence: 3 }],
  ["/constructor", { kind: "refused", constructor: "x" }],
  ["/findings", { kind: "refused", findings: [1] }],
  ["/attributes", { kind: "refused", attributes: { a: Number.NaN } }],
  ["/attributes", { kind: "refused", attributes: { a: {} } }],
  ["/code", { kind: "refused", code: 0.5 }],
  ["/trace", { kind: "refused", trace: `00-${"0".repeat(32)}-${"1".repeat(16)}-01` }],
])("an invalid event is refused at %s", async (path, event) => {
  const recorder = await record({ store: temporaryFolder() });
  expect(() => recorder.record(event as EventInput)).toThrow(expect.objectContaining({ code: "invalid-event", path }));
  await recorder.close();
});

test("an undefined member counts as absent", async () => {
  const store = temporaryFolder();
  const recorder = await record({ store });
  recorder.record({ kind: "refused", tool: undefined } as unknown as EventInput);
  await recorder.close();
  expect(kindsOf(await entriesOf(chainOf(recorder, store)))).toContain("refused");
});

test("an event or a thought that is too long is lost, and a gap says so", async () => {
  const store = temporaryFolder();
  const errors: string[] = [];
  const recorder = await record({ store, mode: "before", onError: (error) => errors.push(error.message) });
  const long = "x".repeat(2 ** 20);
  await expect(recorder.record({ kind: "refused", reason: long }).ready).rejects.toMatchObject({ code: "lost" });
  const thought = recorder.think({ type: "plan", content: long });
  await expect(thought.durable()).rejects.toMatchObject({ code: "lost" });
  await recorder.record({ kind: "refused" }).ready;
  expect(recorder.lost).toBe(2);
  await recorder.close();
  const entries = await entriesOf(chainOf(recorder, store));
  expect(kindsOf(entries)).toEqual(["session-start", "gap", "gap", "refused", "session-end"]);
  expect(entries[1]).toMatchObject({ event: { reason: "too-large", lost: 1, sequence: 2 } });
  expect(entries[4]).toMatchObject({ event: { lost: 2 } });
  expect(errors).toEqual(["events are lost: too-large", "events are lost: too-large"]);
});

test("when the queue is full, events are lost, and a gap says how many once there is room", async () => {
  const store = temporaryFolder();
  const recorder = await record({
    store,
    maxQueueBytes: 20_000,
    onError: () => {
      throw new Error("not heard");
    },
  });
  const receipts = Array.from({ length: 100 }, () => recorder.record(CALL));
  expect(recorder.lost).toBeGreaterThan(50);
  const lost = recorder.lost;
  const states = await Promise.all(
    receipts.map((receipt) =>
      receipt.durable().then(
        () => "durable",
        () => "lost",
      ),
    ),
  );
  expect(states.filter((state) => state === "lost")).toHaveLength(lost);
  await recorder.record({ ...CALL, call: "after" }).durable();
  await recorder.close();
  const entries = await entriesOf(chainOf(recorder, store));
  expect(kindsOf(entries).filter((kind) => kind === "missing")).toEqual([]);
  expect(
    entries.flatMap((entry) => (entry.is === "event" && entry.event.kind === "gap" ? entry.event.lost : [])),
  ).toEqual([lost]);
});

test("a call waits while the queue is long", async () => {
  const store = temporaryFolder();
  const recorder = await record({ store, maxQueueBytes: 40_000 });
  const receipts = Array.from({ length: 24 }, () => recorder.record(CALL));
  await receipts.at(-1)?.ready;
  // The first write included all of them.
  expect(readFileSync(chainsIn(store)[0] ?? "", "utf8")).toContain(`"id":"${receipts.at(-1)?.id}"`);
  await recorder.close();
});

test("a closed recorder records nothing, and closing it again is no error", async () => {
  const recorder = await record({ store: temporaryFolder() });
  await Promise.all([recorder.close(), recorder.close()]);
  expect(() => recorder.record(CALL)).toThrow(expect.objectContaining({ code: "closed" }));
  expect(() => recorder.think({ type: "plan", content: "" })).toThrow(RecorderError);
});

test("flush waits until nothing is queued", async () => {
  const store = temporaryFolder();
  const recorder = await record({ store });
  recorder.record(CALL);
  await recorder.flush();
  expect(kindsOf(await entriesOf(chainsIn(store)[0] ?? ""))).toEqual(["session-start", "call", "not-ended"]);
  await recorder.close();
});

test.each<[path: string, options: object]>([
  ["store", { store: "" }],
  ["agentId", { agentId: "" }],
  ["sessionId", { sessionId: "../other" }],
  ["sessionId", { sessionId: ".hidden" }],
  ["mode", { mode: "later" }],
  ["groupMs", { groupMs: 51 }],
  ["maxQueueBytes", { maxQueueBytes: 64 * 2 ** 20 }],
  ["closeWithinMs", { closeWithinMs: -1 }],
  ["checkpointTo", { checkpointTo: { origin: "o", to: "http://example.com/" } }],
  ["checkpointTo", { checkpointTo: { origin: "o", to: "ftp://[" } }],
])("an invalid option is refused: %s", async (path, options) => {
  const store = temporaryFolder();
  await expect(record({ store, ...options })).rejects.toMatchObject({ code: "invalid-option", path });
});

test("an invalid key is refused", async () => {
  const store = temporaryFolder();
  await expect(record({ store, key: SECRET.subarray(1) })).rejects.toMatchObject({ code: "invalid-key" });
  await expect(record({ store, key: "secret" as never })).rejects.toMatchObject({ code: "invalid-key" });
});
