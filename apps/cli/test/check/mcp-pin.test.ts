import { readFileSync, writeFileSync } from "node:fs";
import { definitionSetHashV1, instructionsHashV1, type LockedServer, toolDefinitionHashV1 } from "@agentprint/mcp-lock";
import { afterEach, beforeEach, expect, test } from "vitest";
import { hostile } from "../support/hostile.ts";
import { Workspace } from "../support/workspace.ts";

let workspace: Workspace;
beforeEach(() => {
  workspace = new Workspace();
});
afterEach(() => workspace[Symbol.dispose]());

const [before, after] = [{ HOSTILE_TEXT: "before" }, { HOSTILE_TEXT: "after" }];
const FILE = "mcp-pin.lock";
const SERVER = ["--env", "HOSTILE_TEXT", "--", ...hostile("terminal-escapes")];
const check = (env: Record<string, string>) => workspace.run(["check", "it", "--lock", FILE, ...SERVER], env);

/** Writes the lock file that mcp-pin would write for this entry. */
function writeMcpPin({ tools, prompts, parts }: LockedServer): void {
  const listed = (items: LockedServer["tools"] | LockedServer["prompts"]) =>
    items.map(({ definition }) => ({
      name: definition["name"],
      hash: toolDefinitionHashV1(definition),
      definition,
    }));
  const hashOf = (items: LockedServer["tools"] | LockedServer["prompts"]) =>
    definitionSetHashV1(items.map(({ definition }) => definition));
  const instructions = parts.find(({ part }) => part === "instructions")?.value ?? null;
  const entry = {
    id: "x",
    setHash: hashOf(tools),
    tools: listed(tools),
    promptsHash: hashOf(prompts),
    prompts: listed(prompts),
    instructionsHash: instructionsHashV1(instructions),
    instructions,
  };
  const about = "Written by mcp-pin lock.";
  writeFileSync(workspace.path(FILE), JSON.stringify({ lockfileVersion: 1, about, servers: { it: entry } }));
}

async function pinned(): Promise<void> {
  await workspace.run(["pin", "--name", "it", ...SERVER], before);
  writeMcpPin(workspace.lock().servers[0] as LockedServer);
}

test("a lock of mcp-pin is checked, and undecided parts are listed", async () => {
  await pinned();
  const same = await check(before);
  expect(same).toMatchObject({ code: 0 });
  expect(same.stderr).toContain("mcp-pin.lock of mcp-pin does not contain the launch");
  const drifted = await check(after);
  expect(drifted).toMatchObject({ code: 1 });
  expect(drifted.stdout).toContain("description");
  expect(await workspace.run(["check", "--lock", FILE])).toMatchObject({ code: 2 });
});

test("an edited lock of mcp-pin is refused", async () => {
  await pinned();
  const text = readFileSync(workspace.path(FILE), "utf8");
  for (const [edit, code] of [
    [text.replace(/"hash":"./, '"hash":"x'), "digest-mismatch"],
    [text.replace(/"setHash":"./, '"setHash":"x'), "digest-mismatch"],
    [text.replace('"lockfileVersion":1', '"lockfileVersion":2'), "unsupported-lock-version"],
    [text.replace('"tools":[', '"tools":[1,'), "invalid-lock"],
    [text.slice(1), "invalid-json"],
  ] as const) {
    writeFileSync(workspace.path(FILE), edit);
    const run = await check(before);
    expect(run).toMatchObject({ code: 2 });
    expect(run.stderr).toContain(code);
  }
});

test("pin --migrate pins the approved definitions of mcp-pin's lock, and nothing else", async () => {
  await pinned();
  const migrate = (env: Record<string, string>) =>
    workspace.run(["pin", "--replace", "--migrate", FILE, "--name", "it", ...SERVER], env);
  const lock = workspace.lock();
  const refused = await migrate(after);
  expect(refused).toMatchObject({ code: 2 });
  expect(refused.stderr).toContain("does not approve what it sends");
  expect(workspace.lock()).toEqual(lock);
  expect(await migrate(before)).toMatchObject({ code: 0 });
});
