import { writeFileSync } from "node:fs";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { guessRules } from "../../src/rules/guess-rule.ts";
import { createContext } from "../../src/run/context.ts";
import { run } from "../../src/run-program.ts";
import { asCalled, lineAsCalled } from "../../src/terminal/command-line.ts";
import { wrapWords } from "../../src/terminal/wrap-lines.ts";
import { hostile } from "../support/hostile.ts";
import { Collector } from "../support/run-cli.ts";
import { terminal } from "../support/terminal.ts";
import { Workspace } from "../support/workspace.ts";

let workspace: Workspace;
beforeEach(() => {
  workspace = new Workspace();
});
afterEach(() => workspace[Symbol.dispose]());

const calledBy = (manager: string) => ({ npm_config_user_agent: `${manager}/11.0.0 node/v24.0.0 linux x64` });
const [command = "", ...args] = hostile("terminal-escapes");

describe("a suggestion", () => {
  test.each([
    ["npm", "npx agentprint"],
    ["pnpm", "pnpm agentprint"],
    ["yarn", "yarn agentprint"],
    ["bun", "bunx agentprint"],
    ["__proto__", "agentprint"],
  ])("is written the way %s called the command", async (manager, call) => {
    const missing = await workspace.run(["check"], calledBy(manager));
    expect(missing).toMatchObject({ code: 2, stderr: expect.stringContaining(`: ${call} init; or`) });
    expect(missing.stderr).toContain(`: ${call} pin -- <command…>`);
  });

  test("names a command once, and leaves a path, a package and a server's name", () => {
    const env = calledBy("npm");
    const text =
      "npx agentprint check, bin/agentprint check, @agentprint check; agentprint guard, agentprint is a name";
    expect(asCalled({ env }, text)).toBe(text.replace("; agentprint", "; npx agentprint"));
    expect(lineAsCalled({ env }, "agentprint approve 'agentprint check'")).toBe(
      "npx agentprint approve 'agentprint check'",
    );
  });

  test("to approve runs as the check did", async () => {
    await workspace.run(["pin", "--name", "it", "--", command, ...args], { HOSTILE_TEXT: "before" });
    const { stdout } = await workspace.run(["check", "--env", "HOSTILE_TEXT"], {
      HOSTILE_TEXT: "x",
      ...calledBy("pnpm"),
    });
    expect(stdout).toContain("run: pnpm agentprint approve it ");
  });
});

describe("explain", () => {
  test("guesses the rule that was meant", async () => {
    const guessed = await workspace.run(["explain", "hint"]);
    expect(guessed.code).toBe(2);
    for (const id of ["mcp/hint-more-power", "mcp/hint-less-asking"]) expect(guessed.stderr).toContain(id);
    expect(guessRules("tool-prose-chnged", ["mcp/tool-prose-changed", "mcp/other"])).toEqual([
      "mcp/tool-prose-changed",
    ]);
    expect(guessRules("power hint", ["mcp/hint-more-power", "mcp/hint-less-asking"])).toEqual(["mcp/hint-more-power"]);
    expect((await workspace.run(["explain", "//"])).stderr).not.toContain("perhaps");
  });
});

test("all variables that are missing are named at once", async () => {
  const env = { A: "1", B: "2" };
  expect(
    (await workspace.run(["pin", "--name", "it", "--env", "A", "--env", "B", "--", command, ...args], env)).code,
  ).toBe(0);
  const locked = await workspace.run(["check"], { B: "2" });
  expect(locked.stdout).toContain("the environment variable A is not set");
  expect((await workspace.run(["check"])).stdout).toContain("the environment variables A and B are not set");
  const entry = { command, args, env: { A: "$" + "{ONE}", B: "$" + "{input:two}" } };
  writeFileSync(workspace.path(".mcp.json"), JSON.stringify({ mcpServers: { it: entry } }));
  const configured = await workspace.run(["check"]);
  expect(configured.stdout).toContain("the environment variables ONE and AGENTPRINT_INPUT_TWO are not set");
  expect(configured.stderr).toContain("export ONE=… AGENTPRINT_INPUT_TWO=…");
});

describe("rows of words", () => {
  test("fit the requested width, except for a longer word", () => {
    expect(wrapWords("one two three", 7)).toEqual(["one two", "three"]);
    expect(wrapWords("a longer-than-that b", 6)).toEqual(["a", "longer-than-that", "b"]);
    expect(wrapWords("one two", undefined)).toEqual(["one two"]);
  });

  test("are how a terminal shows an error", async () => {
    const stderr = terminal(80);
    const context = createContext({
      args: ["check"],
      stdin: terminal(),
      stdout: new Collector(),
      stderr,
      cwd: workspace.folder,
      env: { ...process.env, NO_COLOR: "1" },
    });
    expect(await run(context)).toBe(2);
    const rows = String(stderr.read()).split("\n");
    expect(Math.max(...rows.map(({ length }) => length))).toBeLessThanOrEqual(80);
    expect(rows.join(" ").replaceAll(/ +/g, " ")).toContain(
      "the servers that your clients have: agentprint init; or a server",
    );
  });
});
