import { collect, postgresDatabases } from "@agentprint/testing/trail/backends";
import {
  log,
  openPartitioned,
  options,
  other,
  type PartitionedStore,
  thought,
  trust,
  trusting,
} from "@agentprint/testing/trail/partitioned-store";
import type pg from "pg";
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import { openTrailStore, readAgain, type StoreChainReport, type TrailStore, TrailStoreError } from "../src/index.ts";

/** Selects the locks for which connections to this database wait. */
const WAITING =
  "select from pg_locks join pg_stat_activity using (pid) where not granted and datname = current_database()";

const databases = postgresDatabases();

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

const verified = (taskId = "t"): Promise<StoreChainReport> => store.verify(taskId, trusting);

const left = async (): Promise<string[]> =>
  (
    await owner.query(
      "select relname from pg_inherits join pg_class on oid = inhrelid where inhparent = 'thoughts'::regclass order by 1",
    )
  ).rows.map(({ relname }) => relname);

test("drops what a trusted checkpoint covers, and nothing before", async () => {
  await endPartition({ t: 5, ended: 3 });
  await store.append(thought);
  const partition = { name: "thoughts_old", from: null, to: before.toISOString().replace("Z", "+00:00"), records: 8 };
  const [found] = await store.partitionsBefore(before);
  expect({ ...found, to: new Date(String(found?.to)) }).toEqual({ ...partition, to: before });
  const refused = { code: "not-droppable", message: expect.stringContaining("not covered by an accepted checkpoint") };
  await expect(store.dropBefore(before, trust)).rejects.toMatchObject(refused);
  await cover(other);
  await expect(store.dropBefore(before, trust)).rejects.toMatchObject(refused);
  await cover();
  await expect(store.dropBefore(before, (task) => trust(`${task}x`))).rejects.toMatchObject(refused);
  expect(await left()).toEqual(["thoughts_default", "thoughts_old"]);
  expect(await store.partitionsBefore(new Date(before.getTime() - 1))).toEqual([]);
  await store.dropBefore(new Date(before.getTime() - 1), trust);
  expect(await left()).toEqual(["thoughts_default", "thoughts_old"]);
  await store.dropBefore(before, trust);
  expect(await left()).toEqual(["thoughts_default"]);
  await store.dropBefore(before, trust);
  expect(await store.partitionsBefore(before)).toEqual([]);
  expect(await verified()).toMatchObject({ ok: true, length: 1, dropped: { size: 5 } });
  expect(await verified("ended")).toMatchObject({ ok: true, length: 0, dropped: { size: 3 } });
});

test("refuses a row that came after the checkpoint, and a time that is not over", async () => {
  await endPartition({ t: 5 });
  await cover();
  await owner.query(`insert into thoughts select 't', 5, 'late', 'plan', 'a', 'c', 'now', hash, repeat('a', 64), stored_at
    from thoughts where position = 4`);
  await expect(store.dropBefore(before, trust)).rejects.toMatchObject({ code: "not-droppable" });
  await expect(store.dropBefore(new Date(Date.now() + 1e9), trust)).rejects.toMatchObject({ code: "invalid-time" });
  await expect(store.dropBefore(new Date(Number.NaN), trust)).rejects.toMatchObject({ code: "invalid-time" });
  expect(await left()).toContain("thoughts_old");
});

test("refuses to leave older records in the partition of all other times", async () => {
  await endPartition({ t: 2 });
  await owner.query("alter table thoughts detach partition thoughts_old");
  await owner.query(`create table "x"";drop table heads;--" partition of thoughts
    for values from ('2020-01-01') to ('2020-02-01')`);
  await owner.query(
    `insert into thoughts select 'u', 0, 'u', 'plan', 'a', 'c', 'now', repeat('0', 64), repeat('a', 64), '2019-01-01'`,
  );
  await expect(store.partitionsBefore(before)).rejects.toMatchObject({ code: "not-droppable" });
  await expect(store.dropBefore(before, trust)).rejects.toMatchObject({ code: "not-droppable" });
  await owner.query("alter table thoughts_default disable trigger user; delete from thoughts_default");
  expect(await store.partitionsBefore(before)).toEqual([
    {
      name: 'x";drop table heads;--',
      from: "2020-01-01T00:00:00+00:00",
      to: "2020-02-01T00:00:00+00:00",
      records: 0,
    },
  ]);
  await store.dropBefore(before, trust);
  expect(await left()).toEqual(["thoughts_default"]);
  expect((await owner.query("select from heads")).rowCount).toBeGreaterThan(0);
});

