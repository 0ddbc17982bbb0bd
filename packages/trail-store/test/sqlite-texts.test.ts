import { sqliteFiles } from "@agentprint/testing/trail/backends";
import { afterAll, beforeAll, expect, test } from "vitest";
import { connectSqlite } from "#sqlite";
import { kyselyOn } from "../src/database/sqlite-connection.ts";
import { IS_WHOLE, WHOLE_NOTE } from "../src/database/sqlite-rows.ts";
import { openTrailStore } from "../src/index.ts";

const files = sqliteFiles();
beforeAll(files.start);
afterAll(files.stop);

const TRIGGERS = ["thoughts_no_update", "checkpoints_no_update", "checkpoints_new"];

/** Returns the path of a store with one record that an intruder changed and with its triggers in place. */
async function changed(...statements: string[]): Promise<string> {
  const url = await files.create();
  const store = await openTrailStore(url);
  await store.append({ type: "plan", task_id: "t", agent_id: "a", content: "c" });
  await store.close();
  const path = url.slice("file:".length);
  const intruder = connectSqlite(path, {});
  const kept = intruder.prepare<{ name: string; sql: string }>("select name, sql from sqlite_schema").all([]);
  const triggers = kept.filter(({ name }) => TRIGGERS.includes(name));
  for (const { name } of triggers) intruder.exec(`drop trigger ${name}`);
  for (const statement of statements) intruder.exec(statement);
  for (const { sql } of triggers) intruder.exec(sql);
  intruder.close();
  return path;
}

test.each(["content", "id", "hash", "timestamp"])(
  "text behind U+0000 in the %s of a record is noticed",
  async (column) => {
    const path = await changed(`update thoughts set ${column} = ${column} || char(0) || 'more'`);
    const store = await openTrailStore(`file:${path}`, { readonly: true });
    expect((await store.verify()).ok).toBe(false);
    await store.close();
    const connection = connectSqlite(path, { readonly: true });
    const thoughts = kyselyOn(connection).selectFrom("thoughts").select("id");
    expect(await thoughts.where(IS_WHOLE).execute()).toEqual([]);
    connection.close();
  },
);

test("every text without U+0000 is intact", async () => {
  const path = await changed(
    "update thoughts set content = 'é%s' || char(65533, 128512, 1)",
    "update thoughts set agent_id = ''",
  );
  const connection = connectSqlite(path, { readonly: true });
  expect(await kyselyOn(connection).selectFrom("thoughts").select("task_id").where(IS_WHOLE).execute()).toHaveLength(1);
  connection.close();
});

test("text after U+0000 makes a note a different note", async () => {
  const path = await changed(
    "insert into checkpoints values ('t', 1, 'note' || char(0) || 'more')",
    "insert into checkpoints values ('t', 2, 'noté')",
  );
  const connection = connectSqlite(path, { readonly: true });
  const notes = kyselyOn(connection).selectFrom("checkpoints").select(WHOLE_NOTE.as("note")).orderBy("size");
  expect(await notes.execute()).toEqual([{ note: "note\u{fffd}" }, { note: "noté" }]);
  connection.close();
});

test("an integer that no number has exactly is a problem of the store, and no error", async () => {
  const path = await changed("insert into checkpoints values ('t', 9007199254740993, 'note')");
  const store = await openTrailStore(`file:${path}`, { readonly: true });
  expect(await store.verify()).toMatchObject({
    ok: false,
    tasks: [{ storeProblems: [{ kind: "invalid-checkpoint" }] }],
  });
  await store.close();
});
