import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { openTrailStore } from "@agentprint/trail-store";
import { expect, test } from "vitest";
import { readEvents } from "../../src/index.ts";
import { chainOf, chainsIn, collect, entriesOf, kindsOf, record, SECRET, temporaryFolder } from "../support.ts";

const WRITER = fileURLToPath(new URL("write-until-killed.ts", import.meta.url));

/** Lets a process record into `store` until `count` records are acknowledged, and kills it in the middle of the next ones. */
async function recordAndKill(store: string, count: number): Promise<{ session: string; acknowledged: string[] }> {
  const child = spawn(process.execPath, ["--conditions=@agentprint/source", WRITER, store], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  let text = "";
  child.stdout.setEncoding("utf8").on("data", (chunk: string) => {
    text += chunk;
    if (text.split("\n").length > count) child.kill("SIGKILL");
  });
  await once(child, "close");
  // The last line may be half of one.
  const [session = "", ...acknowledged] = text.split("\n").slice(0, -1);
  return { session, acknowledged };
}

test.each([1, 7, 50, 300, 1_000, 4_000])(
  "killed after %i acknowledged records, a process has lost none of them",
  async (count) => {
    const store = temporaryFolder();
    const { session, acknowledged } = await recordAndKill(store, count);
    const next = await record({ store });
    expect(next.unended).toMatchObject([{ session }]);
    await next.close();
    // What `entriesOf` reads has no problem in its chain.
    const entries = await entriesOf(join(store, `${session}.jsonl`));
    const ids = new Set(entries.flatMap((entry) => ("record" in entry ? [entry.record.id] : [])));
    expect(acknowledged.length).toBeGreaterThanOrEqual(count - 1);
    expect(acknowledged.filter((id) => !ids.has(id))).toEqual([]);
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
  const ids = new Set(entries.flatMap((entry) => ("record" in entry ? [entry.record.id] : [])));
  expect(acknowledged.filter((id) => !ids.has(id))).toEqual([]);
  await trails.close();
});

test("eight processes that record into one folder, and are killed, leave eight whole chains, and each is told", async () => {
  const store = temporaryFolder();
  const killed = await Promise.all(Array.from({ length: 8 }, () => recordAndKill(store, 50)));
  const next = await record({ store });
  await next.close();
  const told = new Set<unknown>();
  for (const path of chainsIn(store)) {
    for (const entry of await entriesOf(path))
      if (entry.is === "event" && entry.event.kind === "gap") told.add(entry.event.of);
  }
  // A process that began when another was killed already has told of it.
  expect([...told].sort()).toEqual(killed.map(({ session }) => session).sort());
  for (const { session, acknowledged } of killed) {
    const entries = await entriesOf(join(store, `${session}.jsonl`));
    const ids = new Set(entries.flatMap((entry) => ("record" in entry ? [entry.record.id] : [])));
    expect(acknowledged.filter((id) => !ids.has(id))).toEqual([]);
  }
});
