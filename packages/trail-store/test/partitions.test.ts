import { collect, postgresDatabases } from "@agentprint/testing/trail/backends";
import {
  log,
  openPartitioned,
  options,
  other,
  type PartitionedStore,
  thought,
  trusting,
} from "@agentprint/testing/trail/partitioned-store";
import { createNoteSigner, signNote } from "@agentprint/trail/checkpoint";
import type pg from "pg";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { openTrailStore, type StoreChainReport, type TrailStore } from "../src/index.ts";

/** Selects the locks for which connections to this database wait. */
const WAITING =
  "select from pg_locks join pg_stat_activity using (pid) where not granted and datname = current_database()";

const databases = postgresDatabases();
const isDropped = (message: string) =>
  expect.arrayContaining([
    expect.objectContaining({ kind: "dropped-records", message: expect.stringContaining(message) }),
  ]);

let url: string;
let open: PartitionedStore;
let store: TrailStore;
let owner: pg.Client;
let before: Date;

beforeAll(databases.start);
afterAll(databases.stop);

beforeEach(async () => {
  url = await databases.create();
  open = await openPartitioned(url);
  ({ store, owner } = open);
});
afterEach(() => open.close());

async function endPartition(tasks: Readonly<Record<string, number>>, inMs?: number): Promise<void> {
  before = await open.endPartition(tasks, inMs);
}

async function cover(keys = log): Promise<string[]> {
  return (await collect(store.checkpointBefore(before, (taskId) => options(taskId, keys)))).map(({ note }) => note);
}

const drop = async (): Promise<unknown> => owner.query("drop table thoughts_old");
const verified = (taskId = "t"): Promise<StoreChainReport> => store.verify(taskId, trusting);

test("a range that a checkpoint covers is dropped, and what follows is verified", async () => {
  await endPartition({ t: 5, ended: 3 });
  const [ended, note] = await cover();
  const first = (await collect(store.read("t")))[0];
  const last = await store.head("t");
  await store.appendAll([thought, thought]);
  await store.checkpoint("t", options("t"));
  expect(await verified()).toMatchObject({ ok: true, length: 7, checkpointed: 7 });
  await drop();
  const dropped = { size: 5, firstHash: first?.hash, lastHash: last?.hash };
  expect(await verified()).toMatchObject({ ok: true, length: 2, checkpointed: 7, storeProblems: [], dropped });
  await store.append(thought);
  await store.checkpoint("t", options("t"));
  expect(await verified()).toMatchObject({ ok: true, length: 3, checkpointed: 8, dropped });
  // A task without remaining records continues after its last hash.
  expect(await verified("ended")).toMatchObject({ ok: true, length: 0, dropped: { size: 3 } });
  expect(await store.head("ended")).toBeNull();
  await store.append({ ...thought, task_id: "ended" });
  expect(await verified("ended")).toMatchObject({ ok: true, length: 1, checkpointed: 3, dropped: { size: 3 } });
  expect(await store.verify(undefined, trusting)).toMatchObject({ ok: true, length: 4 });
  expect(await store.checkpoints("ended")).toEqual([ended]);
  expect(await store.checkpoints("t")).toContain(note);
});

test("a second partition is dropped behind the first", async () => {
  await endPartition({ t: 5 });
  await cover();
  await drop();
  await endPartition({ t: 4 });
  await cover();
  await store.append(thought);
  await drop();
  expect(await verified()).toMatchObject({ ok: true, length: 1, checkpointed: 9, dropped: { size: 9 } });
  expect(await collect(store.checkpointBefore(before, options))).toEqual([]);
});

test("without a checkpoint, the dropped range is a problem that names it", async () => {
  await endPartition({ t: 5, ended: 3 });
  await store.appendAll([thought, thought]);
  await drop();
  const report = await verified();
  expect(report).toMatchObject({ ok: false, firstBadIndex: 0, counts: { "missing-genesis": 1 } });
  expect(report.storeProblems).toEqual(isDropped("records 0 to 4"));
  const whole = await store.verify(undefined, trusting);
  expect(whole.tasks[0]).toMatchObject({ taskId: "ended", ok: false, storeProblems: isDropped("records 0 to 2") });
});

test("a checkpoint of fewer records than were dropped does not cover them", async () => {
  await endPartition({ t: 5 });
  await cover();
  await drop();
  await endPartition({ t: 4 });
  await store.append(thought);
  await drop();
  expect((await verified()).storeProblems).toEqual(isDropped("records 0 to 8"));
});

test("a part of what a checkpoint covers cannot be dropped unseen", async () => {
  await endPartition({ t: 3 });
  await store.appendAll([thought, thought]);
  before = await open.clock(1);
  while ((await open.clock()) < before);
  await cover();
  await store.append(thought);
  await drop();
  expect(await verified()).toMatchObject({
    ok: false,
    firstBadIndex: 0,
    counts: { "missing-genesis": 1 },
    storeProblems: isDropped("records 0 to 2"),
  });
});

test("the last partition cannot be dropped unseen", async () => {
  await endPartition({ t: 5 });
  await store.appendAll([thought, thought]);
  await owner.query("drop table thoughts_default");
  expect(await verified()).toMatchObject({ ok: false, storeProblems: isDropped("records 5 to 6") });
});

