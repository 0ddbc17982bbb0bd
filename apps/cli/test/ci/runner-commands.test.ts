import { writeFileSync } from "node:fs";
import type { Launch } from "@agentprint/launch";
import { formatLock, type LockFile, lockServer, withServer } from "@agentprint/mcp-lock";
import { answersOf } from "@agentprint/testing/lock/offer";
import { runnerCommandIn } from "@agentprint/testing/report/runner-rules";
import { beforeAll, expect, test } from "vitest";
import { before, pinBoth } from "../support/change-workspace.ts";
import { ONE_ERA } from "../support/short-visits.ts";
import { Workspace } from "../support/workspace.ts";

let locks: Awaited<ReturnType<typeof pinBoth>>;
beforeAll(async () => {
  locks = await pinBoth();
});

const COMMANDS = [
  "::add-mask::it",
  "x ##[add-mask]it",
  "##vso[task.complete]x",
  "\t::stop-commands::x",
  "section_start:1:x",
];

/**
 * Returns a lock with a server whose name and arguments are CI commands, and which writes a CI command to stderr before
 * it exits.
 */
function hostileLock(words: string): LockFile {
  const written = `${words}\n  ${words}\r${words}\u2028${words}\n`;
  const script = `printf %s "$2" >&2; exit 3`;
  const launch: Launch = { type: "stdio", command: "/bin/sh", args: ["-c", script, "--", words, written], env: [] };
  const tool = { name: words, description: words, inputSchema: { type: "object" } };
  const said = { serverInfo: { name: words, version: words }, instructions: words };
  const entry = lockServer(words, answersOf([tool], { launch, ...said }));
  return withServer(locks.was, entry);
}

test.each(COMMANDS)("no line that a command prints is %j", async (words) => {
  using workspace = new Workspace(ONE_ERA);
  writeFileSync(workspace.path("agentprint.lock"), formatLock(hostileLock(words)));
  const name = words.trim();
  const runs = [
    ["check"],
    ["check", "--format", "json"],
    ["check", "--format", "sarif"],
    ["check", "--format", "markdown", "--summary"],
    ["check", name],
    ["check", "none of them", words],
    ["check", "--lock", words],
    ["check", "--config", words],
    ["check", "--base", words.replaceAll(/\s/g, "")],
    ["check", `--${words}`],
    [words],
    ["approve", words, "--from", words],
    ["approve", "--all"],
    ["list"],
    ["list", "--format", "json"],
    ["status"],
    ["show", words],
    ["show", words, "--format", "json"],
    ["remove", words],
  ];
  for (const args of runs) {
    const { stdout, stderr } = await workspace.run(args, before);
    for (const line of `${stdout}\n${stderr}`.split(/\r\n|\r|\n/)) {
      expect(runnerCommandIn(line), `${args.join(" ")}: ${line}`).toBeUndefined();
    }
  }
});
