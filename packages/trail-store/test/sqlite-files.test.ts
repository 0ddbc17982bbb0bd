import { chmodSync, copyFileSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { openFolder, withoutRoot } from "@agentprint/testing/other-accounts";
import { collect } from "@agentprint/testing/trail/backends";
import { createThought, formatThoughtLine } from "@agentprint/trail/chain";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { connectSqlite } from "#sqlite";
import { openTrailStore } from "../src/index.ts";

const thought = { type: "plan", task_id: "t", agent_id: "a", content: "c" } as const;
let directory = "";
beforeAll(() => {
  directory = openFolder("trail-files-");
});
afterAll(() => rmSync(directory, { recursive: true }));

async function makeStore(name: string): Promise<string> {
  const path = join(directory, name);
  const store = await openTrailStore(`file:${path}`);
  await store.append(thought);
  await store.close();
  return path;
}

function inMode(path: string, mode: "wal" | "delete", sql = ""): void {
  const database = connectSqlite(path, {});
  database.exec(`pragma journal_mode = ${mode}`);
  database.exec(sql);
  database.close();
}

describe("a file or database that is no store", () => {
  test.each([
    ["nothing.db", ""],
    ["one-byte.db", "x"],
    ["a database of someone's", null],
  ])("stays as it is: %s", async (name, content) => {
    const path = join(directory, name);
    if (content === null) inMode(path, "delete", "create table other (x)");
    else writeFileSync(path, content);
    const before = readFileSync(path);
    for (const options of [{ create: false }, { readonly: true }]) {
      await expect(openTrailStore(`file:${path}`, options)).rejects.toMatchObject({ code: "not-a-trail-store" });
    }
    expect(readFileSync(path).equals(before)).toBe(true);
  });
});

describe("a store whose files are replaced while it is open acknowledges nothing more:", () => {
  const change = {
    removed: (path: string): void => rmSync(path),
    renamed: (path: string): void => renameSync(path, `${path}.old`),
    replaced: (path: string): void => copyFileSync(path, `${path}.copy`) ?? renameSync(`${path}.copy`, path),
    "without its log": (path: string): void => rmSync(`${path}-wal`),
  };
  test.each(Object.entries(change))("%s", async (how, replace) => {
    const path = await makeStore(`${how}.db`);
    const store = await openTrailStore(`file:${path}`);
    const add = (): Promise<unknown> => store.transact(async ({ append }) => append(thought));
    await Promise.all([store.append(thought), add()]);
    replace(path);
    const expected = { code: "unavailable", message: expect.stringContaining("removed, renamed or replaced") };
    await expect(store.append(thought)).rejects.toMatchObject(expected);
    await expect(Promise.all([store.append(thought), store.append(thought)])).rejects.toMatchObject(expected);
    await expect(add()).rejects.toMatchObject(expected);
    await store.close();
  });
});

test("a store that a newer version made is opened for reading alone, and the error says what to do", async () => {
  const path = await makeStore("newer.db");
  inMode(path, "wal", "insert into trail_migration values ('002_later', '2027-01-01T00:00:00.000Z')");
  await expect(openTrailStore(`file:${path}`)).rejects.toMatchObject({
    code: "not-a-trail-store",
    message: expect.stringMatching(/001_trail, received one that a newer version .* made: open it with that version/),
  });
  const store = await openTrailStore(`file:${path}`, { readonly: true });
  expect(await store.verify()).toMatchObject({ ok: true, length: 1 });
  await store.close();
});

describe("a store that is only read", () => {
  test.each(["wal", "delete"] as const)("changes no byte of a file in mode %s, and writes nothing", async (mode) => {
    const path = await makeStore(`${mode}.db`);
    inMode(path, mode);
    const before = readFileSync(path);
    const store = await openTrailStore(`file:${path}`, { readonly: true, retryForMs: 10 });
    expect(await store.verify()).toMatchObject({ ok: true, length: 1 });
    await expect(store.append(thought)).rejects.toMatchObject({ code: "unavailable" });
    const other = createThought({ ...thought, task_id: "other" }, null, { id: "other", now: "now" });
    const imported = store.import([new TextEncoder().encode(formatThoughtLine(other))]);
    await expect(imported).rejects.toMatchObject({ code: "unavailable" });
    await store.close();
    expect(readFileSync(path).equals(before)).toBe(true);
  });

  test("sees records that are written meanwhile", async () => {
    const url = `file:${await makeStore("shared.db")}`;
    const [reader, writer] = [
      await openTrailStore(url, { readonly: true }),
      await openTrailStore(url, { create: false }),
    ];
    await writer.append(thought);
    expect(await collect(reader.tasks())).toEqual([{ taskId: "t", length: 2 }]);
    await reader.close();
    await writer.close();
  });
});

describe.skipIf(process.platform === "win32")("in a folder that cannot be written", () => {
  const sealed = async (run: () => Promise<void>): Promise<void> => {
    chmodSync(directory, 0o555);
    await withoutRoot(run).finally(() => chmodSync(directory, 0o755));
  };

  test("a store is read if SQLite needs no file next to it", async () => {
    const path = await makeStore("rollback.db");
    inMode(path, "delete");
    await sealed(async () => {
      const store = await openTrailStore(`file:${path}`, { readonly: true });
      expect(await store.verify()).toMatchObject({ ok: true, length: 1 });
      await store.close();
    });
  });

  test("a store in WAL mode is read where the driver knows that no other process has it open, and else the error says what it needs", async () => {
    const path = await makeStore("sealed.db");
    await sealed(async () => {
      const opened = openTrailStore(`file:${path}`, { readonly: true });
      if (import.meta.resolve("#sqlite").includes("node-sqlite")) {
        const store = await opened;
        expect(await store.verify()).toMatchObject({ ok: true, length: 1 });
        await store.close();
      } else {
        const message = expect.stringContaining("SQLITE_USE_URI=1");
        await expect(opened).rejects.toMatchObject({ code: "unavailable", message });
      }
    });
  });
});

test("an import waits for other writers as long as its store does", async () => {
  const path = await makeStore("busy.db");
  const hasty = await openTrailStore(`file:${path}`, { retryForMs: 10 });
  const patient = await openTrailStore(`file:${path}`, { retryForMs: 1000 });
  const other = connectSqlite(path, {});
  other.exec("begin immediate");
  const gaveUp: string[] = [];
  await Promise.all([
    expect(hasty.import([]).finally(() => gaveUp.push("import"))).rejects.toMatchObject({ code: "busy" }),
    expect(patient.append(thought).finally(() => gaveUp.push("append"))).rejects.toMatchObject({ code: "busy" }),
  ]);
  expect(gaveUp).toEqual(["import", "append"]);
  other.close();
  await Promise.all([hasty.close(), patient.close()]);
});
