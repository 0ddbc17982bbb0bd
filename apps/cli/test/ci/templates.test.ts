import { spawnSync } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { parse } from "yaml";
import { REPOSITORY } from "../support/action-run.ts";
import { hostile } from "../support/hostile.ts";
import { AGENTPRINT } from "../support/spawn-cli.ts";
import { Workspace } from "../support/workspace.ts";

let workspace = [] as unknown as Workspace;
beforeEach(() => {
  workspace = new Workspace();
});
afterEach(() => workspace[Symbol.dispose]());

const template = (name: string): string =>
  readFileSync(join(REPOSITORY, "apps/cli/templates", name), "utf8").replaceAll("{version}", "0.1.0");

/** Runs a line of a shell in which `npx --yes agentprint@0.1.0` runs agentprint from source. */
function shell(line: string, env: Readonly<Record<string, string>>): number | null {
  mkdirSync(workspace.path("bin"), { recursive: true });
  const words = AGENTPRINT.map((word) => `"${word}"`).join(" ");
  const npx = `#!/bin/sh\n[ "$1 $2" = "--yes agentprint@0.1.0" ] || exit 99\nshift 2\nexec ${words} "$@"\n`;
  writeFileSync(workspace.path("bin/npx"), npx, { mode: 0o755 });
  const path = `${workspace.path("bin")}:${dirname(process.execPath)}:/usr/bin:/bin`;
  return spawnSync("sh", ["-ec", line], { cwd: workspace.folder, env: { PATH: path, ...env } }).status;
}

async function pin(): Promise<void> {
  const args = ["pin", "--name", "server", "--env", "HOSTILE_TEXT", "--", ...hostile("terminal-escapes")];
  expect((await workspace.run(args, { HOSTILE_TEXT: "before" })).code).toBe(0);
}

describe("the template for GitLab", () => {
  test.each([
    ["before", 0, 0],
    ["after", 1, 3],
  ])("has exit code and Code Quality report of a server that says %s", async (text, code, findings) => {
    await pin();
    const { agentprint: job } = parse(template("gitlab.yml"));
    const line = (job.script as string[]).join("\n");
    expect(shell(line, { HOSTILE_TEXT: text, CI_PROJECT_DIR: workspace.folder })).toBe(code);
    const report = JSON.parse(readFileSync(workspace.path(job.artifacts.reports.codequality), "utf8"));
    expect(report).toHaveLength(findings);
  });
});

describe("the recipe for Renovate", () => {
  const { customManagers, packageRules } = JSON.parse(template("renovate.json"));

  test("finds the exact versions in launches, and nothing else", () => {
    const [manager] = customManagers;
    const args = [
      "-y",
      "@scope/server@1.2.3",
      "plain@2.0.0-rc.1",
      "floating@latest",
      "none",
      "me@example.com",
      "./a@1.2.3",
    ];
    const found = [...JSON.stringify({ args }).matchAll(new RegExp(manager.matchStrings[0], "g"))];
    expect(found.map(({ groups }) => ({ ...groups }))).toEqual([
      { depName: "@scope/server", currentValue: "1.2.3" },
      { depName: "plain", currentValue: "2.0.0-rc.1" },
    ]);
    const pattern = new RegExp((manager.managerFilePatterns[0] as string).slice(1, -1));
    expect([".mcp.json", ".vscode/mcp.json", "mcp.json"].every((file) => pattern.test(file))).toBe(true);
    expect(["xmcp.json", "mcp.json5"].some((file) => pattern.test(file))).toBe(false);
  });

  test("pins a server again after its version was updated", async () => {
    const [command = "", script = ""] = hostile("terminal-escapes");
    const server = (version: string) => ({ command, args: [script, version], env: { HOSTILE_TEXT: "before" } });
    const write = (version: string) =>
      writeFileSync(workspace.path(".mcp.json"), JSON.stringify({ mcpServers: { server: server(version) } }));
    write("server@1.2.3");
    expect((await workspace.run(["pin", "--mcp-config", ".mcp.json"])).code).toBe(0);
    write("server@1.2.4");
    const [line] = packageRules[0].postUpgradeTasks.commands as string[];
    expect(shell((line ?? "").replace("{{{packageFile}}}", ".mcp.json"), {})).toBe(0);
    expect(workspace.lock().servers.map(({ launch }) => launch)).toMatchObject([{ args: [script, "server@1.2.4"] }]);
  });
});
