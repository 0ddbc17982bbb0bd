import { join } from "node:path";
import { openTrailStore } from "@agentprint/trail-store";
import { expect, test } from "vitest";
import { readEvents } from "../../src/index.ts";
import { chainOf, chainsIn, collect, entriesOf, kindsOf, record, SECRET, temporaryFolder } from "../support.ts";
import { lostFrom, recordAndKill } from "./record-and-kill.ts";

test.each([1, 7, 50, 300, 1_000, 4_000])(
  "killed after %i acknowledged records, a process has lost none of them",
  async (count) => {
    const store = temporaryFolder();
    const { session, acknowledged } = await recordAndKill(store, count);
    const next = await record({ store });
    expect(next.unended).toMatchObject([{ session }]);
    await next.close();
    // `entriesOf` asserts that a chain is intact.
    const entries = await entriesOf(join(store, `${session}.jsonl`));
    expect(acknowledged.length).toBeGreaterThanOrEqual(count - 1);
    expect(lostFrom(entries, acknowledged)).toEqual([]);
    expect(entries.filter(({ is }) => is !== "event")).toEqual([{ is: "not-ended", session }]);
    expect(kindsOf(await entriesOf(chainOf(next, store)))).toEqual(["session-start", "gap", "session-end"]);
  },
);

test("killed in the middle, a process has lost nothing that a database acknowledged", async () => {
  const store = `file:${join(temporaryFolder(), "trail.db")}`;
  const { session, acknowledged } = await recordAndKill(store, 200);
  const next = await record({ store });
  expect(next.unended).toMatchObject([{ session }]);
  await next.close();
  const trails = await openTrailStore(store);
  expect((await trails.verify()).ok).toBe(true);
  const entries = await collect(readEvents(trails.read(session), { keys: [SECRET] }));
  expect(lostFrom(entries, acknowledged)).toEqual([]);
  await trails.close();
});

test("eight processes that record into one folder, and are killed, leave eight whole chains, and each is reported", async () => {
  const store = temporaryFolder();
  const killed = await Promise.all(Array.from({ length: 8 }, () => recordAndKill(store, 50)));
  const next = await record({ store });
  await next.close();
  const reported = new Set<unknown>();
  for (const path of chainsIn(store)) {
    for (const entry of await entriesOf(path))
      if (entry.is === "event" && entry.event.kind === "gap") reported.add(entry.event.of);
  }
  // A process that began after another one was killed has already reported that one.
  expect([...reported].sort()).toEqual(killed.map(({ session }) => session).sort());
  for (const { session, acknowledged } of killed) {
    const entries = await entriesOf(join(store, `${session}.jsonl`));
    expect(lostFrom(entries, acknowledged)).toEqual([]);
  }
});
