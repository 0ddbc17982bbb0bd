import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { findingsByTeller } from "../support/same-findings.ts";
import { toolsServer } from "../support/tools-server.ts";
import { Workspace } from "../support/workspace.ts";

const SHARED = resolve(import.meta.dirname, "../../../../../shared");
const DUMPS = join(SHARED, "mcp-dumps");
const QUIRKS = join(SHARED, "field/servers/quirks.js");
const isThere = existsSync(DUMPS) && existsSync(QUIRKS);

/** Returns every two dumps of the same server, the older one first. */
function pairsOfDumps(): [server: string, before: string, after: string][] {
  const files = readdirSync(DUMPS).sort();
  const serverOf = (file: string): string => file.slice(0, file.lastIndexOf("@"));
  return files.flatMap((before, nth) =>
    files
      .slice(nth + 1)
      .filter((after) => serverOf(after) === serverOf(before))
      .map((after): [string, string, string] => [serverOf(before), before, after]),
  );
}

/** Returns the modes of the server that has odd behaviors. */
function modes(): string[] {
  const found = readFileSync(QUIRKS, "utf8").matchAll(/mode === "(\w+)"/g);
  return [...new Set(Array.from(found, ([, mode]) => mode as string))];
}

let workspace: Workspace;
beforeEach(() => {
  workspace = new Workspace();
});
afterEach(() => workspace[Symbol.dispose]());

async function pin(): Promise<number | null> {
  return (await workspace.run(["pin", "--name", "a", "--", "node", "a.cjs"])).code;
}

let changed = 0;

async function expectSameFindings(): Promise<void> {
  const { check, others, ofTools } = await findingsByTeller(workspace, "a");
  expect(others).toEqual({ watch: check, approve: check, diff: check, package: check });
  expect(ofTools.guard).toEqual(ofTools.check);
}

describe.skipIf(!isThere)(
  "the changes are the same for every command, the package and the guard (needs ../shared)",
  () => {
    test.each(isThere ? pairsOfDumps() : [])("%s, from %s to %s", async (_server, before, after) => {
      const serve = (dump: string): void => {
        const { serverInfo, result } = JSON.parse(readFileSync(join(DUMPS, dump), "utf8"));
        writeFileSync(workspace.path("a.cjs"), toolsServer(result.tools, serverInfo));
      };
      serve(before);
      expect(await pin()).toBe(0);
      serve(after);
      await expectSameFindings();
    });

    test.each(isThere ? modes() : [])("a server that becomes odd: %s", async (mode) => {
      const serve = (odd: string): void =>
        writeFileSync(
          workspace.path("a.cjs"),
          `process.argv[2] = ${JSON.stringify(odd)};\n${readFileSync(QUIRKS, "utf8")}`,
        );
      serve(mode);
      const isPinned = (await pin()) === 0 && (await workspace.run(["check"])).code === 0;
      if (!isPinned) return;
      await workspace.run(["pin", "--replace", "--name", "a", "--", "node", "a.cjs"]);
      serve("none");
      if ((await workspace.run(["check"])).code !== 1) return;
      await expectSameFindings();
      changed++;
    });

    test("most modes that can be pinned were a change", () => {
      expect(changed).toBeGreaterThan(15);
    });
  },
);
