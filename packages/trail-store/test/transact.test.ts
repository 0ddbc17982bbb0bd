import { setImmediate as nextTurn } from "node:timers/promises";
import { collect, postgresDatabases, sqliteFiles, testedDatabases } from "@agentprint/testing/trail/backends";
import { sql } from "kysely";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openTrailStore, type TrailStore, type TrailTransaction } from "../src/index.ts";

interface Tables {
  readonly orders: { readonly number: number };
}

const thought = { type: "decision", task_id: "orders", agent_id: "buyer", content: "Ordered." } as const;

describe.each(
  testedDatabases({
    "a SQLite file": sqliteFiles(),
    PostgreSQL: postgresDatabases(),
  }),
)("a transaction of a caller in %s", (_name, databases) => {
  beforeAll(databases.start);
  afterAll(databases.stop);

  async function openTwo(): Promise<[TrailStore, TrailStore]> {
    const url = await databases.create();
    const first = await openTrailStore(url);
    await first.transact(async ({ db }: TrailTransaction<Tables>) => {
      await sql`create table orders (number integer primary key)`.execute(db);
    });
    return [first, await openTrailStore(url)];
  }

  const numbers = (store: TrailStore): Promise<number[]> =>
    store.transact(async ({ db }: TrailTransaction<Tables>) =>
      (await db.selectFrom("orders").select("number").orderBy("number").execute()).map(({ number }) => number),
    );

  test("stores its rows and its records together", async () => {
    const [store, other] = await openTwo();
    const record = await store.transact(async ({ db, append }: TrailTransaction<Tables>) => {
      await db.insertInto("orders").values({ number: 1 }).execute();
      await append(thought);
      return append(thought);
    });
    expect(await other.head("orders")).toEqual(record);
    expect(await numbers(other)).toEqual([1]);
    expect(await other.verify()).toMatchObject({ ok: true, storeProblems: [] });
    await Promise.all([store.close(), other.close()]);
  });

  test("stores nothing where it fails, and leaves the store usable", async () => {
    const [store, other] = await openTwo();
    const failing = store.transact(async ({ db, append }: TrailTransaction<Tables>) => {
      await db.insertInto("orders").values({ number: 1 }).execute();
      await append(thought);
      throw new RangeError("no");
    });
    await expect(failing).rejects.toThrow(RangeError);
    expect(await collect(store.tasks())).toEqual([]);
    expect(await numbers(store)).toEqual([]);
    await expect(
      store.transact(({ append }: TrailTransaction<Tables>) => append({ ...thought, content: "\0" })),
    ).rejects.toMatchObject({ code: "unsupported-text" });
    await store.append(thought);
    expect((await store.verify()).ok).toBe(true);
    await Promise.all([store.close(), other.close()]);
  });

  test("is finished before its store is closed, as are the appends that were issued before", async () => {
    const [store, other] = await openTwo();
    const running = store.transact(async ({ db, append }: TrailTransaction<Tables>) => {
      await append(thought);
      await nextTurn();
      await db.insertInto("orders").values({ number: 1 }).execute();
      return append(thought);
    });
    const inputs = ["orders", "more"].map((taskId) => ({ ...thought, task_id: taskId }));
    const outcomes = [running, store.transact(async () => {}), store.append(thought), store.appendAll(inputs)];
    await store.close();
    const settled = await Promise.allSettled(outcomes);
    expect(settled.map(({ status }) => status)).toEqual(["fulfilled", "fulfilled", "fulfilled", "fulfilled"]);
    expect(await numbers(other)).toEqual([1]);
    expect(await other.verify()).toMatchObject({ ok: true, length: 5 });
    await other.close();
  });

  test("counts without a gap next to other writers and other appends", async () => {
    const stores = await openTwo();
    const count = (store: TrailStore): Promise<unknown> =>
      store.transact(async ({ db, append }: TrailTransaction<Tables>) => {
        await append(thought);
        const { max } = await db
          .selectFrom("orders")
          .select((eb) => eb.fn.max("number").as("max"))
          .executeTakeFirstOrThrow();
        await db
          .insertInto("orders")
          .values({ number: Number(max ?? 0) + 1 })
          .execute();
      });
    await Promise.all(
      Array.from({ length: 60 }, (_, index) => {
        const store = stores[index % 2] as TrailStore;
        return index % 6 === 5 ? store.append(thought) : count(store);
      }),
    );
    expect(await numbers(stores[0])).toEqual(Array.from({ length: 50 }, (_, index) => index + 1));
    const report = await stores[1].verify();
    expect([report.ok, report.tasks[0]?.length]).toEqual([true, 60]);
    await Promise.all(stores.map((store) => store.close()));
  });
});

describe("transactions that wait for the same SQLite file", () => {
  const databases = sqliteFiles();
  beforeAll(databases.start);
  afterAll(databases.stop);

  test("are stored together before any outcome is returned, without the one that fails", async () => {
    const url = await databases.create();
    const [store, other] = [await openTrailStore(url), await openTrailStore(url)];
    const outcomes: unknown[] = [];
    const seen: [unknown, unknown][] = [];
    const add = (content: string) =>
      store.transact(async ({ append }: TrailTransaction<Tables>) => {
        await append({ ...thought, content });
        // On a slow machine a group may end early, but a row is visible if and only if its outcome was returned.
        const shown = (await other.list("orders")).records.map((record) => record.content);
        seen.push([shown, outcomes.filter((outcome) => typeof outcome === "string")]);
        if (content === "second") throw new RangeError(content);
        return content;
      });
    const keep = (outcome: unknown): unknown => outcomes.push(outcome);
    await Promise.all(["first", "second", "third"].map((content) => add(content).then(keep, keep)));
    expect(seen).toHaveLength(3);
    for (const [shown, returned] of seen) expect(shown).toEqual(returned);
    expect(outcomes).toEqual(["first", new RangeError("second"), "third"]);
    expect((await other.list("orders")).records.map(({ content }) => content)).toEqual(["first", "third"]);
    expect((await other.verify()).ok).toBe(true);
    await Promise.all([store.close(), other.close()]);
  });

  test("let other work of the process run between them when they take long", async () => {
    const store = await openTrailStore(await databases.create());
    let turns = 0;
    const turning = setInterval(() => turns++, 0);
    const slow = (): Promise<void> =>
      store.transact(async () => {
        const end = performance.now() + 25;
        while (performance.now() < end);
      });
    await Promise.all(Array.from({ length: 20 }, slow));
    clearInterval(turning);
    expect(turns).toBeGreaterThanOrEqual(10);
    await store.close();
  });

  test("all fail where SQLite ends the transaction, and the next one is stored", async () => {
    const store = await openTrailStore(await databases.create());
    const add = () => store.transact(async ({ append }: TrailTransaction<Tables>) => append(thought));
    const ended = store.transact(async ({ db }: TrailTransaction<Tables>) => {
      await sql`rollback`.execute(db);
      throw new RangeError("the disk is full");
    });
    const outcomes = await Promise.allSettled([add(), ended, add()]);
    expect(outcomes.map(({ status }) => status)).toEqual(["rejected", "rejected", "rejected"]);
    expect((await add()).content).toBe(thought.content);
    expect((await store.verify()).tasks[0]?.length).toBe(1);
    await store.close();
  });
});

test("a database in memory has no connection for one", async () => {
  const store = await openTrailStore("sqlite::memory:");
  await expect(store.transact(async () => {})).rejects.toMatchObject({ code: "unavailable" });
  await store.close();
});
