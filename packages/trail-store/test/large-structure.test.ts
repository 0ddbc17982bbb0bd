/** The structure of a large database is checked in a thread, while the process continues. */
import { once } from "node:events";
import { closeSync, copyFileSync, mkdtempSync, openSync, rmSync, statSync, writeSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Worker } from "node:worker_threads";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { answerAbout } from "../src/database/check-structure.ts";
import { openTrailStore, type TrailStore } from "../src/index.ts";

let folder = "";
let path = "";
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "trail-large-"));
  path = join(folder, "large.db");
  const store = await openTrailStore(`file:${path}`);
  const content = "A sentence. ".repeat(5000);
  for (let nth = 0; nth < 200; nth++) await store.append({ type: "plan", task_id: "t", agent_id: "a", content });
  await store.close();
});
afterAll(() => rmSync(folder, { recursive: true }));

/** Calls `use` with a store, and returns how many threads were started meanwhile. */
async function threadsOf(use: (store: TrailStore) => Promise<unknown>, name = path): Promise<number> {
  let threads = 0;
  const count = (): void => void threads++;
  process.on("worker", count);
  const store = await openTrailStore(`file:${name}`, { readonly: true });
  try {
    await use(store);
  } finally {
    await store.close();
    process.off("worker", count);
  }
  return threads;
}

test("a large database is checked in a thread, checks wait for each other, and a small one is checked here", async () => {
  expect(await threadsOf(async (store) => expect(await store.checkStructure()).toEqual([]))).toBe(1);
  let most = 0;
  let alive = 0;
  const watch = (worker: Worker): void => {
    most = Math.max(most, ++alive);
    worker.once("exit", () => alive--);
  };
  process.on("worker", watch);
  onTestFinished(() => void process.off("worker", watch));
  await threadsOf((store) => Promise.all(Array.from({ length: 5 }, () => store.checkStructure())));
  expect(most).toBe(1);
  const small = join(folder, "small.db");
  await (await openTrailStore(`file:${small}`)).close();
  expect(await threadsOf((store) => store.checkStructure(), small)).toBe(0);
});

test("damage that the thread finds, and an error of SQLite in it, are those of a check here", async () => {
  const damaged = join(folder, "damaged.db");
  copyFileSync(path, damaged);
  const size = statSync(damaged).size;
  for (const [place, bytes, code] of [
    [size / 2, Buffer.alloc(4096, 0xff), "corrupt"],
    [0, Buffer.from("no database at all"), "corrupt"],
  ] as const) {
    const threads = await threadsOf(async (store) => {
      const file = openSync(damaged, "r+");
      writeSync(file, bytes, 0, bytes.length, place - (place % 4096));
      closeSync(file);
      await expect(store.checkStructure()).rejects.toMatchObject({ code });
    }, damaged).catch((error: unknown) => error);
    expect(threads).toBe(1);
  }
  expect(answerAbout(path)).toEqual({ damage: undefined });
  expect(answerAbout(damaged)).toMatchObject({ code: "SQLITE_NOTADB" });
  expect(() => answerAbout(1 as unknown as string)).toThrow(TypeError);
});

test("checks of a store that is closed meanwhile are refused, also those that wait", async () => {
  const store = await openTrailStore(`file:${path}`, { readonly: true });
  const started = once(process, "worker");
  const checks = Array.from({ length: 3 }, () => store.checkStructure());
  const ends = Promise.allSettled(checks);
  await started;
  await store.close();
  for (const end of await ends) {
    expect(end).toMatchObject({
      status: "rejected",
      reason: expect.objectContaining({ code: "unavailable", message: expect.stringContaining("was closed") }),
    });
  }
  expect(await threadsOf((other) => other.checkStructure())).toBe(1);
});
