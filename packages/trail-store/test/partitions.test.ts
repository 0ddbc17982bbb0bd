import { createNoteKeys, createNoteSigner, createNoteVerifier, signNote } from "@agentprint/trail/checkpoint";
import pg from "pg";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { openTrailStore, type StoreChainReport, type TrailStore } from "../src/index.ts";
import { collect, postgresDatabases } from "./backends.ts";

const thought = { type: "plan", task_id: "t", agent_id: "a", content: "c" } as const;
const [log, other] = [1, 2].map((seed) => createNoteKeys(`example.com/${seed}`, new Uint8Array(32).fill(seed))) as [
  Keys,
  Keys,
];
type Keys = ReturnType<typeof createNoteKeys>;
const options = (taskId: string, keys = log) => ({ origin: taskId, signers: [createNoteSigner(keys.signerKey)] });
const trusting = {
  trust: (origin: string) => ({ origin, log: createNoteVerifier(log.verifierKey) }),
};
const databases = postgresDatabases();
const isDropped = (message: string) =>
  expect.arrayContaining([
    expect.objectContaining({ kind: "dropped-records", message: expect.stringContaining(message) }),
  ]);

let url: string;
let store: TrailStore;
let owner: pg.Client;
let before: Date;

beforeAll(databases.start);
afterAll(databases.stop);

beforeEach(async () => {
  url = await databases.create();
  store = await openTrailStore(url, { partitioned: true });
  owner = new pg.Client(url);
  await owner.connect();
});
afterEach(async () => {
  await Promise.all([store.close(), owner.end()]);
});

/** Makes what was stored so far a partition that ends so many milliseconds from now; later records go to the next one. */
async function endPartition(tasks: Readonly<Record<string, number>>, inMs = 1): Promise<void> {
  for (const [task_id, count] of Object.entries(tasks)) {
    await store.appendAll(Array.from({ length: count }, () => ({ ...thought, task_id })));
  }
  before = await clock(inMs);
  await owner.query(`alter table thoughts detach partition thoughts_default;
    alter table thoughts_default rename to thoughts_old;
    alter table thoughts attach partition thoughts_old for values from (minvalue) to ('${before.toISOString()}');
    create table thoughts_default partition of thoughts default`);
}

/** The time of the server in so many milliseconds, without microseconds. */
async function clock(inMs = 0): Promise<Date> {
  const { rows } = await owner.query<{ now: Date }>(
    "select date_trunc('milliseconds', clock_timestamp()) + make_interval(secs => $1 / 1000.0) as now",
    [inMs],
  );
  return rows[0]?.now as Date;
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
  // A task of which nothing is left goes on behind its last hash.
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
  before = await clock(1);
  while ((await clock()) < before);
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
  const writers = [store, second].map(async (each) => {
    while (!isOver) await each.append(thought);
  });
  const placesIn = async (table: string): Promise<{ count: number; first: number; last: number }> =>
    (await owner.query(`select count(*)::int, min(position)::int as first, max(position)::int as last from ${table}`))
      .rows[0];
  while ((await placesIn("thoughts_default")).count < 10);
  const [note] = await cover();
  isOver = true;
  await Promise.all(writers);
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
    before = await clock(1);
    while ((await clock()) < before);
    covered = cover();
    while ((await owner.query("select from pg_locks where not granted")).rowCount === 0);
  });
  expect((await covered)?.[0]).toMatch(/^t\n2\n/);
});

describe("dropBefore", () => {
  const trust = (origin: string, keys = log) => ({ origin, log: createNoteVerifier(keys.verifierKey) });
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
    const refused = { code: "not-droppable", message: expect.stringContaining("covered by no checkpoint") };
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
    await owner.query(`insert into thoughts select 'u', 0, 'u', 'plan', 'a', 'c', 'now', repeat('0', 64), repeat('a', 64), '2019-01-01'`);
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

  test("twice at once, with writers and a verification beside them, loses nothing", async () => {
    await endPartition({ t: 5, u: 30 });
    const second = await openTrailStore(url);
    let isOver = false;
    let acknowledged = 0;
    const writer = (async () => {
      while (!isOver) {
        await store.append(thought);
        acknowledged++;
      }
    })();
    const reports: StoreChainReport[] = [];
    const reader = (async () => {
      while (!isOver) reports.push(await second.verify("u", trusting));
    })();
    const prune = async (each: TrailStore): Promise<void> => {
      await collect(each.checkpointBefore(before, options));
      await each.dropBefore(before, trust);
    };
    await Promise.all([prune(store), prune(second)]);
    isOver = true;
    await Promise.all([writer, reader]);
    expect(await left()).toEqual(["thoughts_default"]);
    expect(reports.flatMap(({ problems, storeProblems }) => [...problems, ...storeProblems])).toEqual([]);
    expect(await verified()).toMatchObject({ ok: true, length: acknowledged, dropped: { size: 5 } });
    expect(await second.verify(undefined, trusting)).toMatchObject({ ok: true });
    await second.close();
  });
});

test("of a checkpoint that covers two partitions, the first alone may be dropped with one of its own", async () => {
  await endPartition({ t: 3 });
  const first = before;
  await owner.query("alter table thoughts_old rename to thoughts_first");
  await store.appendAll([thought, thought]);
  const second = await clock(1);
  while ((await clock()) < second);
  await collect(store.checkpointBefore(second, options));
  await store.append(thought);
  const trust = (origin: string) => trusting.trust(origin);
  await expect(store.dropBefore(first, trust)).rejects.toMatchObject({ code: "not-droppable" });
  await collect(store.checkpointBefore(first, options));
  await store.dropBefore(first, trust);
  expect(await verified()).toMatchObject({ ok: true, length: 3, checkpointed: 5, dropped: { size: 3 } });
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
