import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { setImmediate } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { MessageChannel, Worker } from "node:worker_threads";
import { runProgram } from "@agentprint/testing/programs";
import { createNoteKeys, createNoteSigner } from "@agentprint/trail/checkpoint";
import { expect, onTestFinished, test, vi } from "vitest";
import type { ChainEntry } from "../src/chain/chain.ts";
import { serveChain } from "../src/chain/serve-chains.ts";
import { ThreadChain } from "../src/chain/thread-chain.ts";
import type { RecorderOptions } from "../src/index.ts";
import { chainOf, chainsIn, entriesOf, kindsOf, record, SECRET, temporaryFolder } from "./support.ts";

const CALL = { kind: "call", call: "c1" } as const;
const WITHOUT_THREADS = fileURLToPath(new URL("record-without-threads.ts", import.meta.url));

function recordInThread(options: Partial<RecorderOptions> & { readonly store: string }): ReturnType<typeof record> {
  return record({ ...options, thread: true });
}

/** Returns the messages that are posted to the thread, and the thread. */
function watchThread() {
  const posted = vi.spyOn(Worker.prototype, "postMessage");
  onTestFinished(() => posted.mockRestore());
  return { posted, thread: () => posted.mock.contexts.at(-1) as Worker };
}

/** Returns a chain that this thread serves as another thread would. */
function servedChain(store: string, sessionId = "s1"): ThreadChain {
  const { port1, port2 } = new MessageChannel();
  const options = { store, sessionId, agentId: "planner", withTree: true };
  serveChain({ options, secret: SECRET, port: port2 });
  return new ThreadChain(port1);
}

const thought = (number: number): ChainEntry => ({
  id: `s1.t${number}`,
  type: "plan",
  timestamp: "2026-04-01T00:00:00.000Z",
  text: "Read \u{1F4C4} \ud800.",
  isEvent: false,
});

test("what seals with a secret is written by a thread, and what seals with a signer by the thread that has it", async () => {
  const { posted } = watchThread();
  const { signerKey } = createNoteKeys("example.com/recorder", SECRET);
  for (const [key, jobs] of [
    [SECRET, 1],
    [createNoteSigner(signerKey), 0],
  ] as const) {
    posted.mockClear();
    const recorder = await recordInThread({ store: temporaryFolder(), key });
    await recorder.close();
    expect(posted).toHaveBeenCalledTimes(jobs);
  }
});

test("100 calls at once stand in the chain in the order in which they were recorded", async () => {
  const store = temporaryFolder();
  const recorder = await recordInThread({ store, groupMs: 1 });
  const order: string[] = [];
  await Promise.all(
    Array.from({ length: 100 }, async (_, index) => {
      const call = `c${index}`;
      order.push(recorder.record({ kind: "call", call }).id);
      for (let turns = index % 7; turns >= 0; turns--) await setImmediate();
      order.push(recorder.record({ kind: "result", call, outcome: "ok" }).id);
    }),
  );
  await recorder.close();
  const entries = await entriesOf(chainOf(recorder, store));
  const ids = entries.flatMap((entry) => (entry.is === "event" ? [entry.record.id] : [entry.is]));
  expect(ids.slice(1, -1)).toEqual(order);
});

test("when the thread dies, onError is called, later events count as lost, and the next session reports this one", async () => {
  const { thread } = watchThread();
  const errors: unknown[] = [];
  const store = temporaryFolder();
  const recorder = await recordInThread({ store, closeWithinMs: 50, onError: (error) => errors.push(error) });
  await recorder.record(CALL).durable();
  await thread().terminate();
  const receipt = recorder.record(CALL);
  await expect.poll(() => errors).not.toEqual([]);
  expect(errors).toEqual([expect.objectContaining({ code: "unavailable", message: expect.stringContaining("ended") })]);
  const lost = expect(receipt.durable()).rejects.toMatchObject({ code: "lost" });
  await expect(recorder.close()).rejects.toMatchObject({ code: "lost", message: expect.stringContaining("2 records") });
  await lost;
  expect(kindsOf(await entriesOf(chainsIn(store)[0] ?? ""))).toEqual(["session-start", "call", "not-ended"]);
  // Another thread serves the next session.
  const next = await recordInThread({ store: temporaryFolder() });
  await next.close();
});

