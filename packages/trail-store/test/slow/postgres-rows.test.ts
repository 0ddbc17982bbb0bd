import { postgresDatabases } from "@agentprint/testing/trail/backends";
import { type ThoughtRecord, ZERO_HASH } from "@agentprint/trail";
import { createThought } from "@agentprint/trail/chain";
import fc from "fast-check";
import pg from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openTrailStore, type StoreReport, type TrailStore } from "../../src/index.ts";

const databases = postgresDatabases();
beforeAll(databases.start);
afterAll(databases.stop);

const thought = { type: "plan", task_id: "t", agent_id: "a", content: "c" } as const;
const COLUMNS = ["id", "type", "task_id", "agent_id", "content", "timestamp", "prev_hash", "hash", "position"] as const;
type Row = Record<(typeof COLUMNS)[number], string | bigint>;

/** Restores the schema of an older version of this package, which had no row triggers. */
const AS_BEFORE = `
  drop trigger thoughts_behind_head on thoughts;
  drop function trail_behind_head();
  drop index checkpoints_note;
  alter table checkpoints add constraint checkpoints_note primary key (task_id, size, note);
  do $$ declare name text; begin
    for name in select conname from pg_constraint where conrelid = 'thoughts'::regclass and contype = 'c'
      and conname <> 'thoughts_genesis' loop execute format('alter table thoughts drop constraint %I', name); end loop;
    for name in select conname from pg_constraint where conrelid = 'checkpoints'::regclass and contype = 'c'
      loop execute format('alter table checkpoints drop constraint %I', name); end loop;
  end $$;
  delete from trail_migration where name > '001_trail'`;

interface Database {
  readonly url: string;
  readonly owner: pg.Client;
  /** A client with a role that may only read and insert. */
  readonly intruder: pg.Client;
  readonly intruderUrl: string;
  readonly store: TrailStore;
}

async function connect(url: string): Promise<pg.Client> {
  const client = new pg.Client(url);
  await client.connect();
  return client;
}

async function using(run: (database: Database) => Promise<void>): Promise<void> {
  const url = await databases.create();
  const store = await openTrailStore(url);
  await store.appendAll([thought, { ...thought, content: "second" }]);
  const owner = await connect(url);
  const name = new URL(url).pathname.slice(1);
  await owner.query(`create role intruder_${name} login password 'pw';
    grant select, insert on thoughts, checkpoints to intruder_${name}`);
  const intruderUrl = url.replace("postgres:password@", `intruder_${name}:pw@`);
  const intruder = await connect(intruderUrl);
  try {
    await run({ url, owner, intruder, intruderUrl, store });
  } finally {
    await Promise.all([store.close(), owner.end(), intruder.end()]);
  }
}

/** Inserts a row, and returns whether the database accepted it. */
async function insert(client: pg.Client, row: Row): Promise<boolean> {
  const values = COLUMNS.map((column) => String(row[column]));
  const places = values.map((_, index) => `$${index + 1}`).join();
  return client.query(`insert into thoughts (${COLUMNS.join()}) values (${places})`, values).then(
    () => true,
    () => false,
  );
}

/** Returns the number of problems in a report, including its tasks' problems. */
function problemsOf({ tasks, storeProblems }: StoreReport): number {
  const kinds = tasks.map((task) => task.problemCount + task.storeProblems.reduce((sum, { count }) => sum + count, 0));
  return kinds.reduce((sum, count) => sum + count, 0) + storeProblems.reduce((sum, { count }) => sum + count, 0);
}

/** Values that an intruder may try for each column, in addition to the right one. */
const WRONG: Readonly<Record<keyof Row, readonly (string | bigint)[]>> = {
  id: ["", "x".repeat(513)],
  type: ["", "observation", "PLAN"],
  task_id: ["", "\u0001", "another"],
  agent_id: [""],
  content: ["other", "x".repeat(2 ** 20 + 1)],
  timestamp: [""],
  prev_hash: ["", ZERO_HASH, "f".repeat(64), "F".repeat(64), "0".repeat(63)],
  hash: ["", ZERO_HASH, "f".repeat(64), "F".repeat(64), `${"0".repeat(63)}\n`],
  position: [-1n, 0n, 1n, 3n, 2n ** 53n, 2n ** 63n - 1n, -(2n ** 63n)],
};

const changes = fc
  .uniqueArray(fc.constantFrom(...COLUMNS), { minLength: 1, maxLength: 3 })
  .chain((columns) =>
    fc.record(Object.fromEntries(columns.map((column) => [column, fc.constantFrom(...WRONG[column])]))),
  ) as fc.Arbitrary<Partial<Row>>;

