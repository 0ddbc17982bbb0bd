import { postgresDatabases } from "@agentprint/testing/trail/backends";
import pg from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openTrailStore } from "../src/index.ts";

const thought = { type: "plan", task_id: "t", agent_id: "a", content: "c" } as const;
const databases = postgresDatabases();
beforeAll(databases.start);
afterAll(databases.stop);

/** Runs SQL as the owner of a database. */
async function asOwner(url: string, statements: string): Promise<pg.QueryResult> {
  const client = new pg.Client(url);
  await client.connect();
  try {
    return await client.query(statements);
  } finally {
    await client.end();
  }
}

const set = (url: string, setting: string): Promise<unknown> =>
  asOwner(url, `alter database ${pg.escapeIdentifier(new URL(url).pathname.slice(1))} set ${setting}`);

test.each([false, true])("without triggers, nothing is written (partitioned: %s)", async (partitioned) => {
  const url = await databases.create();
  const store = await openTrailStore(url, { partitioned });
  await store.append(thought);
  await store.close();
  await set(url, "session_replication_role = 'replica'");
  for (const options of [{}, { create: false }]) {
    await expect(openTrailStore(url, options)).rejects.toMatchObject({
      code: "unavailable",
      message: expect.stringContaining("session_replication_role"),
    });
  }
  const reader = await openTrailStore(url, { readonly: true });
  expect(await reader.verify()).toMatchObject({ ok: true, length: 1 });
  await reader.close();
});

test.each([false, true])("guards are the same when every name is quoted (partitioned: %s)", async (partitioned) => {
  const url = await databases.create();
  await set(url, "quote_all_identifiers = on");
  const store = await openTrailStore(url, { partitioned });
  await store.append(thought);
  expect(await store.verify()).toMatchObject({ ok: true, storeProblems: [] });
  await store.close();
});

test("all row guards together are missed when they are gone", async () => {
  const url = await databases.create();
  const store = await openTrailStore(url);
  await store.append(thought);
  const { rows } = await asOwner(
    url,
    `select format('alter table %s drop constraint %I', conrelid::regclass, conname) as statement from pg_constraint
      where contype = 'c' and conrelid in ('thoughts'::regclass, 'checkpoints'::regclass) and not convalidated`,
  );
  const statements = rows.map(({ statement }) => statement);
  expect(statements.length).toBeGreaterThan(10);
  await asOwner(url, ["drop trigger thoughts_behind_head on thoughts", ...statements].join("; "));
  const { storeProblems } = await store.verify();
  expect(storeProblems).toHaveLength(statements.length + 1);
  expect(new Set(storeProblems.map(({ kind }) => kind))).toEqual(new Set(["changed-guard"]));
  await store.close();
});
