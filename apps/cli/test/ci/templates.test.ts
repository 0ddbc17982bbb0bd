import { execFileSync, spawnSync } from "node:child_process";
import { cpSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { parse } from "yaml";
import { REPOSITORY } from "../support/action-run.ts";
import { hostile } from "../support/hostile.ts";
import { Repository } from "../support/repository.ts";
import { AGENTPRINT } from "../support/spawn-cli.ts";
import { Workspace } from "../support/workspace.ts";

let workspace = [] as unknown as Workspace;
beforeEach(() => {
  workspace = new Workspace();
});
afterEach(() => workspace[Symbol.dispose]());

const template = (name: string): string =>
  readFileSync(join(REPOSITORY, "apps/cli/templates", name), "utf8").replaceAll("{version}", "0.1.0");

/** Runs a line of a shell in which npx and npm bring agentprint@0.1.0 from source. */
function shell(line: string, env: Readonly<Record<string, string>>, folder = workspace.folder) {
  mkdirSync(workspace.path("bin"), { recursive: true });
  const words = AGENTPRINT.map((word) => `"${word}"`).join(" ");
  const npx = `#!/bin/sh\n[ "$1 $2" = "--yes agentprint@0.1.0" ] || exit 99\nshift 2\nexec ${words} "$@"\n`;
  writeFileSync(workspace.path("bin/npx"), npx, { mode: 0o755 });
  const npm = `#!/bin/sh
[ "$1 $2" = "install --prefix" ] && [ "$#:$6:$7" = "7:--ignore-scripts:agentprint@0.1.0" ] || exit 99
if [ -e .npmrc ]; then exit 98; fi
mkdir -p "$3/node_modules/.bin"
printf '%s\\n' '#!/bin/sh' 'exec ${words} "$@"' >"$3/node_modules/.bin/agentprint"
chmod +x "$3/node_modules/.bin/agentprint"
`;
  writeFileSync(workspace.path("bin/npm"), npm, { mode: 0o755 });
  const path = `${workspace.path("bin")}:${dirname(process.execPath)}:/usr/bin:/bin`;
  return spawnSync("sh", ["-ec", line], { cwd: folder, env: { PATH: path, ...env }, encoding: "utf8" });
}

async function pin(): Promise<void> {
  const args = ["pin", "--name", "server", "--env", "HOSTILE_TEXT", "--", ...hostile("terminal-escapes")];
  expect((await workspace.run(args, { HOSTILE_TEXT: "before" })).code).toBe(0);
}

/** Runs the commands of the file for a service, as its runner does; the project may be a folder of the repository. */
function runFile(service: "github" | "gitlab", base: string, text: string) {
  const env = { HOSTILE_TEXT: text };
  if (service === "gitlab") {
    const line = (parse(template("gitlab.yml")).agentprint.script as string[]).join("\n");
    return shell(line, { ...env, CI_PROJECT_DIR: workspace.folder, CI_MERGE_REQUEST_DIFF_BASE_SHA: base });
  }
  const [install, check] = (parse(template("github.yml")).jobs.check.steps as Record<string, string>[]).slice(-2);
  const runner = { RUNNER_TEMP: workspace.path("temp"), GITHUB_STEP_SUMMARY: workspace.path("temp/summary.md") };
  mkdirSync(workspace.path("temp"), { recursive: true });
  expect(shell(install?.["run"] ?? "", runner, runner.RUNNER_TEMP)).toMatchObject({ status: 0 });
  return shell(check?.["run"] ?? "", { ...runner, ...env, BASE: base });
}

describe.each(["github", "gitlab"] as const)("the file that init writes for %s", (service) => {
  test("has the exit code and the report of the check", async () => {
    await pin();
    expect(runFile(service, "", "before").status).toBe(0);
    const { status, stdout } = runFile(service, "", "after");
    expect(status).toBe(1);
    if (service === "github") {
      expect(stdout).toMatch(/^::error file=agentprint\.lock,line=\d+,/m);
      expect(readFileSync(workspace.path("temp/summary.md"), "utf8")).toMatch(/^## agentprint check\n/);
    } else {
      const { codequality } = parse(template("gitlab.yml")).agentprint.artifacts.reports;
      expect(JSON.parse(readFileSync(workspace.path(codequality), "utf8"))).toHaveLength(3);
    }
  });

  test("takes neither the program nor the policy of the change", async () => {
    await pin();
    const repository = new Repository(workspace.folder);
    const base = repository.commit();
    writeFileSync(workspace.path("agentprint.config.json"), '{ "rules": { "mcp/tool-prose-changed": "off" } }');
    writeFileSync(workspace.path(".npmrc"), "registry=http://127.0.0.1:9/\n");
    mkdirSync(workspace.path("node_modules/.bin"), { recursive: true });
    writeFileSync(workspace.path("node_modules/.bin/agentprint"), "#!/bin/sh\nexit 0\n", { mode: 0o755 });
    repository.commit();
    const { status, stdout } = runFile(service, base, "before");
    expect(status).toBe(1);
    expect(stdout).toContain("weaker");
  });
});

describe("the workflow for hosted Renovate", () => {
  const { jobs, permissions } = parse(template("renovate-pin.yml"));
  const stepsOf = (job: string) => jobs[job].steps as { name?: string; run?: string; uses?: string; with?: object }[];
  const scriptOf = (job: string, name: string): string => stepsOf(job).find((step) => step.name === name)?.run ?? "";

  test("runs the servers without secrets and with a token that reads, and writes in another job", () => {
    expect(permissions).toEqual({});
    expect([jobs.pin.permissions, jobs.push.permissions]).toEqual([{ contents: "read" }, { contents: "write" }]);
    expect(jobs.pin.if).toContain("user.login == 'renovate[bot]'");
    expect(jobs.pin.if).toContain("head.repo.full_name == github.repository");
    expect(JSON.stringify(jobs.pin)).not.toContain("secrets.");
    expect(stepsOf("pin")[0]?.with).toMatchObject({ "persist-credentials": false });
    const commands = stepsOf("push").flatMap(({ run = "" }) => run);
    expect(commands.join("\n")).not.toMatch(/agentprint["']? pin|npm|npx|node /);
    for (const { run = "" } of [...stepsOf("pin"), ...stepsOf("push")]) expect(run).not.toContain("${" + "{");
  });

  test("pins again what was updated, and pushes the lock alone", async () => {
    using origin = new Workspace();
    const [command = "", script = ""] = hostile("terminal-escapes");
    const configure = (version: string): void => {
      const server = { command, args: [script, version], env: { HOSTILE_TEXT: "before" } };
      writeFileSync(origin.path(".mcp.json"), JSON.stringify({ mcpServers: { server } }));
    };
    configure("server@1.2.3");
    expect((await origin.run(["pin", "--mcp-config", ".mcp.json"])).code).toBe(0);
    const repository = new Repository(origin.folder);
    repository.git("checkout", "--quiet", "-b", "renovate/server");
    configure("server@1.2.4");
    repository.commit();
    repository.git("checkout", "--quiet", "--detach");

    const folder = workspace.path("checkout");
    execFileSync("git", ["clone", "--quiet", "--branch=renovate/server", origin.folder, folder], { stdio: "pipe" });
    const env = { RUNNER_TEMP: workspace.path("temp"), BRANCH: "renovate/server", HOME: workspace.folder };
    mkdirSync(workspace.path("temp/lock"), { recursive: true });
    expect(shell(scriptOf("pin", "Install agentprint"), env, env.RUNNER_TEMP)).toMatchObject({ status: 0 });
    expect(shell(scriptOf("pin", "Pin the MCP servers"), env, folder)).toMatchObject({ status: 0 });
    cpSync(join(folder, "agentprint.lock"), workspace.path("temp/lock/agentprint.lock"));
    execFileSync("git", ["reset", "--quiet", "--hard"], { cwd: folder });

    const push = (): string => {
      expect(shell(scriptOf("push", "Push the lock"), env, folder)).toMatchObject({ status: 0 });
      return repository.git("rev-parse", "renovate/server");
    };
    const pushed = push();
    expect(repository.git("show", "--format=%an", "--name-only", pushed)).toBe(
      "github-actions[bot]\n\nagentprint.lock",
    );
    expect(repository.git("show", `${pushed}:agentprint.lock`)).toContain("server@1.2.4");
    expect(push()).toBe(pushed);
    rmSync(workspace.path("temp/lock/agentprint.lock"));
    symlinkSync("/etc/passwd", workspace.path("temp/lock/agentprint.lock"));
    expect(shell(scriptOf("push", "Push the lock"), env, folder)).toMatchObject({ status: 1 });
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
    expect(shell((line ?? "").replace("{{{packageFile}}}", ".mcp.json"), {}).status).toBe(0);
    expect(workspace.lock().servers.map(({ launch }) => launch)).toMatchObject([{ args: [script, "server@1.2.4"] }]);
  });
});
