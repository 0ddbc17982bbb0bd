import { cpSync, existsSync, globSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { runProgram } from "@agentprint/testing/programs";
import { afterAll, beforeAll, expect, type TestContext, test } from "vitest";
import packageJson from "../../package.json" with { type: "json" };
import { REPOSITORY } from "../support/action-run.ts";
import { before, ChangeWorkspace, pinBoth } from "../support/change-workspace.ts";
import { hostile } from "../support/hostile.ts";
import { writeHostileFiles } from "../support/hostile-files.ts";
import { environment, runShell } from "../support/job-run.ts";
import { NpmRegistry } from "../support/npm-registry.ts";
import { Repository } from "../support/repository.ts";
import { AGENTPRINT_LINE } from "../support/spawn-cli.ts";
import { Workspace } from "../support/workspace.ts";

// Tools from PyPI that read these files.
const TOOLS = ["pre-commit==4.7.0", "check-jsonschema==0.39.0", "zizmor==1.32.0"];
const ACTIONLINT = "github.com/rhysd/actionlint/cmd/actionlint@v1.7.12";

const TEMPLATES = join(REPOSITORY, "apps/cli/templates");
const tools = new Workspace();
const tool = (name: string): string => tools.path(`venv/bin/${name}`);
/** This repository's workflows. */
const OWN_WORKFLOWS = globSync(join(REPOSITORY, ".github/workflows/*.yml")).sort();
const template = (name: string): string =>
  readFileSync(join(TEMPLATES, name), "utf8").replaceAll("{version}", "0.1.0").replaceAll("{integrity}", '""');

/** Returns the workflow in the command's README. */
function readmeWorkflow(): string {
  const page = readFileSync(join(REPOSITORY, "apps/cli/README.md"), "utf8");
  const [, block] = /^```yaml\n# \.github\/workflows\/mcp\.yml\n(.*?)^```$/ms.exec(page) ?? [];
  if (block === undefined) throw new Error("the README has no workflow");
  return block.replaceAll("{version}", "0.1.0");
}

/** Writes a file that users copy to where a tool reads it, and returns its path. */
function fileOf(name: string): string {
  const file = tools.path(name);
  const texts: Record<string, () => string> = {
    "action.yml": () => readFileSync(join(REPOSITORY, name), "utf8"),
    "readme.yml": readmeWorkflow,
  };
  writeFileSync(file, texts[name]?.() ?? template(name));
  return file;
}

/** Why tools are missing, on a machine without a network or without their language. */
const missing = new Map<string, string>();
const NO_NETWORK =
  /dial tcp|no such host|Name or service not known|name resolution|Network is unreachable|onnection refused|ProxyError|NewConnectionError|No matching distribution/;

function install(name: string, command: string, args: readonly string[], env: Record<string, string> = {}): void {
  if (missing.has(name)) return;
  const { error, status, stderr } = runProgram(command, args, { env: { ...process.env, ...env } });
  if (status === 0) return;
  if (error === undefined && !NO_NETWORK.test(stderr)) throw new Error(`${command} ${args.join(" ")}: ${stderr}`);
  missing.set(name, error === undefined ? `${name} cannot be installed without a network` : `there is no ${command}`);
}

beforeAll(() => {
  install("tools from PyPI", "python3", ["-m", "venv", tools.path("venv")]);
  install("tools from PyPI", tool("pip"), ["install", "--quiet", "--disable-pip-version-check", ...TOOLS]);
  install("actionlint", "go", ["install", ACTIONLINT], { GOBIN: tools.path("bin") });
});
afterAll(() => tools[Symbol.dispose]());

/** Skips a test, with the reason, if its tools are missing. */
function needs(name: string, { skip }: Pick<TestContext, "skip">): void {
  const reason = missing.get(name);
  if (reason !== undefined) skip(`skipped: ${reason}`);
}

test.for([
  ["github-actions", "action.yml"],
  ["github-workflows", "github.yml", "github-action.yml", "renovate-pin.yml", "readme.yml"],
  ["gitlab-ci", "gitlab.yml"],
  ["renovate", "renovate.json"],
] as const)("the schema of %s allows each of its files: %s", ([schema, ...names], context) => {
  needs("tools from PyPI", context);
  // One process checks all files of a schema, because most of its time goes into starting.
  const own = schema === "github-workflows" ? OWN_WORKFLOWS : [];
  const args = ["--builtin-schema", `vendor.${schema}`, ...names.map(fileOf), ...own];
  const run = runProgram(tool("check-jsonschema"), args);
  expect(run, `${run.stdout}${run.stderr}`).toMatchObject({ status: 0 });
});

test("the schema of actions in the quick tests is the published one", (context) => {
  needs("tools from PyPI", context);
  const [published = ""] = globSync(
    tools.path("venv/lib/*/site-packages/check_jsonschema/**/vendor/github-actions.json"),
  );
  const copy = join(REPOSITORY, "apps/cli/test/ci/github-action.schema.json");
  expect(JSON.parse(readFileSync(copy, "utf8"))).toEqual(JSON.parse(readFileSync(published, "utf8")));
});

test("zizmor finds nothing in the workflows of this repository", (context) => {
  needs("tools from PyPI", context);
  const args = ["--offline", "--no-progress", "--min-severity", "medium", ...OWN_WORKFLOWS];
  expect(runProgram(tool("zizmor"), args)).toMatchObject({ status: 0 });
});

test("actionlint finds nothing in the workflows", (context) => {
  needs("actionlint", context);
  const workflows = ["github.yml", "github-action.yml", "renovate-pin.yml", "readme.yml"].map(fileOf);
  expect(runProgram(tools.path("bin/actionlint"), [...workflows, ...OWN_WORKFLOWS])).toMatchObject({
    status: 0,
    stdout: "",
  });
});

test("pre-commit installs the program of the template outside of a hostile checkout, and runs nothing of it", async (context) => {
  needs("tools from PyPI", context);
  // pre-commit runs the scripts of the packages that it installs, as the page explains.
  using registry = new NpmRegistry(packageJson.version, {});
  await registry.listen();
  using workspace = new ChangeWorkspace();
  const marker = tools.path("ran");
  workspace.writeLock((await pinBoth()).was);
  workspace.configure({});
  workspace.repository.git("update-ref", "refs/remotes/origin/HEAD", workspace.commitBase());
  writeHostileFiles(workspace.folder, workspace.folder, marker);
  const config = readFileSync(join(TEMPLATES, "pre-commit-config.yaml"), "utf8");
  writeFileSync(workspace.path(".pre-commit-config.yaml"), config.replaceAll("{version}", packageJson.version));
  workspace.repository.git("add", "--all", "--force");
  const run = await runShell(
    `'${tool("pre-commit")}' run`,
    environment({
      programs: [],
      env: {
        ...before,
        HOME: tools.folder,
        PRE_COMMIT_HOME: tools.path("template-cache"),
        NPM_CONFIG_REGISTRY: registry.url,
      },
    }),
    workspace.folder,
  );
  expect(run, run.stdout).toMatchObject({ code: 1, stdout: expect.stringContaining("the policy is weaker") });
  expect(existsSync(marker)).toBe(false);
});

test("pre-commit runs the hook where the lock is committed, and its exit code decides", async (context) => {
  needs("tools from PyPI", context);
  using hooks = new Workspace();
  const published = new Repository(hooks.folder);
  cpSync(join(REPOSITORY, ".pre-commit-hooks.yaml"), hooks.path(".pre-commit-hooks.yaml"));
  const rev = published.commit();

  using workspace = new Workspace();
  const project = new Repository(workspace.folder);
  writeFileSync(
    workspace.path(".pre-commit-config.yaml"),
    `repos:\n- repo: ${hooks.folder}\n  rev: ${rev}\n  hooks: [{ id: agentprint-check }]\n`,
  );
  writeFileSync(workspace.path(".gitignore"), "node_modules\n");
  mkdirSync(workspace.path("node_modules/.bin"), { recursive: true });
  writeFileSync(workspace.path("node_modules/.bin/agentprint"), "#!/bin/sh\nexit 0\n", { mode: 0o755 });
  mkdirSync(tools.path("program"), { recursive: true });
  const program = `#!/bin/sh\nexec ${AGENTPRINT_LINE} "$@"\n`;
  writeFileSync(tools.path("program/agentprint"), program, { mode: 0o755 });
  const [command = "", script = ""] = hostile("terminal-escapes");
  const pin = ["pin", "--name", "server", "--env", "HOSTILE_TEXT", "--", command, script];
  expect((await workspace.run(pin, { HOSTILE_TEXT: "before" })).code).toBe(0);
  project.git("update-ref", "refs/remotes/origin/HEAD", project.commit());
  writeFileSync(workspace.path("agentprint.config.json"), "{}");
  project.git("add", "--all");

  const commit = (text: string) =>
    runProgram(tool("pre-commit"), ["run"], {
      cwd: workspace.folder,
      env: {
        ...process.env,
        PATH: `${tools.path("program")}:${dirname(process.execPath)}:${process.env["PATH"]}`,
        PRE_COMMIT_HOME: tools.path("cache"),
        HOSTILE_TEXT: text,
      },
    });
  expect(commit("before")).toMatchObject({ status: 0, stdout: expect.stringContaining("Passed") });
  expect(commit("after")).toMatchObject({ status: 1, stdout: expect.stringContaining("exit code: 1") });
  // A stranger's branch starts no launch that is not on origin's default branch.
  const own = workspace.lockText();
  const evil = ["pin", "--replace", "--name", "server", "--env", "HOSTILE_TEXT", "--", command, script, "evil"];
  expect((await workspace.run(evil, { HOSTILE_TEXT: "before" })).code).toBe(0);
  project.git("add", "--all");
  expect(commit("before")).toMatchObject({ status: 1, stdout: expect.stringContaining("so it was not started") });
  writeFileSync(workspace.path("agentprint.lock"), own);
  project.git("add", "--all");
  project.commit();
  writeFileSync(workspace.path("other.txt"), "");
  project.git("add", "--all");
  expect(commit("after")).toMatchObject({ status: 0, stdout: expect.stringContaining("Skipped") });
});
