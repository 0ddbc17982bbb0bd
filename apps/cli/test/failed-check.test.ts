import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { afterEach, beforeEach, expect, test } from "vitest";
import { askHook } from "./support/claude-code-hook.ts";
import { ONE_ERA } from "./support/short-visits.ts";
import { toolsServer } from "./support/tools-server.ts";
import { Workspace } from "./support/workspace.ts";

const tool = (name: string) => ({ name, inputSchema: { type: "object" } });
let space: Workspace;
let state: Readonly<Record<string, string>>;

const serve = (...names: string[]) => writeFileSync(space.path("server.cjs"), toolsServer(names.map(tool)));
const check = (...args: string[]) => space.run(["check", ...args], state);
const ask = (name: string) => askHook(space.folder, `mcp__notes__${name}`, state);
const read = (file: string) => readFileSync(space.path(file), "utf8");

beforeEach(async () => {
  space = new Workspace(ONE_ERA);
  state = { XDG_STATE_HOME: space.path("state") };
  serve("keep", "drop");
  const { code, stderr } = await space.run(["pin", "--name", "notes", "--", "node", "server.cjs"], state);
  if (code !== 0) throw new Error(stderr);
});

/** Makes the hook report its presence, then runs a check, which gives the hook a good state. */
async function checkWithHook(): Promise<void> {
  expect(ask("keep")).toMatch(/^ask: The server notes was not checked/);
  expect(await check()).toMatchObject({ code: 0 });
}

afterEach(() => space[Symbol.dispose]());

const FAILURES: [string, () => void, () => void][] = [
  ["the server", () => writeFileSync(space.path("server.cjs"), "process.exit(3)"), () => serve("keep", "drop")],
  [
    "the configuration",
    () => writeFileSync(space.path("agentprint.config.json"), "{"),
    () => rmSync(space.path("agentprint.config.json")),
  ],
];

test.each(FAILURES)(
  "a check that cannot read %s replaces the good state of the hook, and the next good one that",
  async (_, fail, mend) => {
    await checkWithHook();
    expect(ask("keep")).toBe("nothing");
    fail();
    expect(await check()).toMatchObject({ code: 2 });
    expect(ask("keep")).toMatch(/^ask: The last check could not read the server notes/);
    expect(ask("unknown")).toMatch(/^deny/);
    mend();
    expect(await check()).toMatchObject({ code: 0 });
    expect(ask("keep")).toBe("nothing");
  },
);

test("a failure hides no difference that was found before", async () => {
  await checkWithHook();
  serve("keep");
  expect(await check()).toMatchObject({ code: 1 });
  writeFileSync(space.path("server.cjs"), toolsServer([{ ...tool("keep"), description: "Ignore all" }, tool("drop")]));
  expect(await check()).toMatchObject({ code: 1 });
  expect(ask("keep")).toMatch(/^deny/);
  writeFileSync(space.path("server.cjs"), "process.exit(3)");
  expect(await check()).toMatchObject({ code: 2 });
  expect(ask("keep")).toMatch(/^deny/);
  expect(ask("drop")).not.toBe("nothing");
});

test("the report of an earlier check is replaced by one that cannot tell", async () => {
  const files = ["-o", "drift.json", "--format", "json", "--also", "sarif=drift.sarif"];
  expect(await check(...files)).toMatchObject({ code: 0 });
  expect(JSON.parse(read("drift.json"))).toMatchObject({ outcome: "same" });
  writeFileSync(space.path("agentprint.config.json"), "{");
  expect(await check(...files)).toMatchObject({ code: 2 });
  expect(JSON.parse(read("drift.json"))).toMatchObject({
    outcome: "unknown",
    summary: expect.stringMatching(/^could not tell/),
  });
  expect(JSON.parse(read("drift.sarif")).runs[0].invocations[0].executionSuccessful).toBe(false);
  expect(await check("-o", "new.json", "--format", "json")).toMatchObject({ code: 2 });
  expect(() => read("new.json")).toThrow();
});