test("where the thread ends before it has a chain, the calling thread writes", async () => {
  vi.resetModules();
  const { record: recordAnew } = await import("./support.ts");
  const { posted } = watchThread();
  const { postMessage } = Worker.prototype;
  posted.mockRestore();
  const ending = vi.spyOn(Worker.prototype, "postMessage").mockImplementationOnce(function (this: Worker, ...given) {
    postMessage.apply(this, given);
    void this.terminate();
  });
  onTestFinished(() => ending.mockRestore());
  for (let session = 0; session < 2; session++) {
    const store = temporaryFolder();
    const recorder = await recordAnew({ store, thread: true });
    await recorder.close();
    expect(kindsOf(await entriesOf(chainOf(recorder, store)))).toEqual(["session-start", "session-end"]);
  }
  // The second session does not retry.
  expect(ending).toHaveBeenCalledTimes(1);
});

test("where no thread can be started, the calling thread writes", () => {
  const args = ["--permission", "--allow-fs-read=*", "--allow-fs-write=*"];
  const source = ["--conditions=@agentprint/source", WITHOUT_THREADS, temporaryFolder()];
  const { stdout, stderr } = runProgram(process.execPath, [...args, ...source]);
  expect({ stdout, stderr }).toEqual({ stdout: "session-start call session-end\n", stderr: "" });
});

test("a chain that the thread cannot open is reported, and leaves nothing open", async () => {
  const store = temporaryFolder();
  const recorder = await recordInThread({ store, sessionId: "s1" });
  const closed = vi.spyOn(ThreadChain.prototype, "close");
  onTestFinished(() => closed.mockRestore());
  await expect(recordInThread({ store, sessionId: "s1" })).rejects.toMatchObject({ code: "session-exists" });
  const url = `file:${join(store, "no", "trail.db")}`;
  const cause = { name: "TrailStoreError", code: "unavailable" };
  await expect(recordInThread({ store: url })).rejects.toMatchObject({ code: "unavailable", cause });
  expect(closed).toHaveBeenCalledTimes(2);
  await expect.poll(() => closed.mock.contexts.every((chain) => (chain as ThreadChain).isGone)).toBe(true);
  await recorder.close();
});

test("a write that is spread makes pauses, and the same records", async () => {
  const bytes: Buffer[] = [];
  for (const isSpread of [false, true]) {
    const store = temporaryFolder();
    const chain = servedChain(store);
    await chain.open();
    const begun = performance.now();
    await chain.append(
      Array.from({ length: 200 }, (_, number) => thought(number)),
      isSpread,
    );
    // There are six pauses of a millisecond; a timer may fire a fraction of a millisecond early.
    if (isSpread) expect(performance.now() - begun).toBeGreaterThan(5);
    await chain.close(true);
    const [file] = readdirSync(store).filter((name) => name.endsWith(".jsonl"));
    bytes.push(readFileSync(join(store, file as string)));
  }
  expect(bytes[0]?.length).toBeGreaterThan(200);
  expect(bytes[1]).toEqual(bytes[0]);
});

test("a thread answers each question about a chain", async () => {
  const store = temporaryFolder();
  const chain = servedChain(store);
  await chain.open();
  expect(await chain.findUnended()).toEqual([]);
  await chain.settle([]);
  await chain.append([thought(0), thought(1)]);
  await chain.append([thought(2)]);
  expect(await chain.treeHead()).toMatchObject({ size: 3 });
  await chain.close(true);
  await expect(chain.append([thought(3)])).rejects.toMatchObject({ code: "unavailable" });
  const entries = await entriesOf(join(store, "s1.jsonl"));
  expect(entries).toMatchObject([0, 1, 2].map((number) => ({ is: "text", record: { id: `s1.t${number}` } })));
  expect(entries[0]).toMatchObject({ record: { content: thought(0).text } });
});

test("an error in a thread crosses with its class, its code and its path", async () => {
  const store = temporaryFolder();
  const first = servedChain(store);
  await first.open();
  const second = servedChain(store);
  await expect(second.open()).rejects.toMatchObject({
    name: "RecorderError",
    code: "session-exists",
    path: "sessionId",
  });
  await second.close(false).catch(() => {});
  const database = servedChain(`file:${join(store, "no", "trail.db")}`);
  await expect(database.open()).rejects.toMatchObject({ name: "TrailStoreError", code: "unavailable" });
  await first.close(false);
});
