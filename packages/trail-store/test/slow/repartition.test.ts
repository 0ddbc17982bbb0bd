import { collect, postgresDatabases } from "@agentprint/testing/trail/backends";
import { options, thought, trust, trusting } from "@agentprint/testing/trail/partitioned-store";
import pg from "pg";
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import { openTrailStore, type TrailStore } from "../../src/index.ts";

const databases = postgresDatabases();

let url: string;
let store: TrailStore;
let owner: pg.Client;

beforeAll(databases.start);
afterAll(databases.stop);

beforeEach(async () => {
  url = await databases.create();
  store = await openTrailStore(url);
  await store.appendAll([thought, thought, { ...thought, task_id: "u" }]);
  owner = new pg.Client(url);
  await owner.connect();
});
afterEach(async () => {
  await Promise.all([store.close(), owner.end()]);
});

test("a store becomes partitioned, and its records are dropped as those of any partition", async () => {
  await store.checkpoint("t", options("t"));
  const lines = await collect(store.export());
  const partition = await store.partition();
  expect(partition).toMatchObject({ name: "thoughts_before_partitions", from: null, records: 3 });
  expect(await store.partition()).toBeUndefined();
  expect(await collect(store.export())).toEqual(lines);
  expect(await store.verify(undefined, trusting)).toMatchObject({ ok: true, length: 3 });
  const created = await databases.create();
  await (await openTrailStore(created, { partitioned: true })).close();
  for (const each of [url, created]) {
    const opened = await openTrailStore(each, { partitioned: true });
    expect(await opened.checkStructure()).toEqual([]);
    await opened.close();
  }
  await store.appendAll([thought, { ...thought, task_id: "new" }]);
  const end = String(partition?.to);
  await collect(store.checkpointBefore(end, options));
  await store.dropBefore(end, trust);
  expect(await store.verify("t", trusting)).toMatchObject({ ok: true, length: 1, dropped: { size: 2 } });
  expect(await store.verify(undefined, trusting)).toMatchObject({ ok: true, length: 2 });
});

test("writers that opened the store before lose nothing, whichever way they write", async () => {
  const others = await Promise.all([openTrailStore(url), openTrailStore(url), openTrailStore(url)]);
  const [one, two, three] = others as [TrailStore, TrailStore, TrailStore];
  let isOver = false;
  let acknowledged = 3;
  const write = async (): Promise<void> => {
    while (!isOver) {
      await one.append(thought);
      acknowledged++;
    }
  };
  const partition = async (): Promise<void> => {
    await store.partition();
    await one.append(thought);
  };
  const partitioned = partition().finally(() => {
    isOver = true;
  });
  await Promise.all([partitioned, write()]);
  await two.transact(async ({ append }) => append({ ...thought, task_id: "u" }));
  const source = await openTrailStore("sqlite::memory:");
  await source.append({ ...thought, task_id: "imported" });
  const text = Buffer.from((await collect(source.export())).join(""));
  expect(await three.import([text])).toEqual({ added: 1, known: 0 });
  for (const each of [store, ...others]) {
    expect(await each.verify()).toMatchObject({ ok: true, length: acknowledged + 3, storeProblems: [] });
  }
  await Promise.all([source.close(), ...others.map((each) => each.close())]);
});

test("the rights of roles stay, and those of the trigger are the owner's", async () => {
  await owner.query(`create role "it's; a role" login password 'pw'; create role form_owner; grant create on schema public to form_owner;
    alter table thoughts owner to form_owner; alter table checkpoints owner to form_owner;
    alter function trail_behind_head() owner to form_owner; alter function trail_refuse() owner to form_owner;
    grant select, insert on thoughts, checkpoints to "it's; a role"`);
  await store.partition();
  const role = url.replace("postgres:password@", `${encodeURIComponent("it's; a role")}:pw@`);
  const writer = await openTrailStore(role, { create: false });
  await writer.append(thought);
  expect(await writer.verify()).toMatchObject({ ok: true, length: 4 });
  await expect(writer.partition()).rejects.toMatchObject({ code: "unavailable" });
  await writer.close();
  const { rows } = await owner.query(
    "select distinct tableowner from pg_tables where schemaname = 'public' and tablename ~ 'thoughts|heads'",
  );
  expect(rows).toEqual([{ tableowner: "form_owner" }]);
});

test.each([
  ["a view", "create view mine as select * from thoughts", "mine"],
  [
    "a foreign key",
    "create table mine (t text, p bigint, foreign key (t, p) references thoughts (task_id, position))",
    "mine",
  ],
  [
    "a trigger",
    "create trigger mine after insert on thoughts for each statement execute function trail_refuse()",
    "mine",
  ],
  ["a table of the name of a partition", "create table thoughts_default ()", "thoughts_default"],
  ["no trigger", "drop trigger thoughts_behind_head on thoughts", "thoughts_behind_head"],
])("tables with %s are left as they are", async (_name, change, named) => {
  await owner.query(change);
  const problem = { code: "not-a-trail-store", message: expect.stringContaining(named) };
  await expect(store.partition()).rejects.toMatchObject(problem);
  expect(await collect(store.tasks())).toHaveLength(2);
  await expect(openTrailStore(url, { partitioned: true })).rejects.toMatchObject({ code: "not-a-trail-store" });
});

test("a process that is killed in the middle leaves the old tables", async () => {
  const middle = new pg.Client(url);
  await middle.connect();
  await owner.query(`create function wait() returns event_trigger language plpgsql as 'begin perform pg_sleep(3600); end';
    create event trigger wait on ddl_command_end when tag in ('CREATE TRIGGER') execute function wait()`);
  const impatient = await openTrailStore(url, { retryForMs: 0 });
  const partitioning = impatient.partition().catch((error: unknown) => error);
  const sleeping = "select pid from pg_stat_activity where datname = current_database() and wait_event = 'PgSleep'";
  let pid: number | undefined;
  while (pid === undefined) pid = (await middle.query<{ pid: number }>(sleeping)).rows[0]?.pid;
  const waiting = store.append(thought);
  await middle.query("select pg_terminate_backend($1)", [pid]);
  expect(await partitioning).toMatchObject({ code: "unavailable" });
  await waiting;
  await expect(openTrailStore(url, { partitioned: true })).rejects.toMatchObject({ code: "not-a-trail-store" });
  expect(await store.verify()).toMatchObject({ ok: true, length: 4 });
  await middle.query("drop event trigger wait");
  expect(await impatient.partition()).toMatchObject({ records: 4 });
  expect(await store.verify()).toMatchObject({ ok: true, length: 4 });
  await Promise.all([middle.end(), impatient.close()]);
});

test("SQLite stays as it is", async () => {
  const memory = await openTrailStore("sqlite::memory:");
  await expect(memory.partition()).rejects.toMatchObject({ code: "not-a-trail-store" });
  await memory.close();
});
