import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { hostname, tmpdir } from "node:os";
import { join } from "node:path";
import { startProgram } from "@agentprint/testing/programs";
import { afterEach, beforeEach, expect, test } from "vitest";
import { cleanStore } from "../src/index.ts";
import { keepFolder } from "../src/install/kept-folders.ts";

const NAME = "a".repeat(40);

let store: string;
let installed: number;
beforeEach(() => {
  store = mkdtempSync(join(tmpdir(), "agentprint-kept-"));
  installed = 0;
});
afterEach(() => rmSync(store, { recursive: true }));

async function install(folder: string): Promise<string> {
  writeFileSync(join(folder, "server"), `${++installed}`);
  return NAME;
}
const textIn = (folder: string): string => readFileSync(join(folder, "server"), "utf8");
const kept = (): string[] => readdirSync(store).filter((name) => name !== "in-use");

/** Starts another process, which uses a folder until its input ends. */
async function startUser(name: string): Promise<() => Promise<void>> {
  const user = await startProgram(process.execPath, ["-e", "process.stdin.resume()"], { stdio: "pipe" });
  mkdirSync(join(store, "in-use"), { recursive: true });
  writeFileSync(join(store, "in-use", `${name}.${hostname().replace(/[^\w-]/g, "_")}.${user.pid}`), "");
  return () =>
    new Promise((resolve) => {
      user.once("exit", () => resolve()).stdin.end();
    });
}

test.each<[string, (folder: string) => void, (folder: string) => boolean]>([
  ["with another file", (folder) => writeFileSync(join(folder, "more"), ""), () => true],
  ["that cannot be used any more", () => undefined, (folder) => textIn(folder) !== "1"],
])("a folder %s stays while another process uses it, and is replaced afterwards", async (_, damage, canBeUsed) => {
  const keep = (name?: string) => keepFolder(store, name, install, async (folder) => canBeUsed(folder));
  await keepFolder(store, NAME, install);
  damage(join(store, NAME));
  const end = await startUser(NAME);
  for (const name of [NAME, undefined]) {
    const other = await keep(name);
    expect(other.folder).not.toBe(join(store, NAME));
    expect([textIn(join(store, NAME)), textIn(other.folder)]).toEqual(["1", "2"]);
  }
  expect(kept()).toHaveLength(2);
  const [, second = ""] = kept().toSorted((a) => (a === NAME ? -1 : 1));
  await end();
  expect((await keep(NAME)).folder).toBe(join(store, NAME));
  expect(existsSync(join(store, NAME, "more"))).toBe(false);
  expect((await keep(NAME)).isNew).toBe(false);
  // Now only this process's note leads to the other name.
  rmSync(join(store, "in-use"), { recursive: true });
  expect(await cleanStore(store, [])).toContainEqual({ folder: join(store, second), state: "removed" });
});

test("processes that find no complete folder share one, although each recorded its use before", async () => {
  const end = await startUser(NAME);
  const all = await Promise.all([1, 2].map(() => keepFolder(store, NAME, install)));
  expect(all.map(({ folder }) => folder)).toEqual([join(store, NAME), join(store, NAME)]);
  expect(kept()).toEqual([NAME]);
  await end();
});
