import { collect, postgresDatabases, sqliteFiles } from "@agentprint/testing/trail/backends";
import { options, thought } from "@agentprint/testing/trail/partitioned-store";
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
  store = await openTrailStore(url, { partitioned: true });
  owner = new pg.Client(url);
  await owner.connect();
});
afterEach(async () => {
  await Promise.all([store.close(), owner.end()]);
});

test("a row is stored once, behind the head, and at no other time", async () => {
  await store.appendAll([{ ...thought, id: "one" }, thought]);
  expect((await store.append({ ...thought, id: "one" })).id).toBe("one");
  const columns = "id, type, task_id, agent_id, content, timestamp, prev_hash, hash, position, stored_at";
  const select = (changed: string, from = "position = 1"): string =>
    `insert into thoughts (${columns}) select ${changed} from thoughts where ${from}`;
  for (const row of [
    // The head again, a fork, a second genesis record, a used id, a gap, a past time and a future time.
    select(columns),
    select("'x', type, task_id, agent_id, content, timestamp, prev_hash, repeat('a', 64), 1, clock_timestamp()"),
    select("'x', type, task_id, agent_id, content, timestamp, prev_hash, hash, 0, clock_timestamp()", "position = 0"),
    select("'one', type, task_id, agent_id, content, timestamp, hash, repeat('a', 64), 2, clock_timestamp()"),
    select("'x', type, task_id, agent_id, content, timestamp, hash, repeat('a', 64), 3, clock_timestamp()"),
    select("'x', type, task_id, agent_id, content, timestamp, hash, repeat('a', 64), 2, stored_at - interval '1 s'"),
    select(
      "'x', type, task_id, agent_id, content, timestamp, hash, repeat('a', 64), 2, clock_timestamp() + interval '1 min'",
    ),
    "update thoughts set content = 'x'",
    "delete from thoughts_default",
    "truncate thoughts",
    "delete from heads",
  ]) {
    await expect(owner.query(row), row).rejects.toThrow(/only ever added|duplicate key/);
  }
  await owner.query(
    select("'x', type, task_id, agent_id, content, timestamp, hash, repeat('a', 64), 2, clock_timestamp()"),
  );
  expect(await store.verify()).toMatchObject({ ok: false, storeProblems: [] });
});

test("a role that may only read and insert writes, and cannot change the heads", async () => {
  await owner.query(`create role partition_writer login password 'pw'; grant create on schema public to partition_writer;
    grant select, insert on thoughts, checkpoints to partition_writer; grant select on heads to partition_writer`);
  const role = url.replace("postgres:password@", "partition_writer:pw@");
  const writer = await openTrailStore(role);
  await writer.append(thought);
  await writer.appendAll([thought, { ...thought, task_id: "u" }]);
  expect(await writer.verify()).toMatchObject({ ok: true, length: 3, storeProblems: [] });
  const intruder = new pg.Client(role);
  await intruder.connect();
  await expect(intruder.query("update heads set position = 9")).rejects.toMatchObject({ code: "42501" });
  await intruder.query(`create table mine (like thoughts); create trigger mine after insert on mine referencing new table as added
    for each statement execute function trail_behind_head()`);
  await expect(
    intruder.query(
      "insert into mine select 't', 2, 'x', 'plan', 'a', 'c', 'now', hash, repeat('a', 64), clock_timestamp() from heads",
    ),
  ).rejects.toMatchObject({ code: "TR001" });
  await Promise.all([intruder.end(), writer.close()]);
});

test.each([
  "alter table thoughts disable trigger thoughts_behind_head",
  "alter table thoughts_default disable trigger all",
  "drop trigger heads_kept on heads",
  "alter function trail_behind_head() security invoker",
  "alter function trail_behind_head() reset all",
  "alter table heads drop constraint heads_task_id",
  "create rule r as on insert to thoughts_default do instead nothing",
])("verify compares what guards the tables: %s", async (change) => {
  await store.append(thought);
  expect(await store.verify()).toMatchObject({ ok: true, storeProblems: [] });
  await owner.query(change);
  expect((await store.verify()).storeProblems[0]).toMatchObject({ kind: "changed-guard" });
});

test("the form of a store is decided when it is created", async () => {
  const reopened = await openTrailStore(url, { create: false });
  await reopened.append(thought);
  await reopened.close();
  const plain = await databases.create();
  await (await openTrailStore(plain)).close();
  const files = sqliteFiles();
  await files.start();
  for (const wrong of [plain, await files.create()]) {
    await expect(openTrailStore(wrong, { partitioned: true })).rejects.toMatchObject({ code: "not-a-trail-store" });
    const opened = await openTrailStore(wrong);
    await expect(collect(opened.checkpointBefore(new Date(0), options))).rejects.toMatchObject({
      code: "not-a-trail-store",
    });
    await opened.close();
  }
  await files.stop();
});
