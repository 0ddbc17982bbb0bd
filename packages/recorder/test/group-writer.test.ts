import { performance } from "node:perf_hooks";
import { createNoteKeys, createNoteSigner } from "@agentprint/trail/checkpoint";
import { expect, onTestFinished, test, vi } from "vitest";
import type { Chain } from "../src/chain/chain.ts";
import { RecorderError } from "../src/index.ts";
import { Receipt } from "../src/recorder/acknowledgement.ts";
import { EventQueue, type QueueEntry } from "../src/recorder/event-queue.ts";
import { GroupWriter } from "../src/recorder/group-writer.ts";
import { chainOf, entriesOf, kindsOf, record, SECRET, temporaryFolder } from "./support.ts";

/** Returns a writer to a chain whose `append` is this function. */
function writerOf(append: Chain["append"], groupMs = 0) {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const queue = new EventQueue(2 ** 20);
  const failures: unknown[] = [];
  const takenOver = vi.fn<(error: RecorderError, givenUp: readonly QueueEntry[]) => void>();
  const writer = new GroupWriter({
    queue,
    chain: { append } as Chain,
    groupMs,
    onWritten: () => {},
    onFailure: (error) => failures.push(error),
    onTakenOver: takenOver,
  });
  const push = (text = "x"): Receipt => {
    const receipt = new Receipt("r");
    queue.push({ receipt, id: "r", type: "plan", timestamp: "", text, isEvent: false });
    writer.wake();
    return receipt;
  };
  return { writer, push, failures, takenOver };
}

test("after an outage the pauses begin again, and the next failure is reported", async () => {
  const attempts: number[] = [];
  let isDown = true;
  const { writer, push, failures } = writerOf(async () => {
    attempts.push(Date.now());
    if (isDown) throw new Error("down");
  });
  await writer.begin();
  for (const outage of [1, 2, 3]) {
    isDown = true;
    attempts.length = 0;
    const receipt = push();
    const begun = Date.now();
    await vi.advanceTimersByTimeAsync(20_000);
    expect(failures).toHaveLength(outage);
    const after = attempts.map((time) => time - begun);
    expect(after.slice(0, 8)).toEqual([0, 50, 150, 350, 750, 1_550, 3_150, 6_350]);
    isDown = false;
    await vi.advanceTimersByTimeAsync(5_000);
    await receipt.durable();
  }
});

test("a write is spread where events are gathered, unless someone waits for it", async () => {
  const isSpread: (boolean | undefined)[] = [];
  const append: Chain["append"] = async (_, spread) => void isSpread.push(spread);
  for (const groupMs of [0, 20]) {
    const { writer, push } = writerOf(append, groupMs);
    await writer.begin();
    push();
    await vi.advanceTimersByTimeAsync(groupMs);
    push();
    writer.wake(true);
    await vi.advanceTimersByTimeAsync(0);
  }
  expect(isSpread).toEqual([false, false, true, false]);
});

test("what finds no room is split until it does, and reported once", async () => {
  const written: number[] = [];
  let room = 5;
  const { writer, push, failures } = writerOf(async (entries) => {
    if (entries.length > room) throw Object.assign(new Error("no room"), { code: "ENOSPC" });
    room -= entries.length;
    written.push(entries.length);
  });
  await writer.begin();
  const receipts = Array.from({ length: 40 }, () => push());
  await vi.advanceTimersByTimeAsync(1);
  await Promise.all(receipts.slice(0, 5).map((receipt) => receipt.durable()));
  expect(room).toBe(0);
  room = 1_000;
  await vi.advanceTimersByTimeAsync(10_000);
  await Promise.all(receipts.map((receipt) => receipt.durable()));
  expect(written.reduce((sum, count) => sum + count)).toBe(40);
  expect(failures).toHaveLength(1);
});

test("a failure of another sort splits nothing", async () => {
  const sizes: number[] = [];
  const { writer, push } = writerOf(async (entries) => {
    sizes.push(entries.length);
    throw new Error("down");
  });
  await writer.begin();
  for (let entry = 0; entry < 8; entry++) push();
  await vi.advanceTimersByTimeAsync(1_000);
  expect(new Set(sizes)).toEqual(new Set([8]));
});

test("a session that was taken over is given up at once, and nothing is tried again", async () => {
  const append = vi.fn(async () => {
    throw new RecorderError("taken-over", "taken");
  });
  const { writer, push, failures, takenOver } = writerOf(append);
  await writer.begin();
  const receipts = [push(), push()];
  // A caller that does not wait is unaffected; otherwise, vitest would fail because of an unhandled rejection.
  for (const receipt of receipts) void receipt.durable();
  await vi.advanceTimersByTimeAsync(60_000);
  for (const receipt of receipts) await expect(receipt.durable()).rejects.toMatchObject({ code: "lost" });
  expect(append).toHaveBeenCalledTimes(1);
  expect(failures).toEqual([]);
  expect(takenOver).toHaveBeenCalledExactlyOnceWith(
    expect.objectContaining({ code: "taken-over" }),
    expect.objectContaining({ length: 2 }),
  );
});

test("a signer that takes long is no store that is stuck: calls wait, and nothing is lost", async () => {
  const store = temporaryFolder();
  const signer = createNoteSigner(createNoteKeys("k", SECRET).signerKey);
  let slow = 0;
  const sign: typeof signer.sign = (message) => {
    for (const until = performance.now() + (slow-- > 0 ? 60 : 0); performance.now() < until; );
    return signer.sign(message);
  };
  const errors: string[] = [];
  const key = { ...signer, sign };
  const recorder = await record({ store, key, maxQueueBytes: 60_000, onError: ({ message }) => errors.push(message) });
  // The first long queue is written at once, and signing it takes more than a second.
  slow = 20;
  for (let event = 0; event < 72; event++) {
    await recorder.record({ kind: "asked", reason: "x".repeat(1_200) }).ready;
  }
  await recorder.close();
  expect({ lost: recorder.lost, errors }).toEqual({ lost: 0, errors: [] });
  expect(kindsOf(await entriesOf(chainOf(recorder, store)))).toHaveLength(74);
});
