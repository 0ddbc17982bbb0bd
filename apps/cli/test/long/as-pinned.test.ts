import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { asClient, CAPABILITIES, guardCommand, isPinned, QUIRKS } from "../support/quirks.ts";
import { Workspace } from "../support/workspace.ts";

const NUMBERS = fileURLToPath(new URL("../support/numbers-server.cjs", import.meta.url));
const DUMPS = resolve(import.meta.dirname, "../../../../../shared/mcp-dumps");

/** Modes in which chance or the moment decides what a server answers, so that two of its runs are two servers. */
const BY_CHANCE = new Set(["ab", "latesilent", "order", "orderprops", "orderenum"]);

/** The modes of the server of oddities. */
function modes(): string[] {
  const found = readFileSync(QUIRKS, "utf8").matchAll(/mode === "(\w+)"|\[((?:"\w+", )+"\w+")\]\.includes\(mode\)/g);
  const named = Array.from(found, ([, mode, several]) => (mode === undefined ? several?.match(/\w+/g) : [mode]) ?? []);
  return [...new Set(named.flat())].filter((mode) => !BY_CHANCE.has(mode));
}

/** Where pin and check end with 0, the official client sees behind the guard what it sees directly. */
async function expectAsPinned(space: Workspace, direct: readonly string[]): Promise<void> {
  if (!(await isPinned(space, direct))) return;
  for (const capabilities of CAPABILITIES) {
    const wanted = await asClient(space, direct, capabilities);
    if (wanted.pages === "failed") continue;
    expect(await asClient(space, guardCommand("q"), capabilities)).toEqual(wanted);
  }
}

test.each(modes())("what pin and check call unchanged, a client behind the guard lists and calls: %s", async (mode) => {
  using space = new Workspace();
  await expectAsPinned(space, [process.execPath, QUIRKS, mode]);
});

describe.skipIf(!existsSync(DUMPS))("real servers (skipped where ../shared/mcp-dumps is absent)", () => {
  test.each(existsSync(DUMPS) ? readdirSync(DUMPS).filter((name) => name.endsWith(".json")) : [])(
    "%s",
    async (name) => {
      using space = new Workspace();
      const { result } = JSON.parse(readFileSync(join(DUMPS, name), "utf8"));
      writeFileSync(space.path("list.json"), JSON.stringify(result));
      await expectAsPinned(space, [process.execPath, NUMBERS, space.path("list.json")]);
    },
  );
});