/** Returns the row after the head of its task, as an intruder changed it. */
function rowOf(head: ThoughtRecord, id: string, change: Partial<Row>): Row {
  return { ...createThought({ ...thought, task_id: head.task_id }, head, { id, now: "now" }), position: 2n, ...change };
}

test("every row that a role with INSERT can add is refused or reported", () =>
  using(async ({ store, intruder }) => {
    let number = 0;
    let taken = 0;
    let problems = problemsOf(await store.verify());
    expect(problems).toBe(0);
    await fc.assert(
      fc.asyncProperty(changes, async (change) => {
        const task_id = `task-${number++}`;
        const [, head] = await store.appendAll([
          { ...thought, task_id },
          { ...thought, task_id },
        ]);
        if (!(await insert(intruder, rowOf(head as ThoughtRecord, `x-${number}`, change)))) return;
        taken++;
        const found = problemsOf(await store.verify());
        expect(found).toBeGreaterThan(problems);
        problems = found;
      }),
      {
        numRuns: 150,
        examples: COLUMNS.flatMap((column) => WRONG[column].map((value): [Partial<Row>] => [{ [column]: value }])),
      },
    );
    // The database accepts other content, and two hashes that belong to no record.
    expect(taken).toBeGreaterThanOrEqual(3);
  }));

test("the search path of a role cannot lead the trigger of rows to other tables", () =>
  using(async ({ store, intruder }) => {
    await intruder.query(`create temporary table thoughts as select * from public.thoughts;
      insert into thoughts select 'fake', 1, 'fake', type, agent_id, content, timestamp, prev_hash, repeat('a', 64) from thoughts where position = 1;
      set search_path = pg_temp, public`);
    const inserted = intruder.query(`insert into public.thoughts
      select 'fake', 2, 'y', type, agent_id, content, timestamp, repeat('a', 64), hash from thoughts where id = 'fake'`);
    await expect(inserted).rejects.toMatchObject({ code: "TR001" });
    expect(await store.verify()).toMatchObject({ ok: true, length: 2 });
  }));

test("a role that may only read and insert can write a trail", () =>
  using(async ({ intruderUrl }) => {
    const store = await openTrailStore(intruderUrl);
    await store.appendAll([thought, { ...thought, task_id: "new" }]);
    expect(await store.verify()).toMatchObject({ ok: true, length: 4 });
    await store.close();
  }));

test("bad rows in a store of an older version are reported before and after its migration, and not rewritten", () =>
  using(async ({ url, owner, store }) => {
    await owner.query(AS_BEFORE);
    const head = (await store.head("t")) as ThoughtRecord;
    const planted = [
      rowOf(head, "before", { position: -1n, prev_hash: "a".repeat(64) }),
      rowOf(head, "nowhere", { task_id: "", position: 5n, prev_hash: "b".repeat(64) }),
      rowOf(head, "last", { position: 2n ** 63n - 1n, prev_hash: "c".repeat(64) }),
      rowOf(head, "gap", { position: 7n }),
    ];
    for (const row of planted) expect(await insert(owner, row)).toBe(true);
    const placesOf = async (): Promise<unknown> =>
      (await owner.query("select id, ctid from thoughts order by id")).rows;
    const places = await placesOf();
    const reader = await openTrailStore(url, { readonly: true });
    const migrated = await openTrailStore(url);
    expect(await placesOf()).toEqual(places);
    for (const opened of [reader, migrated]) {
      const report = await opened.verify();
      expect(report.ok).toBe(false);
      expect(report.storeProblems).toMatchObject([{ kind: "unreached-rows", count: 3 }]);
      expect(report.tasks[0]?.storeProblems).toMatchObject([{ kind: "misplaced-record", count: 1 }]);
      expect(await opened.verify("t")).toMatchObject({ ok: false, problemCount: 0 });
      for (const id of ["before", "nowhere", "last"]) expect(await opened.find(id)).toEqual([]);
    }
    await expect(migrated.append({ ...thought, id: "before" })).rejects.toMatchObject({ code: "id-conflict" });
    await migrated.append({ ...thought, content: "third" });
    expect(await insert(owner, rowOf(head, "again", { position: -2n, prev_hash: "d".repeat(64) }))).toBe(false);
    await Promise.all([reader.close(), migrated.close()]);
  }));

test("a role that may not migrate a store of an older version uses its tables without the migration", () =>
  using(async ({ intruderUrl, owner }) => {
    await owner.query(AS_BEFORE);
    const store = await openTrailStore(intruderUrl);
    await store.append(thought);
    expect(await store.verify()).toMatchObject({ ok: true, length: 3 });
    await store.close();
  }));
