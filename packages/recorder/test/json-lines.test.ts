import {
  appendFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { createNoteKeys, createNoteSigner } from "@agentprint/trail/checkpoint";
import { expect, test } from "vitest";
import type { Recorder } from "../src/index.ts";
import { openName } from "../src/sink/chain-files.ts";
import { MACHINE } from "../src/sink/machine.ts";
import { chainOf, chainsIn, entriesOf, kindsOf, record, SECRET, temporaryFolder } from "./support.ts";

/** The id of a process that does not exist: larger than any system gives. */
const NOBODY = 4_194_305;

/** Leaves a chain behind as if the process had been killed; returns its session and its path. */
async function leaveBehind(store: string, writer = `${NOBODY}-${MACHINE}`): Promise<{ session: string; path: string }> {
  const recorder = await record({ store });
  recorder.record({ kind: "call", call: "c1" });
  await recorder.flush();
  const from = join(store, openName(recorder.sessionId));
  const text = readFileSync(from);
  await recorder.close();
  rmSync(chainOf(recorder, store));
  const path = join(store, `${recorder.sessionId}.${writer}.open.jsonl`);
  writeFileSync(path, text);
  return { session: recorder.sessionId, path };
}

async function gapsOf(recorder: Recorder, store: string): Promise<object[]> {
  await recorder.close();
  const entries = await entriesOf(chainOf(recorder, store));
  return entries.flatMap((entry) => (entry.is === "event" && entry.event.kind === "gap" ? [entry.event] : []));
}

test("a session without an end is told at the next start, and once", async () => {
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

test("half a line at the end is cut, and told", async () => {
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
  const path = join(store, `s0.${NOBODY}-${MACHINE}.open.jsonl`);
  writeFileSync(path, '{"agent');
  const next = await record({ store });
  expect(next.unended).toEqual([{ session: "s0", head: undefined, cut: 7 }]);
  await next.close();
  expect(existsSync(join(store, "s0.jsonl"))).toBe(false);
});

test("a chain whose last line is no record has no head", async () => {
  const store = temporaryFolder();
  writeFileSync(join(store, `s0.${NOBODY}-${MACHINE}.open.jsonl`), "{}\n");
  const next = await record({ store });
  expect(next.unended).toEqual([{ session: "s0", head: undefined, cut: 0 }]);
  await next.close();
});

test("an empty chain that was left behind has recorded nothing, and is deleted", async () => {
  const store = temporaryFolder();
  writeFileSync(join(store, `s0.${NOBODY}-${MACHINE}.open.jsonl`), "");
  const next = await record({ store });
  expect(next.unended).toEqual([]);
  await next.close();
  expect(chainsIn(store)).toEqual([chainOf(next, store)]);
});

test("a session that has its end, and only not its last name, is not told", async () => {
  const store = temporaryFolder();
  const recorder = await record({ store });
  await recorder.close();
  renameSync(chainOf(recorder, store), join(store, `${recorder.sessionId}.${NOBODY}-${MACHINE}.open.jsonl`));
  const next = await record({ store });
  expect(next.unended).toEqual([]);
  expect(existsSync(chainOf(recorder, store))).toBe(true);
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
  const text = readFileSync(join(store, openName(other.sessionId)));
  await other.close();
  rmSync(chainOf(other, store));
  writeFileSync(join(store, `${other.sessionId}.${NOBODY}-${MACHINE}.open.jsonl`), text);
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

test("the chain of an earlier process that had the id of this one is told", async () => {
  const store = temporaryFolder();
  const { session, path } = await leaveBehind(store, `${process.pid}-${MACHINE}`);
  utimesSync(path, 0, 0);
  const next = await record({ store });
  expect(next.unended).toMatchObject([{ session }]);
  await next.close();
});

test("the chain of another machine is told once it was not touched for minutes", async () => {
  const store = temporaryFolder();
  const { session, path } = await leaveBehind(store, "1-00000000");
  const early = await record({ store });
  expect(early.unended).toEqual([]);
  await early.close();
  utimesSync(path, new Date(), new Date(Date.now() - 400_000));
  const late = await record({ store });
  expect(late.unended).toMatchObject([{ session }]);
  await late.close();
});

test("of two recorders that start at once, one tells", async () => {
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
  await expect(record({ store, sessionId: "s1" })).rejects.toMatchObject({ code: "session-exists" });
});

test("a store that is no folder is unavailable", async () => {
  const file = join(temporaryFolder(), "file");
  writeFileSync(file, "");
  await expect(record({ store: join(file, "trails") })).rejects.toMatchObject({ code: "unavailable" });
});

test("a chain that is deleted while it is written acknowledges nothing more", async () => {
  const store = temporaryFolder();
  const errors: string[] = [];
  const recorder = await record({ store, closeWithinMs: 100, onError: ({ message }) => errors.push(message) });
  rmSync(join(store, openName(recorder.sessionId)));
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

test("a chain that another process took meanwhile is left to it", async () => {
  const store = temporaryFolder();
  symlinkSync("nowhere", join(store, `s0.${NOBODY}-${MACHINE}.open.jsonl`));
  const next = await record({ store });
  expect(next.unended).toEqual([]);
  await next.close();
});

test("a chain that cannot be looked at makes the folder unavailable, and nothing is left in it", async () => {
  const store = temporaryFolder();
  const name = `s0.${NOBODY}-${MACHINE}.open.jsonl`;
  symlinkSync(name, join(store, name));
  await expect(record({ store })).rejects.toMatchObject({ code: "unavailable", cause: { code: "ELOOP" } });
  expect(readdirSync(store)).toEqual([name]);
});

test("a session without an end that cannot get its last name is told, and the failure, too", async () => {
  const store = temporaryFolder();
  const { session } = await leaveBehind(store);
  mkdirSync(join(store, `${session}.jsonl`));
  const errors: string[] = [];
  const next = await record({ store, onError: ({ message }) => errors.push(message) });
  expect(next.unended).toMatchObject([{ session }]);
  expect(errors).toEqual([expect.stringMatching(/^sessions without an end will be told again: E/)]);
  await next.close();
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
