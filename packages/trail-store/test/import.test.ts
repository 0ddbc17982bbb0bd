import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  collect,
  postgresDatabases,
  sqliteFiles,
  sqliteMemory,
  testedDatabases,
} from "@agentprint/testing/trail/backends";
import { createThought, formatThoughtLine } from "@agentprint/trail/chain";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openTrailStore } from "../src/index.ts";

const thought = { type: "plan", task_id: "t", agent_id: "a", content: "c" } as const;
const encoder = new TextEncoder();
const lineOf = (task_id: string): Uint8Array =>
  encoder.encode(formatThoughtLine(createThought({ ...thought, task_id }, null, { id: `of ${task_id}`, now: "now" })));

const MANY_TASKS = Array.from({ length: 10_001 }, (_, index) => lineOf(`many ${index}`));

/** Runs `run` with its own temporary folder, and returns the names of the files left in it. */
async function leftBehind(run: () => Promise<void>): Promise<string[]> {
  const { TMPDIR: before = tmpdir() } = process.env;
  const folder = mkdtempSync(join(before, "trail-spools-"));
  process.env["TMPDIR"] = folder;
  await run().finally(() => {
    process.env["TMPDIR"] = before;
  });
  const left = readdirSync(folder);
  rmSync(folder, { recursive: true });
  return left;
}

describe.each(
  testedDatabases({
    "SQLite in memory": sqliteMemory,
    "a SQLite file": sqliteFiles(),
    PostgreSQL: postgresDatabases(),
  }),
)("an import into %s", (_name, databases) => {
  beforeAll(databases.start);
  afterAll(databases.stop);

  test("lets other writers append while it waits for its input", async () => {
    const url = await databases.create();
    const store = await openTrailStore(url);
    const other = url.includes("memory") ? store : await openTrailStore(url, { retryForMs: 200 });
    async function* slowly(): AsyncGenerator<Uint8Array> {
      yield lineOf("first");
      // Other records are written immediately while the import arrives.
      await other.append({ ...thought, id: "meanwhile" });
      yield lineOf("second");
    }
    expect(await store.import(slowly())).toEqual({ added: 2, known: 0 });
    expect(await store.verify()).toMatchObject({ ok: true, length: 3 });
    await Promise.all([store.close(), other.close()]);
  });

  test("adds nothing if the input ends early or is no trail, and leaves no temporary file", async () => {
    const store = await openTrailStore(await databases.create());
    async function* broken(): AsyncGenerator<Uint8Array> {
      yield lineOf("first");
      throw new Error("the input broke off");
    }
    const left = await leftBehind(async () => {
      await expect(store.import(broken())).rejects.toThrow("the input broke off");
      const bad = store.import([lineOf("first"), encoder.encode("{}\n")]);
      await expect(bad).rejects.toMatchObject({ code: "invalid-trail" });
    });
    expect(await collect(store.tasks())).toEqual([]);
    expect(left).toEqual([]);
    await store.close();
  });

  test("has a limit of tasks", async () => {
    const store = await openTrailStore(await databases.create());
    const lines = Array.from({ length: 4 }, (_, index) => lineOf(`task ${index}`));
    await expect(store.import(lines, { maxTasks: 3 })).rejects.toMatchObject({ code: "too-many-tasks" });
    expect(await collect(store.tasks())).toEqual([]);
    expect(await store.import(lines, { maxTasks: 4 })).toEqual({ added: 4, known: 0 });
    await expect(store.import(MANY_TASKS)).rejects.toMatchObject({ code: "too-many-tasks" });
    await store.close();
  });
});