test("reads the ends of partitions in any time zone and style of dates, to the microsecond", async () => {
  const database = new URL(url).pathname.slice(1);
  await owner.query(`alter database ${database} set timezone = 'America/New_York';
    alter database ${database} set datestyle = 'SQL, DMY'`);
  for (const [index, [from, to]] of [
    ["2025-03-09 01:30:00-05", "2025-03-09 03:30:00-04"],
    ["2025-11-02 01:30:00-04", "2025-11-02 01:30:00.000001-05"],
  ].entries()) {
    await owner.query(`create table p${index} partition of thoughts for values from ('${from}') to ('${to}')`);
  }
  const elsewhere = await openTrailStore(url);
  const ends = async (time: Date | string) => (await elsewhere.partitionsBefore(time)).map(({ to }) => to);
  expect(await ends(new Date("2025-03-09T07:29:59.999Z"))).toEqual([]);
  expect(await ends(new Date("2025-03-09T07:30:00.000Z"))).toEqual(["2025-03-09T07:30:00+00:00"]);
  const last = "2025-11-02T06:30:00.000001+00:00";
  expect(await ends(new Date("2025-11-02T06:30:00.000Z"))).toHaveLength(1);
  expect(await ends(last)).toEqual(["2025-03-09T07:30:00+00:00", last]);
  await elsewhere.close();
});

test("twice at once, with concurrent writers and a verification, loses nothing", async () => {
  await endPartition({ t: 5, u: 30 });
  const second = await openTrailStore(url);
  // There are only a few writes, because a drop gives up when other clients keep the tables busy, as they do on a slow
  // machine.
  let isOver = false;
  let acknowledged = 0;
  const write = async (): Promise<void> => {
    while (!isOver && acknowledged < 50) {
      await store.append(thought);
      acknowledged++;
    }
  };
  const reports: StoreChainReport[] = [];
  const read = async (): Promise<void> => {
    while (!isOver && reports.length < 5) reports.push(await second.verify("u", trusting));
  };
  const prune = async (each: TrailStore): Promise<void> => {
    await collect(each.checkpointBefore(before, options));
    await each.dropBefore(before, trust);
  };
  const pruneTwice = async (): Promise<void> => {
    await Promise.all([prune(store), prune(second)]).finally(() => {
      isOver = true;
    });
  };
  await Promise.all([pruneTwice(), write(), read()]);
  expect(await left()).toEqual(["thoughts_default"]);
  expect(reports.flatMap(({ problems, storeProblems }) => [...problems, ...storeProblems])).toEqual([]);
  expect(await verified()).toMatchObject({ ok: true, length: acknowledged, dropped: { size: 5 } });
  expect(await second.verify(undefined, trusting)).toMatchObject({ ok: true });
  await second.close();
});

test("of a checkpoint that covers two partitions, the first alone may be dropped with one of its own", async () => {
  await endPartition({ t: 3 });
  const first = before;
  await owner.query("alter table thoughts_old rename to thoughts_first");
  await store.appendAll([thought, thought]);
  const second = await open.clock(1);
  while ((await open.clock()) < second);
  await collect(store.checkpointBefore(second, options));
  await store.append(thought);
  await expect(store.dropBefore(first, trust)).rejects.toMatchObject({ code: "not-droppable" });
  await collect(store.checkpointBefore(first, options));
  await store.dropBefore(first, trust);
  expect(await verified()).toMatchObject({ ok: true, length: 3, checkpointed: 5, dropped: { size: 3 } });
});

test("a reading that a drop overtakes ends with an error, and holds no drop up", async () => {
  await endPartition({ t: 250 });
  await cover();
  await store.append(thought);
  const second = await openTrailStore(url);
  const readers = [store.read("t"), store.exportRows("t"), store.exportRows(), store.export("t")];
  const begun = await Promise.all(readers.map((reader) => reader.next()));
  expect(begun.every(({ done }) => done === false)).toBe(true);
  // The drop does not wait for the readers, which are in the middle of a page.
  await second.dropBefore(before, trust);
  for (const reader of readers) {
    await expect(collect(reader as AsyncGenerator<unknown>)).rejects.toMatchObject({
      code: "overtaken",
      message: 'records 100 to 249 of task "t" were dropped while they were read',
    });
  }
  expect(await collect(store.read("t"))).toHaveLength(1);
  expect([await store.dropped("t"), await store.dropped("t", 250)]).toEqual([250, 250]);
  await expect(store.dropped("t", 0)).rejects.toMatchObject({ code: "overtaken" });
  await second.close();
});

test("a reading begins again five times, and not where it has written", async () => {
  const overtaken = new TrailStoreError("overtaken", "gone");
  let count = 0;
  const never = async (): Promise<void> => {
    count++;
    throw overtaken;
  };
  await expect(readAgain(never)).rejects.toBe(overtaken);
  expect(count).toBe(6);
  await expect(readAgain(never, () => true)).rejects.toBe(overtaken);
  expect(count).toBe(7);
  expect(await readAgain(async () => (++count < 10 ? never() : count))).toBe(10);
  await expect(readAgain(() => Promise.reject(new Error("other")))).rejects.toThrow("other");
});

test("a verification that a drop overtakes reads the task again", async () => {
  await endPartition({ t: 5 });
  await cover();
  await store.append(thought);
  // The verification has read the first record, and waits for the checkpoints.
  await owner.query("begin; lock table checkpoints in access exclusive mode");
  const report = store.verify("t", { ...trusting, structure: false });
  while ((await owner.query(WAITING)).rowCount === 0);
  await owner.query("drop table thoughts_old; commit");
  expect(await report).toMatchObject({ ok: true, length: 1, dropped: { size: 5 } });
});
