import { execFileSync, spawnSync } from "node:child_process";
import { cpSync, globSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { REPOSITORY } from "../support/action-run.ts";
import { hostile } from "../support/hostile.ts";
import { Repository } from "../support/repository.ts";
import { AGENTPRINT } from "../support/spawn-cli.ts";
import { Workspace } from "../support/workspace.ts";

// The tools that read these files, from PyPI.
const TOOLS = ["pre-commit==4.7.0", "check-jsonschema==0.39.0", "zizmor==1.32.0"];

const TEMPLATES = join(REPOSITORY, "apps/cli/templates");
const tools = new Workspace();
const tool = (name: string): string => tools.path(`venv/bin/${name}`);
/** The workflows of this repository. */
const OWN_WORKFLOWS = globSync(join(REPOSITORY, ".github/workflows/*.yml")).sort();
const template = (name: string): string =>
  readFileSync(join(TEMPLATES, name), "utf8").replaceAll("{version}", "0.1.0").replaceAll("{integrity}", '""');

beforeAll(() => {
  execFileSync("python3", ["-m", "venv", tools.path("venv")]);
  execFileSync(tool("pip"), ["install", "--quiet", "--disable-pip-version-check", ...TOOLS], { stdio: "pipe" });
});
afterAll(() => tools[Symbol.dispose]());

test.each([
  ["github-actions", "action.yml"],
  ["github-workflows", "github.yml"],
  ["github-workflows", "github-action.yml"],
  ["github-workflows", "renovate-pin.yml"],
  ["gitlab-ci", "gitlab.yml"],
  ["renovate", "renovate.json"],
])("the schema of %s allows %s", (schema, name) => {
  const file = tools.path(name);
  writeFileSync(file, name === "action.yml" ? readFileSync(join(REPOSITORY, name)) : template(name));
  const args = ["--builtin-schema", `vendor.${schema}`, file];
  expect(spawnSync(tool("check-jsonschema"), args, { encoding: "utf8" })).toMatchObject({ status: 0 });
});

test.each(OWN_WORKFLOWS)("the schema of github-workflows allows %s", (file) => {
  const args = ["--builtin-schema", "vendor.github-workflows", file];
  expect(spawnSync(tool("check-jsonschema"), args, { encoding: "utf8" })).toMatchObject({ status: 0 });
});

test("zizmor finds nothing in the workflows of this repository", () => {
  const args = ["--offline", "--no-progress", "--min-severity", "medium", ...OWN_WORKFLOWS];
  expect(spawnSync(tool("zizmor"), args, { encoding: "utf8" })).toMatchObject({ status: 0 });
});

test("actionlint finds nothing in the workflows", () => {
  execFileSync("go", ["install", "github.com/rhysd/actionlint/cmd/actionlint@v1.7.12"], {
    env: { ...process.env, GOBIN: tools.path("bin") },
    stdio: "pipe",
  });
  const workflows = ["github.yml", "github-action.yml", "renovate-pin.yml"].map((name) => {
    writeFileSync(tools.path(name), template(name));
    return tools.path(name);
  });
  expect(spawnSync(tools.path("bin/actionlint"), [...workflows, ...OWN_WORKFLOWS], { encoding: "utf8" })).toMatchObject(
    {
      status: 0,
      stdout: "",
    },
  );
});

test("pre-commit runs the hook where the lock is committed, and its exit code decides", async () => {
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
  const program = `#!/bin/sh\nexec ${AGENTPRINT.map((word) => `"${word}"`).join(" ")} "$@"\n`;
  writeFileSync(tools.path("program/agentprint"), program, { mode: 0o755 });
  const [command = "", script = ""] = hostile("terminal-escapes");
  const pin = ["pin", "--name", "server", "--env", "HOSTILE_TEXT", "--", command, script];
  expect((await workspace.run(pin, { HOSTILE_TEXT: "before" })).code).toBe(0);
  project.git("update-ref", "refs/remotes/origin/HEAD", project.commit());
  writeFileSync(workspace.path("agentprint.config.json"), "{}");
  project.git("add", "--all");

  const commit = (text: string) =>
    spawnSync(tool("pre-commit"), ["run"], {
      cwd: workspace.folder,
      encoding: "utf8",
      env: {
        ...process.env,
        PATH: `${tools.path("program")}:${dirname(process.execPath)}:${process.env["PATH"]}`,
        PRE_COMMIT_HOME: tools.path("cache"),
        HOSTILE_TEXT: text,
      },
    });
  expect(commit("before")).toMatchObject({ status: 0, stdout: expect.stringContaining("Passed") });
  expect(commit("after")).toMatchObject({ status: 1, stdout: expect.stringContaining("exit code: 1") });
  // The branch of a stranger starts no launch that the default branch of origin does not have.
  const own = workspace.lockText();
  const evil = ["pin", "--replace", "--name", "server", "--env", "HOSTILE_TEXT", "--", command, script, "evil"];
  expect((await workspace.run(evil, { HOSTILE_TEXT: "before" })).code).toBe(0);
  project.git("add", "--all");
  expect(commit("before")).toMatchObject({ status: 1, stdout: expect.stringContaining("so that it was not started") });
  writeFileSync(workspace.path("agentprint.lock"), own);
  project.git("add", "--all");
  project.commit();
  writeFileSync(workspace.path("other.txt"), "");
  project.git("add", "--all");
  expect(commit("after")).toMatchObject({ status: 0, stdout: expect.stringContaining("Skipped") });
});
