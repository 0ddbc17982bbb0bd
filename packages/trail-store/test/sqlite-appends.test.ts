import { readFileSync } from "node:fs";
import { setImmediate as nextTurn } from "node:timers/promises";
import { runs } from "@agentprint/testing/property-runs";
import { collect, sqliteFiles } from "@agentprint/testing/trail/backends";
import fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";
import { connectSqlite } from "#sqlite";
import { openTrailStore, type ThoughtInput, type TrailStore } from "../src/index.ts";

const thought = { type: "plan", task_id: "t", agent_id: "a", content: "c" } as const;
const files = sqliteFiles();
beforeAll(files.start);
afterAll(files.stop);

const pathOf = (url: string): string => url.slice("file:".length);
const contents = async (store: TrailStore): Promise<string[]> =>
  (await collect(store.read("t"))).map(({ content }) => content);
const numbered = (count: number): ThoughtInput[] =>
  Array.from({ length: count }, (_, index) => ({ ...thought, content: `${index}` }));

/**
 * Returns how many transactions a file's log has: the last frame of each contains the size of the database after it.
 */
function transactionsIn(path: string): number {
  const log = readFileSync(`${path}-wal`);
  const frame = 24 + log.readUInt32BE(8);
  let transactions = 0;
  for (let at = 32; at < log.length; at += frame) if (log.readUInt32BE(at + 4) > 0) transactions++;
  return transactions;
}

test("appends that are issued together share a transaction, whatever their tasks", async () => {
  const url = await files.create();
  const store = await openTrailStore(url);
  const before = transactionsIn(pathOf(url));
  const inputs = numbered(150).map((input, index) => ({ ...input, task_id: `task-${index % 3}` }));
  const records = await Promise.all(inputs.map((input) => store.append(input)));
  expect(records.map(({ content }) => content)).toEqual(inputs.map(({ content }) => content));
  // A group has at most 64 appends.
  expect(transactionsIn(pathOf(url)) - before).toBe(3);
  expect(await store.verify()).toMatchObject({ ok: true, length: 150 });
  await store.close();
});

test("many records are not stored in one transaction with other appends", async () => {
  const url = await files.create();
  const store = await openTrailStore(url);
  const before = transactionsIn(pathOf(url));
  const sizes = [10, 1200, 600, 400, 1];
  const stored = await Promise.all(sizes.map((size) => store.appendAll(numbered(size))));
  expect(stored.map(({ length }) => length)).toEqual(sizes);
  expect(transactionsIn(pathOf(url)) - before).toBe(4);
  expect(await store.verify()).toMatchObject({ ok: true, length: 2211 });
  await store.close();
});

const input = fc.record(
  {
    type: fc.constantFrom("plan", "wrong" as "plan"),
    task_id: fc.constantFrom("t", "u"),
    agent_id: fc.constant("a"),
    content: fc.constantFrom("c", "d"),
    id: fc.constantFrom("1", "2", "3", "4"),
  },
  { requiredKeys: ["type", "task_id", "agent_id", "content"] },
);

/** Runs appends with a fixed clock and fixed ids, and returns the outcomes and the stored records. */
async function outcomesOf(run: (store: TrailStore) => Promise<PromiseSettledResult<unknown>[]>): Promise<unknown> {
  let ids = 0;
  const options = { now: () => new Date(0), id: () => `new-${ids++}` };
  const store = await openTrailStore("sqlite::memory:", options);
  const outcomes = (await run(store)).map((outcome) =>
    outcome.status === "fulfilled" ? outcome.value : outcome.reason.code,
  );
  const lines = await collect(store.export());
  expect((await store.verify()).ok).toBe(true);
  await store.close();
  return { outcomes, lines };
}

test("the outcomes and records of appends issued together are those of separate ones", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.array(input, { minLength: 1, maxLength: 3 }), { maxLength: 80 }), async (all) => {
      const together = outcomesOf((store) => Promise.allSettled(all.map((inputs) => store.appendAll(inputs))));
      const separate = outcomesOf(async (store) => {
        const outcomes: PromiseSettledResult<unknown>[] = [];
        for (const inputs of all) outcomes.push(...(await Promise.allSettled([store.appendAll(inputs)])));
        return outcomes;
      });
      expect(await together).toEqual(await separate);
    }),
    { numRuns: runs(15) },
  );
});

test.each([
  ["raise(abort, 'no')", "append-only"],
  ["raise(rollback, 'no')", "append-only"],
  ["raise(ignore)", "not-stored"],
])("one that %s of a trigger refuses leaves the others as they are", async (refusal, code) => {
  const url = await files.create();
  const store = await openTrailStore(url);
  const owner = connectSqlite(pathOf(url), {});
  owner.exec(`create trigger mine before insert on thoughts when new.content = '3' begin select ${refusal}; end`);
  owner.close();
  const outcomes = await Promise.allSettled(numbered(6).map((each) => store.append(each)));
  const codes = outcomes.map((outcome) => (outcome.status === "fulfilled" ? "stored" : outcome.reason.code));
  expect(codes).toEqual(["stored", "stored", "stored", code, "stored", "stored"]);
  expect(await contents(store)).toEqual(["0", "1", "2", "4", "5"]);
  await store.close();
});

test("one whose clock throws leaves the others as they are", async () => {
  let calls = 0;
  const now = (): Date => {
    calls++;
    if (calls % 3 === 2) throw new RangeError("no time");
    return new Date(0);
  };
  const store = await openTrailStore("sqlite::memory:", { now });
  const outcomes = await Promise.allSettled(numbered(4).map((each) => store.append(each)));
  expect(outcomes.filter(({ status }) => status === "rejected").map((outcome) => outcome)).toMatchObject([
    { reason: { message: "no time" } },
  ]);
  expect(await store.verify()).toMatchObject({ ok: true, length: 3 });
  await store.close();
});

test("appends are stored in their order where another writer keeps the file busy", async () => {
  const url = await files.create();
  const store = await openTrailStore(url);
  const other = connectSqlite(pathOf(url), {});
  other.exec("begin immediate");
  const appends = numbered(150).map((each) => store.append(each));
  // After this turn, the first attempt has failed.
  await nextTurn();
  other.exec("rollback");
  await Promise.all(appends);
  expect(await contents(store)).toEqual(numbered(150).map(({ content }) => content));
  other.close();
  await store.close();
});

test("each append waits as long as its store does, and no longer", async () => {
  const url = await files.create();
  const store = await openTrailStore(url, { retryForMs: 1000 });
  const other = connectSqlite(pathOf(url), {});
  other.exec("begin immediate");
  const start = performance.now();
  const early = numbered(70).map((each) => store.append(each));
  const refused = Promise.allSettled(early);
  while (performance.now() - start < 600) await nextTurn();
  const late = store.append({ ...thought, content: "late" });
  const codes = (await refused).map((outcome) => (outcome.status === "rejected" ? outcome.reason.code : "stored"));
  expect(codes).toEqual(early.map(() => "busy"));
  other.exec("rollback");
  expect((await late).content).toBe("late");
  expect(await contents(store)).toEqual(["late"]);
  other.close();
  await store.close();
});
