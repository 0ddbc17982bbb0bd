import { collect, postgresDatabases, sqliteFiles, testedDatabases } from "@agentprint/testing/trail/backends";
import pg from "pg";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { connectSqlite } from "#sqlite";
import { openTrailStore } from "../src/index.ts";

const thought = { type: "plan", task_id: "t", agent_id: "a", content: "c" } as const;

const ROOT = Buffer.alloc(32).toString("base64");
const NOTE = `o\n0\n${ROOT}\n\n\u2014 nobody ${ROOT}\n`;

const COLUMNS = "id, type, task_id, agent_id, content, timestamp, prev_hash, hash, position";

const CHANGES = [
  "update thoughts set agent_id = 'b'",
  "delete from thoughts",
  "update checkpoints set note = 'x'",
  "delete from checkpoints",
  // A second record after the first one, with a gap, a second genesis record, and a used id.
  `insert into thoughts (${COLUMNS}) select 'x', type, task_id, agent_id, content, timestamp, prev_hash, hash, 9 from thoughts where position = 1`,
  `insert into thoughts (${COLUMNS}) select 'x', type, task_id, agent_id, content, timestamp, prev_hash, hash, 2 from thoughts where position = 0`,
  `insert into thoughts (${COLUMNS}) select id, type, task_id, agent_id, content, timestamp, hash, 'h', 2 from thoughts where position = 1`,
  "insert into checkpoints select * from checkpoints",
];

describe("SQLite refuses", () => {
  const files = sqliteFiles();
  beforeAll(files.start);
  afterAll(files.stop);

  test.each([
    ...CHANGES,
    `insert or replace into thoughts (${COLUMNS}) select id, type, task_id, 'b', content, timestamp, prev_hash, hash, position from thoughts`,
    "insert or replace into checkpoints select * from checkpoints",
    `insert into thoughts (${COLUMNS}) select 'x', type, task_id, agent_id, content, timestamp, hash, 'h', 7 from thoughts where position = 1`,
    // Rows have a number, the rowid, in addition to their keys. A trigger sees -1 if none is given, so no row may have
    // -1.
    ...[1, -1].flatMap((rowid) => [
      `insert or replace into thoughts (rowid, ${COLUMNS}) select ${rowid}, 'x', type, 'other', agent_id, content, timestamp, prev_hash, hash, 0 from thoughts where position = 0`,
      `insert or replace into checkpoints (rowid, task_id, size, note) values (${rowid}, 'other', 0, 'x')`,
    ]),
    // A made-up hash leads back to the first record, so that the next one collides with the second.
    `insert into thoughts (${COLUMNS}) select 'x', a.type, a.task_id, a.agent_id, a.content, a.timestamp, a.hash, b.hash, 2 from thoughts a, thoughts b where a.position = 1 and b.position = 0;
     insert or replace into thoughts (${COLUMNS}) select 'y', type, task_id, agent_id, content, timestamp, hash, 'h', 3 from thoughts where position = 2`,
  ])("%s", async (change) => {
    const url = await files.create();
    const store = await openTrailStore(url);
    await store.appendAll([thought, thought]);
    await store.addCheckpoint("t", NOTE);
    const before = await collect(store.read("t"));
    const intruder = connectSqlite(url.slice("file:".length), {});
    expect(() => intruder.exec(change)).toThrow(/trail: records are only ever added/);
    intruder.close();
    expect((await collect(store.read("t"))).slice(0, before.length)).toEqual(before);
    await store.close();
  });

  test("to be a store where it is another database, or damaged", async () => {
    const url = await files.create();
    const other = connectSqlite(url.slice("file:".length), {});
    other.exec("create table other (x)");
    other.close();
    await expect(openTrailStore(url, { create: false })).rejects.toMatchObject({ code: "not-a-trail-store" });
  });
});

describe.each(testedDatabases({ PostgreSQL: postgresDatabases() }))("%s refuses", (_name, databases) => {
  beforeAll(databases.start);
  afterAll(databases.stop);

  test.each([...CHANGES, "truncate thoughts"])("%s", async (change) => {
    const url = await databases.create();
    const store = await openTrailStore(url);
    await store.appendAll([thought, thought]);
    await store.addCheckpoint("t", NOTE);
    const before = await collect(store.read("t"));
    const intruder = new pg.Client(url);
    await intruder.connect();
    await expect(intruder.query(change)).rejects.toThrow(/only ever added|unique constraint|check constraint/);
    await intruder.end();
    expect(await collect(store.read("t"))).toEqual(before);
    await store.close();
  });

  test("to be a store where it has no trails", async () => {
    await expect(openTrailStore(await databases.create(), { create: false })).rejects.toMatchObject({
      code: "not-a-trail-store",
    });
  });
});

describe("two stores on one database", () => {
  test.each(testedDatabases({ SQLite: sqliteFiles(), PostgreSQL: postgresDatabases() }))(
    "%s: write one chain between them",
    async (_name, databases) => {
      await databases.start();
      const url = await databases.create();
      const stores = await Promise.all([openTrailStore(url), openTrailStore(url)]);
      await Promise.all(
        stores.map(async (store, writer) => {
          for (let index = 0; index < 25; index++) await store.append({ ...thought, content: `${writer} ${index}` });
        }),
      );
      expect(await stores[0].verify("t")).toMatchObject({ ok: true, length: 50 });
      await Promise.all(stores.map((store) => store.close()));
      await databases.stop();
    },
    120_000,
  );
});
