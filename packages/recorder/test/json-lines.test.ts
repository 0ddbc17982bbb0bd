import {
  appendFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { createNoteKeys, createNoteSigner } from "@agentprint/trail/checkpoint";
import { expect, onTestFinished, test, vi } from "vitest";
import type { Recorder } from "../src/index.ts";
import { MACHINE } from "../src/sink/machine.ts";
import { chainOf, entriesOf, fileHandles, kindsOf, leasesIn, record, SECRET, temporaryFolder } from "./support.ts";

/** The id of a process that does not exist: it is larger than any id that a system assigns. */
const NOBODY = 4_194_305;

/** Leaves a session's lease behind, as a killed process does. */
function leaveLease(store: string, session: string, writer = `${NOBODY}-${MACHINE}`): string {
  const path = join(store, `${session}.${writer}-0.open`);
  writeFileSync(path, "\n");
  return path;
}

/** Leaves a chain behind, as a killed process does; returns its session, its path and its lease's path. */
async function leaveBehind(store: string, writer?: string): Promise<{ session: string; path: string; lease: string }> {
  const recorder = await record({ store });
  recorder.record({ kind: "call", call: "c1" });
  await recorder.flush();
  const path = chainOf(recorder, store);
  const text = readFileSync(path);
  await recorder.close();
  writeFileSync(path, text);
  return { session: recorder.sessionId, path, lease: leaveLease(store, recorder.sessionId, writer) };
}

async function gapsOf(recorder: Recorder, store: string): Promise<object[]> {
  await recorder.close();
  const entries = await entriesOf(chainOf(recorder, store));
  return entries.flatMap((entry) => (entry.is === "event" && entry.event.kind === "gap" ? [entry.event] : []));
}

test("a session without an end is reported at the next start, and once", async () => {
  const store = temporaryFolder();
  const { session } = await leaveBehind(store);
  const next = await record({ store });
  expect(next.unended).toMatchObject([{ session, cut: 0 }]);
  const head = JSON.parse(
    readFileSync(join(store, `${session}.jsonl`), "utf8")
      .trimEnd()
      .split("\n")
      .at(-1) ?? "",
  ).hash;
  expect(await gapsOf(next, store)).toMatchObject([
    { reason: "session-not-ended", lost: 0, of: session, head, cut: 0 },
  ]);
  expect(kindsOf(await entriesOf(join(store, `${session}.jsonl`)))).toEqual(["session-start", "call", "not-ended"]);
  const last = await record({ store });
  expect(last.unended).toEqual([]);
  await last.close();
});

test("half a line at the end is cut, and reported", async () => {
  const store = temporaryFolder();
  const { session, path } = await leaveBehind(store);
  const { size } = statSync(path);
  appendFileSync(path, `{"agent_id":"planner","content":"${"x".repeat(100_000)}`);
  const next = await record({ store });
  expect(await gapsOf(next, store)).toMatchObject([{ of: session, cut: 100_033 }]);
  expect(statSync(join(store, `${session}.jsonl`)).size).toBe(size);
});

test("a chain that ends with half of its first line has no head", async () => {
  const store = temporaryFolder();
  leaveLease(store, "s0");
  writeFileSync(join(store, "s0.jsonl"), '{"agent');
  const next = await record({ store });
  expect(next.unended).toEqual([{ session: "s0", head: undefined, cut: 7 }]);
  await next.close();
  expect(readFileSync(join(store, "s0.jsonl"), "utf8")).toBe("");
});

test("a chain whose last line is no record has no head", async () => {
  const store = temporaryFolder();
  leaveLease(store, "s0");
  writeFileSync(join(store, "s0.jsonl"), "{}\n");
  const next = await record({ store });
  expect(next.unended).toEqual([{ session: "s0", head: undefined, cut: 0 }]);
  await next.close();
});

test("an empty chain that was left behind has recorded nothing, and stays, so that no other process gets its name", async () => {
  const store = temporaryFolder();
  const lease = leaveLease(store, "s0");
  writeFileSync(join(store, "s0.jsonl"), "");
  const next = await record({ store });
  expect(next.unended).toEqual([]);
  await next.close();
  expect([existsSync(lease), existsSync(join(store, "s0.jsonl"))]).toEqual([false, true]);
  await expect(record({ store, sessionId: "s0" })).rejects.toMatchObject({ code: "session-exists" });
});

test("a chain that someone deleted before its end is reported", async () => {
  const store = temporaryFolder();
  leaveLease(store, "s0");
  const next = await record({ store });
  expect(next.unended).toEqual([{ session: "s0", head: undefined, cut: 0 }]);
  await next.close();
});

test("a session that has its end, and still its lease, is not reported", async () => {
  const store = temporaryFolder();
  const recorder = await record({ store });
  await recorder.close();
  const lease = leaveLease(store, recorder.sessionId);
  const next = await record({ store });
  expect(next.unended).toEqual([]);
  expect(existsSync(lease)).toBe(false);
  await next.close();
});

test("a thought that reads like an end ends no session", async () => {
  const store = temporaryFolder();
  const recorder = await record({ store });
  await recorder.close();
  const end = (await entriesOf(chainOf(recorder, store))).at(-1);
  const content = end?.is === "event" ? end.record.content : "";
  const other = await record({ store });
  other.think({ type: "reflection", content });
  await other.flush();
  const text = readFileSync(chainOf(other, store));
  await other.close();
  writeFileSync(chainOf(other, store), text);
  leaveLease(store, other.sessionId);
  const next = await record({ store });
  expect(next.unended).toMatchObject([{ session: other.sessionId }]);
  await next.close();
});

test("the chain of a process that runs, of this one or another, is left alone", async () => {
  const store = temporaryFolder();
  const running = await record({ store });
  await leaveBehind(store, `${process.ppid}-${MACHINE}`);
  const next = await record({ store });
  expect(next.unended).toEqual([]);
  await Promise.all([running.close(), next.close()]);
});

test("the chain of an earlier process that had the id of this one is reported", async () => {
  const store = temporaryFolder();
  const { session, lease } = await leaveBehind(store, `${process.pid}-${MACHINE}`);
  utimesSync(lease, 0, 0);
  const next = await record({ store });
  expect(next.unended).toMatchObject([{ session }]);
  await next.close();
});

test("the chain of another machine is reported once it was not touched for minutes", async () => {
  const store = temporaryFolder();
  const { session, lease } = await leaveBehind(store, "1-00000000");
  const early = await record({ store });
  expect(early.unended).toEqual([]);
  await early.close();
  utimesSync(lease, new Date(), new Date(Date.now() - 400_000));
  const late = await record({ store });
  expect(late.unended).toMatchObject([{ session }]);
  await late.close();
});

test("of two recorders that start at once, one reports it", async () => {
  const store = temporaryFolder();
  await leaveBehind(store);
  const both = await Promise.all([record({ store }), record({ store })]);
  expect(both.flatMap(({ unended }) => unended)).toHaveLength(1);
  await Promise.all(both.map((recorder) => recorder.close()));
});

test("a session id is used once", async () => {
  const store = temporaryFolder();
  const recorder = await record({ store, sessionId: "s1" });
  await expect(record({ store, sessionId: "s1" })).rejects.toMatchObject({ code: "session-exists", path: "sessionId" });
  await recorder.close();
  await expect(record({ store, sessionId: "s1" })).rejects.toMatchObject({
    code: "session-exists",
    message: `${store} already has session "s1": give each run its own sessionId, such as "s1-2", or none, for a UUID`,
  });
});

test("a store that is no folder is unavailable", async () => {
  const file = join(temporaryFolder(), "file");
  writeFileSync(file, "");
  await expect(record({ store: join(file, "trails") })).rejects.toMatchObject({ code: "unavailable" });
});

test("a chain that cannot be read makes the folder unavailable, and its session stays without an end", async () => {
  const store = temporaryFolder();
  leaveLease(store, "s0");
  mkdirSync(join(store, "s0.jsonl"));
  await expect(record({ store })).rejects.toMatchObject({ code: "unavailable", cause: { code: "EISDIR" } });
  expect(leasesIn(store)).toEqual([`s0.${process.pid}-${MACHINE}-1.open`]);
  expect(readdirSync(store)).toHaveLength(2);
});

test("half of a write that found no room is cut before the next one, and nothing is lost", async () => {
  const store = temporaryFolder();
  const errors: string[] = [];
  const recorder = await record({ store, onError: ({ message }) => errors.push(message) });
  const handles = await fileHandles();
  const write: (bytes: Uint8Array, offset: number, length: number, position: number) => Promise<object> = handles.write;
  const sizes: number[] = [];
  const spy = vi.spyOn(handles, "write").mockImplementation(function (this: unknown, ...given: unknown[]) {
    const [bytes, offset, length, position] = given as Parameters<typeof write>;
    const room = sizes.length === 0 ? Math.floor(length / 2) : length;
    sizes.push(statSync(chainOf(recorder, store)).size);
    return write.call(this, bytes, offset, room, position) as never;
  });
  onTestFinished(() => spy.mockRestore());
  const receipts = ["c1", "c2", "c3"].map((call) => recorder.record({ kind: "call", call }));
  await Promise.all(receipts.map((receipt) => receipt.durable()));
  expect(errors).toEqual([expect.stringMatching(/ENOSPC: there was room for \d+ of \d+ bytes$/)]);
  expect(sizes[1]).toBe(sizes[0]);
  await recorder.close();
  const entries = await entriesOf(chainOf(recorder, store));
  expect(kindsOf(entries)).toEqual(["session-start", "call", "call", "call", "session-end"]);
});

test("a chain that is deleted while it is written acknowledges nothing more", async () => {
  const store = temporaryFolder();
  const errors: string[] = [];
  const recorder = await record({ store, closeWithinMs: 100, onError: ({ message }) => errors.push(message) });
  rmSync(chainOf(recorder, store));
  const receipt = recorder.record({ kind: "call", call: "c1" });
  const closed = recorder.close();
  await expect(receipt.durable()).rejects.toMatchObject({ code: "lost" });
  await expect(closed).rejects.toMatchObject({ code: "lost" });
  expect(errors).toEqual([expect.stringMatching(/^the store does not write: .* was deleted while it was written$/)]);
});

test("another key tells every session as not ended, and reads no event", async () => {
  const store = temporaryFolder();
  const recorder = await record({ store, key: SECRET.map((byte) => byte + 1) });
  await recorder.close();
  expect(kindsOf(await entriesOf(chainOf(recorder, store)))).toEqual(["text", "text"]);
});

test("a chain that another process has taken over is left to it", async () => {
  const store = temporaryFolder();
  symlinkSync("nowhere", join(store, `s0.${NOBODY}-${MACHINE}-0.open`));
  const next = await record({ store });
  expect(next.unended).toEqual([]);
  await next.close();
});

test("a lease that cannot be looked at makes the folder unavailable, and nothing is left in it", async () => {
  const store = temporaryFolder();
  const name = `s0.${NOBODY}-${MACHINE}-0.open`;
  symlinkSync(name, join(store, name));
  await expect(record({ store })).rejects.toMatchObject({ code: "unavailable", cause: { code: "ELOOP" } });
  expect(readdirSync(store)).toEqual([name]);
});

test("events that are long together take several writes", async () => {
  const store = temporaryFolder();
  const recorder = await record({ store });
  const receipts = Array.from({ length: 5 }, () => recorder.record({ kind: "asked", reason: "x".repeat(900_000) }));
  await Promise.all(receipts.map((receipt) => receipt.durable()));
  await recorder.close();
  expect(await entriesOf(chainOf(recorder, store))).toHaveLength(7);
});

test("a key that cannot seal makes the store unavailable", async () => {
  const store = temporaryFolder();
  const signer = createNoteSigner(createNoteKeys("k", SECRET).signerKey);
  const sign = (): never => {
    throw new Error("the key server is gone");
  };
  await expect(record({ store, key: { ...signer, sign } })).rejects.toMatchObject({ code: "unavailable" });
  expect(readdirSync(store)).toEqual([]);
});
