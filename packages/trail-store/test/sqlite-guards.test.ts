import { sqliteFiles } from "@agentprint/testing/trail/backends";
import { afterAll, beforeAll, expect, test } from "vitest";
import { connectSqlite } from "#sqlite";
import { openTrailStore } from "../src/index.ts";

const files = sqliteFiles();
beforeAll(files.start);
afterAll(files.stop);

const thought = { type: "plan", task_id: "t", agent_id: "a", content: "c" } as const;
const COLUMNS = "task_id, position, id, type, agent_id, content, timestamp, prev_hash, hash";
const REST = "'plan', 'a', 'c', 'now'";

/** Returns the URL of a store after an intruder with write access ran these statements. */
async function changed(...statements: string[]): Promise<string> {
  const url = await files.create();
  const store = await openTrailStore(url);
  await store.appendAll([thought, thought]);
  await store.close();
  const intruder = connectSqlite(url.slice("file:".length), {});
  intruder.exec("pragma ignore_check_constraints = on");
  for (const statement of statements) intruder.exec(statement);
  intruder.close();
  return url;
}

const withoutTriggers = [
  "drop trigger thoughts_behind_head",
  "drop trigger thoughts_rowid",
  "drop trigger thoughts_no_update",
];

test.each([
  [["drop trigger thoughts_no_update"], "trigger thoughts_no_update is gone"],
  [["drop trigger checkpoints_new"], "trigger checkpoints_new is gone"],
  [
    [
      "drop trigger thoughts_no_delete",
      "create trigger thoughts_no_delete before delete on thoughts begin select 1; end",
    ],
    "trigger thoughts_no_delete was changed",
  ],
  [["create trigger mine before insert on Thoughts begin select raise(ignore); end"], "trigger mine was added"],
  [["alter table thoughts add column more"], "table thoughts was changed"],
])("verify compares the triggers of a file: %j", async (statements, message) => {
  const store = await openTrailStore(await changed(...statements), { readonly: true });
  for (const report of [await store.verify(), await store.verify("t")]) {
    expect(report.ok).toBe(false);
    expect(report.storeProblems).toMatchObject([{ kind: "changed-guard", message: expect.stringContaining(message) }]);
  }
  await store.close();
});

test("finds its own triggers in order, also in a copy and in memory", async () => {
  const url = await changed("vacuum");
  for (const name of [url, "sqlite::memory:"]) {
    const store = await openTrailStore(name);
    expect(await store.verify()).toMatchObject({ ok: true, storeProblems: [] });
    await store.close();
  }
});

test("does not acknowledge a record that a trigger kept out", async () => {
  const url = await changed(
    "create trigger mine before insert on thoughts when new.content = 'x' begin select raise(ignore); end",
  );
  const store = await openTrailStore(url);
  const appended = store.appendAll([thought, { ...thought, content: "x" }]);
  await expect(appended).rejects.toMatchObject({ code: "not-stored" });
  expect(await store.verify()).toMatchObject({ ok: false, length: 2 });
  await store.close();
});

test.each([
  ["a negative position", `'t', -1, 'x', ${REST}, 'p', 'h'`, "unreached-rows"],
  ["no task", `'', 0, 'x', ${REST}, 'p', 'h'`, "unreached-rows"],
  ["a position that is text", `'t', 'abc', 'x', ${REST}, 'p', 'h'`, "unreached-rows"],
  ["a position between others", `'t', 0.5, 'x', ${REST}, 'p', 'h'`, "unreached-rows"],
  ["the last position", `'t', 9223372036854775807, 'x', ${REST}, 'p', 'h'`, "unreached-rows"],
  ["a task of bytes", `x'74', 0, 'x', ${REST}, 'p', 'h'`, "unreached-rows"],
  ["a task that is no UTF-8", `cast(x'80' as text), 0, 'x', ${REST}, 'p', 'h'`, "unreached-rows"],
  ["a gap", `'t', 7, 'x', ${REST}, 'p', 'h'`, "misplaced-record"],
])("reports a row with %s", async (_name, values, kind) => {
  const url = await changed(...withoutTriggers, `insert into thoughts (${COLUMNS}) values (${values})`);
  const store = await openTrailStore(url, { readonly: true });
  const report = await store.verify();
  expect(report.ok).toBe(false);
  const kinds = [report, ...report.tasks].flatMap(({ storeProblems }) => storeProblems.map((problem) => problem.kind));
  expect(kinds).toContain(kind);
  await store.close();
});

test("ends when it lists tasks whose names are no UTF-8", async () => {
  const row = `cast(x'ff' as text), 0, 'x', ${REST}, 'p', 'h'`;
  const url = await changed(...withoutTriggers, `insert into thoughts (${COLUMNS}) values (${row})`);
  const store = await openTrailStore(url, { readonly: true });
  await expect(store.verify()).rejects.toMatchObject({ code: "corrupt" });
  await store.close();
});
