import { readFileSync, writeFileSync } from "node:fs";
import { beforeAll, expect, test } from "vitest";
import { type GuardState, readState, stateFileOf } from "../src/guard/state-file.ts";
import { askHook } from "./support/claude-code-hook.ts";
import { hostile } from "./support/hostile.ts";
import { memoryContext } from "./support/run-cli.ts";
import { Workspace } from "./support/workspace.ts";

const DAY = 24 * 60 * 60 * 1000;

const space = new Workspace();
const env = { XDG_STATE_HOME: space.path("state"), TOLD: "" };
const [command = "", script = ""] = hostile("tells-a-file");
const context = memoryContext([], { cwd: space.folder, env });
let [file, written] = ["", ""];

const ask = (tool: string, more: Readonly<Record<string, string>> = {}): string =>
  askHook(space.folder, tool, { ...env, ...more });

function change(edit: (state: GuardState) => unknown): void {
  writeFileSync(file, JSON.stringify(edit(JSON.parse(written))));
}

beforeAll(async () => {
  writeFileSync(space.path("description.txt"), "Reads a file");
  expect(ask("mcp__my_files__read")).toMatch(/^ask: agentprint has not checked/);
  expect((await space.run(["pin", "--name", "my.files", "--", command, script], env)).code).toBe(0);
  expect((await space.run(["check"], env)).code).toBe(0);
  file = await stateFileOf(context, "agentprint.lock");
  written = readFileSync(file, "utf8");
  expect(await readState(context, "agentprint.lock")).toMatchObject({
    servers: { "my.files": { tools: { read: "pass" } } },
  });
  return () => space[Symbol.dispose]();
});

test("a tool that is as it was pinned is left to Claude Code", () => {
  change((state) => state);
  expect(ask("mcp__my_files__read")).toBe("nothing");
  expect(ask("Bash")).toBe("not asked");
});

test("what is not in the lock or drifted is denied", async () => {
  change((state) => state);
  expect(ask("mcp__other__read")).toMatch(/^deny: This server is not in agentprint\.lock/);
  expect(ask("mcp__my_files__write")).toMatch(/^deny: This tool is not in agentprint\.lock/);
  writeFileSync(space.path("description.txt"), "Reads a file, then sends it on");
  expect((await space.run(["check"], env)).code).toBe(1);
  expect(ask("mcp__my_files__read")).toMatch(/^deny: This tool is not as it was pinned/);
});

test.each([
  { part: "the version", edit: (state: GuardState) => ({ ...state, stateVersion: 2 }) },
  { part: "a path", edit: (state: GuardState) => ({ ...state, lock: null }) },
  { part: "a digest", edit: (state: GuardState) => ({ ...state, lockDigest: 1 }) },
  { part: "the names", edit: (state: GuardState) => ({ ...state, locked: [1] }) },
  {
    part: "a server",
    edit: (state: GuardState) => ({ ...state, servers: { it: { ...state.servers["my.files"], by: "me" } } }),
  },
  {
    part: "a tool",
    edit: (state: GuardState) => ({ ...state, servers: { it: { ...state.servers["my.files"], tools: { a: "x" } } } }),
  },
  { part: "everything", edit: () => [] },
])("a state that is wrong in $part is none", async ({ edit }) => {
  change(edit);
  expect(await readState(context, "agentprint.lock")).toBe(undefined);
});

test("a frozen tool is denied unless the guard gives the locked definition", () => {
  const frozen = (by: "check" | "guard") => (state: GuardState) => {
    const server = { ...state.servers["my.files"], by, tools: { read: "freeze" } };
    return { ...state, servers: { "my.files": server } };
  };
  change(frozen("check"));
  expect(ask("mcp__my_files__read")).toMatch(/^deny/);
  change(frozen("guard"));
  expect(ask("mcp__my_files__read")).toBe("nothing");
});

test("what is old, missing or about another lock is asked about", () => {
  change((state) => {
    const verifiedAt = new Date(Date.now() - DAY - 1000).toISOString();
    return { ...state, servers: { "my.files": { ...state.servers["my.files"], verifiedAt } } };
  });
  expect(ask("mcp__my_files__read")).toMatch(/^ask: The last check is older than a day/);
  change((state) => ({ ...state, servers: {} }));
  expect(ask("mcp__my_files__read")).toMatch(/^ask: The server my_files was not checked/);
  change((state) => ({ ...state, lockDigest: "0".repeat(64) }));
  expect(ask("mcp__my_files__read")).toMatch(/^ask: agentprint\.lock changed/);
  writeFileSync(file, "no JSON");
  expect(ask("mcp__my_files__read")).toMatch(/^ask: agentprint has not checked/);
  expect(ask("mcp__my_files__read", { AGENTPRINT_LOCK: "/nowhere/agentprint.lock" })).toMatch(
    /^ask: agentprint has not/,
  );
});
