import {
  collect,
  postgresDatabases,
  sqliteFiles,
  sqliteMemory,
  testedDatabases,
} from "@agentprint/testing/trail/backends";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openTrailStore, type TrailStore } from "../src/index.ts";

const thought = { type: "plan", task_id: "task-42", agent_id: "planner", content: "Migrate the table." } as const;

describe.each(
  testedDatabases({
    "SQLite in memory": sqliteMemory,
    "a SQLite file": sqliteFiles(),
    PostgreSQL: postgresDatabases(),
  }),
)("a store in %s", (_name, databases) => {
  beforeAll(databases.start);
  afterAll(databases.stop);

  async function using(run: (store: TrailStore) => Promise<void>): Promise<void> {
    const store = await openTrailStore(await databases.create());
    try {
      await run(store);
    } finally {
      await store.close();
    }
  }

  test("keeps the ids of each task apart", () =>
    using(async (store) => {
      const input = { ...thought, id: "mine" };
      const other = { ...input, task_id: "other", content: "not yours" };
      const [mine, theirs] = await store.appendAll([input, other]);
      expect(await store.appendAll([other, input])).toEqual([theirs, mine]);
      expect(await store.get("other", "mine")).toEqual(theirs);
      expect(await store.find("mine")).toEqual([theirs, mine]);
      expect(await store.find("mine", 1)).toEqual([theirs]);
      expect(await store.find("nobody")).toEqual([]);
      expect(await store.verify()).toMatchObject({ ok: true, length: 2 });
    }));

  test("lists the tasks whose names begin alike, whatever characters follow", () =>
    using(async (store) => {
      const named = ["a", "a/", "a/\u{10ffff}\u{10ffff}", "a/%_", "a/b", "a/😀", "a/\uffff", "A/b", "a0", "b"];
      for (const task_id of named) await store.append({ ...thought, task_id });
      for (const start of ["", "a", "a/", "a/b", "A", "%", "a/\u{10ffff}", "c"]) {
        const listed = (await collect(store.tasks(start))).map(({ taskId }) => taskId);
        expect(listed.toSorted()).toEqual(named.filter((name) => name.startsWith(start)).toSorted());
      }
    }));
});
