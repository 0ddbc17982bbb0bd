import { collect, postgresDatabases, sqliteMemory, type TestDatabases } from "@agentprint/testing/trail/backends";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openTrailStore, type TrailStore } from "../src/index.ts";

const thought = { type: "plan", task_id: "t", agent_id: "a", content: "c" } as const;

describe.each<[string, TestDatabases]>([
  ["SQLite", sqliteMemory],
  ["PostgreSQL", postgresDatabases()],
])("a store in %s", (_name, databases) => {
  let store: TrailStore;
  beforeAll(async () => {
    await databases.start();
    store = await openTrailStore(await databases.create());
    await store.append(thought);
  });
  afterAll(async () => {
    await store.close();
    await databases.stop();
  });

  test.each([
    [{ limit: 0 }, "/limit"],
    [{ limit: -1 }, "/limit"],
    [{ limit: 1.5 }, "/limit"],
    [{ limit: Number.NaN }, "/limit"],
    [{ limit: Number.POSITIVE_INFINITY }, "/limit"],
    [{ limit: "2" as unknown as number }, "/limit"],
    [{ after: 0.5 }, "/after"],
    [{ after: -2 }, "/after"],
    [{ after: 2 ** 64 }, "/after"],
  ])("has no page %j", async (page, path) => {
    await expect(store.list("t", page)).rejects.toMatchObject({ code: "invalid-page", path });
  });

  test("has a last page", async () => {
    expect(await store.list("t", { after: Number.MAX_SAFE_INTEGER, limit: 1 })).toEqual({ records: [], next: null });
  });

  test.each(["", "a\0b", "\ud800", "x".repeat(513), 7 as unknown as string])(
    "finds nothing under the name %j, and says why",
    async (name) => {
      for (const asked of [
        store.get(name, "x"),
        store.get("x", name),
        store.find(name),
        store.head(name),
        store.list(name),
        store.verify(name),
      ]) {
        await expect(asked).rejects.toMatchObject({ path: expect.stringMatching(/^\/(task_)?id$/) });
      }
      await expect(collect(store.read(name))).rejects.toMatchObject({ path: "/task_id" });
      await expect(collect(store.export(name))).rejects.toMatchObject({ path: "/task_id" });
    },
  );
});
