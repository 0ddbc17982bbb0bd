import { postgresDatabases } from "@agentprint/testing/trail/backends";
import pg from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openTrailStore, type TrailStore } from "../src/index.ts";

const thought = { type: "plan", task_id: "t", agent_id: "a", content: "c" } as const;
/**
 * A name of maximum length that does not compress well: a key with such a task and such an id is too long for an index.
 */
const LONG = Array.from({ length: 512 }, (_, index) => String.fromCharCode(0x4e00 + ((index * 7919) % 20000))).join("");
const databases = postgresDatabases();
let store: TrailStore;
let owner: pg.Client;

beforeAll(async () => {
  await databases.start();
  const url = await databases.create();
  store = await openTrailStore(url);
  owner = new pg.Client(url);
  await owner.connect();
});
afterAll(async () => {
  await Promise.all([store.close(), owner.end()]);
  await databases.stop();
});

/** Returns how many transactions stored the records of a task, and the number of records. */
async function transactionsOf(taskId: string): Promise<{ transactions: number; records: number }> {
  const { rows } = await owner.query(
    "select count(distinct xmin::text)::int as transactions, count(*)::int as records from thoughts where task_id = $1",
    [taskId],
  );
  return rows[0];
}

test("appends to one task that are issued together share a transaction, in the order in which they were called", async () => {
  const inputs = Array.from({ length: 150 }, (_, index) => ({ ...thought, content: `${index}` }));
  const records = await Promise.all(inputs.map((input) => store.append(input)));
  expect(records.map(({ content }) => content)).toEqual(inputs.map(({ content }) => content));
  for (const [index, record] of records.entries()) {
    if (index > 0) expect(record.prev_hash).toBe(records[index - 1]?.hash);
  }
  // A group has at most 64 appends.
  expect(await transactionsOf("t")).toEqual({ transactions: 3, records: 150 });
  expect(await store.verify("t")).toMatchObject({ ok: true, length: 150 });
});

test("one that is refused leaves the others as they are", async () => {
  const task = { ...thought, task_id: LONG };
  await store.append({ ...task, id: "known" });
  const outcomes = await Promise.allSettled([
    store.append(task),
    store.append({ ...task, id: "known" }),
    store.append({ ...task, id: "known", content: "other" }),
    store.append({ ...task, id: "twice" }),
    store.append({ ...task, id: "twice" }),
    // The key is too long for a PostgreSQL index, which only the database detects.
    store.append({ ...task, id: LONG.slice(1) }),
    store.appendAll([task, { ...task, id: "known", content: "third" }]),
    store.append({ ...task, type: "wrong" as "plan" }),
    store.append(task),
  ]);
  const codes = outcomes.map((outcome) => (outcome.status === "fulfilled" ? "stored" : outcome.reason.code));
  const refused = ["too-large", "id-conflict", "invalid-thought"];
  expect(codes).toEqual(["stored", "stored", "id-conflict", "stored", "stored", ...refused, "stored"]);
  expect(await store.verify(LONG)).toMatchObject({ ok: true, length: 4 });
});

test("a lost connection loses no acknowledged record, and stores none twice", async () => {
  const appends = Array.from({ length: 100 }, (_, index) =>
    store.append({ ...thought, task_id: "lost", id: `${index}` }),
  );
  await Promise.race(appends);
  await owner.query(
    "select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'agentprint trail' and datname = current_database()",
  );
  const ids = (await Promise.all(appends)).map(({ id }) => id);
  expect(await store.verify("lost")).toMatchObject({ ok: true, length: 100 });
  expect(new Set(ids).size).toBe(100);
});
