import { chmodSync, copyFileSync, linkSync, mkdirSync, rmSync, symlinkSync } from "node:fs";
import { join, relative } from "node:path";
import { pathToFileURL } from "node:url";
import { openFolder, withoutRoot } from "@agentprint/testing/other-accounts";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { connectSqlite } from "#sqlite";
import { openTrailStore } from "../src/index.ts";

// Lets SQLite read a file in a read-only folder; SQLite reads this variable when the first database is opened.
process.env["SQLITE_USE_URI"] = "1";

const thought = { type: "plan", task_id: "t", agent_id: "a", content: "c" } as const;
let directory = "";
beforeAll(() => {
  directory = openFolder("trail-names-");
});
afterAll(() => {
  for (const folder of sealed) chmodSync(folder, 0o755);
  rmSync(directory, { recursive: true });
});

const sealed: string[] = [];
function seal(folder: string): void {
  chmodSync(folder, 0o555);
  sealed.push(folder);
}

interface Case {
  readonly path: string;
  readonly names: readonly string[];
}

/** Makes a store of three records as a killed process leaves it, with two of them only in its log. */
async function makeCase(name: string, log: boolean): Promise<Case> {
  const from = join(directory, `${name}-source.db`);
  const store = await openTrailStore(`file:${from}`);
  await store.append(thought);
  const holding = connectSqlite(from, {});
  holding.exec("pragma wal_checkpoint(TRUNCATE)");
  await store.appendAll([thought, thought]);
  const [real, links] = [join(directory, name, "real"), join(directory, name, "links")];
  for (const folder of [real, links]) mkdirSync(folder, { recursive: true });
  const path = join(real, "trail.db");
  if (!log) holding.exec("pragma wal_checkpoint(TRUNCATE)");
  copyFileSync(from, path);
  if (log) copyFileSync(`${from}-wal`, `${path}-wal`);
  holding.close();
  await store.close();
  symlinkSync(path, join(links, "absolute.db"));
  symlinkSync("../real/trail.db", join(links, "relative.db"));
  symlinkSync("relative.db", join(links, "twice.db"));
  symlinkSync("../real", join(links, "folder"));
  return { path, names: namesOf(path, links) };
}

function namesOf(path: string, links: string): string[] {
  return [
    `file:${path}`,
    `sqlite:${path}`,
    `sqlite://${path}`,
    `file:${path} `,
    `file:${relative(process.cwd(), path)}`,
    `sqlite:./${relative(process.cwd(), path)}`,
    `file:${join(path, "..")}/../real//./trail.db`,
    pathToFileURL(path).href,
    ...["absolute.db", "relative.db", "twice.db", "folder/trail.db"].map((link) => `file:${join(links, link)}`),
    pathToFileURL(join(links, "twice.db")).href,
    `file:${relative(process.cwd(), join(links, "folder/trail.db"))}`,
  ];
}

async function verdictOf(url: string): Promise<unknown> {
  try {
    const store = await openTrailStore(url, { readonly: true, retryForMs: 10 });
    const { ok, length } = await store.verify().finally(() => store.close());
    return { ok, length };
  } catch (error) {
    return (error as { code: unknown }).code;
  }
}

describe.skipIf(process.platform === "win32")("the verdict on a store is the same under every name of it", () => {
  test.each([
    ["with a log", true, { ok: true, length: 3 }],
    ["without one", false, { ok: true, length: 3 }],
  ])("%s", async (name, log, verdict) => {
    const { names } = await makeCase(name, log);
    for (const url of names) expect([url, await verdictOf(url)]).toEqual([url, verdict]);
  });

  test.each([
    ["sealed with a log", true, "unavailable"],
    ["sealed without one", false, { ok: true, length: 3 }],
  ])("%s", async (name, log, verdict) => {
    const { path, names } = await makeCase(name, log);
    for (const folder of ["real", "links"]) seal(join(path, "../..", folder));
    await withoutRoot(async () => {
      for (const url of names) expect([url, await verdictOf(url)]).toEqual([url, verdict]);
    });
  });

  test.each(["w", "x"])("with a second name of its own, here and elsewhere: %s", async (name) => {
    const { path, names } = await makeCase(`hard ${name}`, true);
    const second = join(path, name === "w" ? ".." : "../../links", "second.db");
    linkSync(path, second);
    for (const url of [...names, `file:${second}`]) expect([url, await verdictOf(url)]).toEqual([url, "unavailable"]);
  });

  test("a folder has no store, and the error says so", async () => {
    for (const options of [{}, { readonly: true }]) {
      await expect(openTrailStore(`file:${directory}`, options)).rejects.toMatchObject({
        code: "unavailable",
        message: expect.stringContaining("it is a folder"),
      });
    }
  });

  test("a link to a missing file, or to itself, has no store", async () => {
    symlinkSync("nowhere.db", join(directory, "nowhere-link.db"));
    symlinkSync("circle.db", join(directory, "circle.db"));
    symlinkSync("nothing/x.db", join(directory, "no-folder.db"));
    expect(await verdictOf(`file:${join(directory, "nowhere-link.db")}`)).toBe("not-a-trail-store");
    expect(await verdictOf(`file:${join(directory, "no-folder.db")}`)).toBe("not-a-trail-store");
    expect(await verdictOf(`file:${join(directory, "circle.db")}`)).toBe("unavailable");
    for (const link of ["circle.db", "no-folder.db"]) {
      const made = openTrailStore(`file:${join(directory, link)}`, { retryForMs: 10 });
      await expect(made).rejects.toMatchObject({ code: "unavailable" });
    }
  });

  test("a store can be created at the target of a link to a missing file", async () => {
    symlinkSync("made.db", join(directory, "made-link.db"));
    const store = await openTrailStore(`file:${join(directory, "made-link.db")}`);
    await store.append(thought);
    expect(await verdictOf(`file:${join(directory, "made.db")}`)).toEqual({ ok: true, length: 1 });
    expect(await verdictOf(`file:${join(directory, "made-link.db")}`)).toEqual({ ok: true, length: 1 });
    await store.close();
  });
});