test.each([
  ["altered", "update thoughts_default set content = 'x' where position = 6"],
  [
    "broken-link",
    "update thoughts_default set position = 113 - position where position in (6, 7); update thoughts_default set position = position - 100 where position > 100",
  ],
  ["broken-link", "delete from thoughts_default where position = 6"],
  ["missing-genesis", "delete from thoughts_default where position = 5"],
])("a record that was changed in the remaining part is %s", async (kind, change) => {
  await endPartition({ t: 5 });
  await cover();
  await store.appendAll(
    [thought, thought, thought, thought].map((input, index) => ({ ...input, content: `${index}` })),
  );
  await drop();
  await owner.query(
    `alter table thoughts_default disable trigger user; ${change}; alter table thoughts_default enable trigger user`,
  );
  const { ok, counts } = await verified();
  expect([ok, counts[kind as keyof typeof counts]]).toEqual([false, expect.any(Number)]);
  expect(counts[kind as keyof typeof counts]).toBeGreaterThan(0);
});

describe("a checkpoint proves nothing", () => {
  test("that another key signed", async () => {
    await endPartition({ t: 5 });
    await cover(other);
    await store.append(thought);
    await drop();
    const report = await verified();
    expect(report.storeProblems).toEqual(isDropped("records 0 to 4"));
    expect(report.storeProblems).toEqual(
      expect.arrayContaining([expect.objectContaining({ kind: "untrusted-checkpoints" })]),
    );
  });

  test("whose text was changed after it was signed, or whose range does not lead to its root", async () => {
    await endPartition({ t: 5 });
    const [note = ""] = await collect(
      (await openTrailStore(url)).checkpointBefore(before, options) as AsyncIterable<{ note: string }>,
    ).then((all) => all.map((each) => each.note));
    const text = `${note.split("\n\n")[0]}\n`;
    const forged = text.replace(/^last-record \S+/m, `last-record ${Buffer.alloc(32).toString("base64")}`);
    const signer = createNoteSigner(log.signerKey);
    await expect(store.addCheckpoint("t", signNote(forged, [signer]))).rejects.toMatchObject({
      code: "invalid-checkpoint",
    });
    await owner.query(
      "alter table checkpoints disable trigger all; delete from checkpoints; alter table checkpoints enable trigger all",
    );
    await store.addCheckpoint(
      "t",
      note.replace(/\n\n(\u2014 \S+ ).*$/s, `\n\n$1${Buffer.alloc(68, 7).toString("base64")}\n`),
    );
    await store.append(thought);
    await drop();
    expect((await verified()).storeProblems).toEqual(isDropped("records 0 to 4"));
  });

  test("to who trusts nobody", async () => {
    await endPartition({ t: 5 });
    await cover();
    await store.append(thought);
    await drop();
    const report = await store.verify("t");
    expect(report).toMatchObject({ ok: false, problemCount: 0, dropped: { size: 5 } });
    expect(report.storeProblems).toMatchObject([{ kind: "untrusted-checkpoints" }]);
  });
});

test("two writers at the end of a partition leave the start of the chain in it, and all of it is covered", async () => {
  await endPartition({ t: 1 }, 1000);
  const second = await openTrailStore(url);
  let isOver = false;
  const write = async (each: TrailStore): Promise<void> => {
    while (!isOver) await each.append(thought);
  };
  const placesIn = async (table: string): Promise<{ count: number; first: number; last: number }> =>
    (await owner.query(`select count(*)::int, min(position)::int as first, max(position)::int as last from ${table}`))
      .rows[0];
  const coverMeanwhile = async (): Promise<string[]> => {
    while ((await placesIn("thoughts_default")).count < 10);
    return cover();
  };
  const covered = coverMeanwhile().finally(() => {
    isOver = true;
  });
  const [[note]] = await Promise.all([covered, write(store), write(second)]);
  const [old, rest] = [await placesIn("thoughts_old"), await placesIn("thoughts_default")];
  expect([old.first, old.last, rest.first]).toEqual([0, old.count - 1, old.count]);
  expect(note).toContain(`t\n${old.count}\n`);
  await drop();
  expect(await verified()).toMatchObject({ ok: true, length: rest.count, dropped: { size: old.count } });
  await second.close();
});

test("a transaction that is not over when its time is covered is waited for", async () => {
  await store.append(thought);
  let covered: Promise<string[]> | undefined;
  await store.transact(async ({ append }) => {
    await append(thought);
    before = await open.clock(1);
    while ((await open.clock()) < before);
    covered = cover();
    while ((await owner.query(WAITING)).rowCount === 0);
  });
  expect((await covered)?.[0]).toMatch(/^t\n2\n/);
});

test("covering again signs the same, and a chain with a problem is not signed", async () => {
  await endPartition({ t: 5 });
  const notes = await cover();
  expect(await cover()).toEqual(notes);
  expect(await store.checkpoints("t")).toEqual(notes);
  await owner.query(
    "alter table thoughts_old disable trigger user; update thoughts_old set content = 'x' where position = 2",
  );
  await expect(cover()).rejects.toMatchObject({ code: "invalid-trail" });
  await expect(collect(store.checkpointBefore(new Date(Date.now() + 1e7), options))).rejects.toMatchObject({
    code: "invalid-time",
  });
});
