import { writeFileSync } from "node:fs";
import type { ChannelFactory } from "@agentprint/mcp-visit";
import { afterEach, beforeEach, expect, test } from "vitest";
import { run } from "../../src/run-program.ts";
import { hostile } from "../support/hostile.ts";
import { memoryChannel } from "../support/memory-channel.ts";
import { Collector, memoryContext } from "../support/run-cli.ts";
import { Workspace } from "../support/workspace.ts";

let workspace: Workspace;
beforeEach(() => {
  workspace = new Workspace();
});
afterEach(() => workspace[Symbol.dispose]());

const FAILURES: Readonly<Record<string, unknown>> = {
  defect: new TypeError("x is no function"),
  system: Object.assign(new Error("EMFILE: too many open files"), { code: "EMFILE" }),
  value: "a text",
};

/**
 * Runs a command; visits to servers whose launch contains one of these words throw something other than a visit error.
 */
async function start(failures: Readonly<Record<string, unknown>>, ...args: string[]) {
  const [stdout, stderr] = [new Collector(), new Collector()];
  const channel: ChannelFactory = (target, ...rest) => {
    const [, named = ""] = target.type === "stdio" ? target.args : [];
    if (named in failures) throw failures[named];
    return memoryChannel(target, ...rest);
  };
  const context = memoryContext(args, { cwd: workspace.folder }, stdout, stderr);
  const code = await run({ ...context, channel });
  return { code, stdout: stdout.text, stderr: stderr.text };
}

test("an unexpected error of a visit affects only its server", async () => {
  const [command, ...args] = hostile("terminal-escapes");
  const names = [...Object.keys(FAILURES), "good", "last"];
  const mcpServers = Object.fromEntries(names.map((name) => [name, { command, args: [...args, name] }]));
  writeFileSync(workspace.path(".mcp.json"), JSON.stringify({ mcpServers }));
  const pinned = await start(FAILURES, "pin", "--mcp-config", ".mcp.json", "--keep-going");
  expect(pinned.code, pinned.stderr).toBe(2);
  expect(workspace.lock().servers.map(({ name }) => name)).toEqual(["good", "last"]);
  expect(pinned.stderr).toContain("defect: an unexpected error: x is no function");
  expect(pinned.stderr).toMatch(
    /code: +unexpected\n.*report it with the lines below.*\n +stack: +TypeError: x is no function\n/u,
  );
  expect(pinned.stderr).toContain("system: an unexpected error: EMFILE");
  expect(pinned.stderr).toContain("value: an unexpected error: a text");

  const checked = await start({ good: FAILURES["system"] }, "check");
  expect(checked.code, checked.stderr).toBe(2);
  expect(checked.stdout).toContain("EMFILE");
  expect(checked.stdout).toContain("last");
});
