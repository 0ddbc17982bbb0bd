import { chmodSync, cpSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { outputOf } from "@agentprint/testing/programs";
import { runnerCommandIn } from "@agentprint/testing/report/runner-rules";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { parse } from "yaml";
import packageJson from "../../package.json" with { type: "json" };
import { REPOSITORY, runAction } from "../support/action-run.ts";
import { before, ChangeWorkspace, pinBoth, SERVER } from "../support/change-workspace.ts";
import { writeHostileFiles } from "../support/hostile-files.ts";
import { environment, type JobMachine, type JobStep, runJob, runShell } from "../support/job-run.ts";
import { NpmRegistry } from "../support/npm-registry.ts";
import type { RunResult } from "../support/run-cli.ts";
import { Workspace } from "../support/workspace.ts";

// The real Yarn, in both of its release lines, from npm.
const YARNS = {
  classic: ["yarn@1.22.22", "yarn/bin"],
  berry: ["@yarnpkg/cli-dist@4.12.0", "@yarnpkg/cli-dist/bin"],
} as const;

const tools = new Workspace();
const registry = new NpmRegistry(packageJson.version);
let locks: Awaited<ReturnType<typeof pinBoth>>;
beforeAll(async () => {
  await registry.listen();
  locks = await pinBoth();
  for (const [name, [spec]] of Object.entries(YARNS)) {
    const folder = tools.path(name);
    mkdirSync(folder);
    outputOf("npm", ["install", "--prefix", folder, "--no-audit", "--no-fund", "--ignore-scripts", spec], {
      stdio: "pipe",
    });
  }
  for (const bin of [yarnBin("classic"), yarnBin("berry")]) chmodSync(join(bin, "yarn.js"), 0o755);
  for (const [name, bin] of [
    ["classic", yarnBin("classic")],
    ["berry", yarnBin("berry")],
  ] as const) {
    mkdirSync(tools.path(`${name}/bin`));
    writeFileSync(tools.path(`${name}/bin/yarn`), `#!/bin/sh\nexec node "${bin}/yarn.js" "$@"\n`, { mode: 0o755 });
  }
});
afterAll(() => {
  tools[Symbol.dispose]();
  registry[Symbol.dispose]();
});

function yarnBin(name: keyof typeof YARNS): string {
  return tools.path(`${name}/node_modules/${YARNS[name][1]}`);
}

let [origin, job] = [] as unknown as [ChangeWorkspace, Workspace];
beforeEach(() => {
  [origin, job] = [new ChangeWorkspace(), new Workspace()];
  origin.writeLock(locks.was);
});
afterEach(() => {
  for (const each of [origin, job]) each[Symbol.dispose]();
});

const marker = (): string => `${job.folder}.ran`;
const ran = (): boolean => existsSync(marker());
afterEach(() => rmSync(marker(), { force: true }));

function commitChange(): string {
  origin.configure({});
  const base = origin.commitBase();
  writeHostileFiles(origin.folder, job.folder, marker());
  origin.repository.commit();
  return base;
}

function machine(yarn: keyof typeof YARNS, env: Record<string, string>): JobMachine {
  return {
    programs: [tools.path(`${yarn}/bin`)],
    env: { ...before, NPM_CONFIG_REGISTRY: registry.url, npm_config_registry: registry.url, ...env },
    checkout: () => {
      outputOf("git", ["clone", "--quiet", origin.folder, "."], { cwd: job.folder });
      cpSync(origin.path("node_modules"), job.path("node_modules"), { recursive: true });
    },
  };
}

const template = (name: string, integrity = '""'): string =>
  readFileSync(join(REPOSITORY, "apps/cli/templates", name), "utf8")
    .replaceAll("{version}", packageJson.version)
    .replaceAll("{integrity}", integrity);

const commandsIn = ({ stdout, stderr }: RunResult): string[] =>
  `${stdout}\n${stderr}`.split(/\r\n|\r|\n/).filter((line) => runnerCommandIn(line) !== undefined);

const JUDGED = { code: 1, stdout: expect.stringContaining("the policy is weaker") };

describe.each(["classic", "berry"] as const)("nothing of the change runs before the check, with Yarn %s", (yarn) => {
  test("in the workflow that init writes", async () => {
    const base = commitChange();
    const { steps } = parse(template("github.yml", registry.integrity)).jobs.check as { steps: JobStep[] };
    const installed = await runJob(job, steps.slice(0, 2), machine(yarn, { BASE: base }));
    expect({ ...installed, commands: commandsIn(installed) }).toMatchObject({ code: 0, commands: [] });
    const run = await runJob(job, steps.slice(2), machine(yarn, { BASE: base, NODE_OPTIONS: "--require=./evil.cjs" }));
    expect(run, run.stderr).toMatchObject(JUDGED);
    expect(ran()).toBe(false);
  });

  test.runIf(yarn === "classic")("in the workflow of the action", async () => {
    const base = commitChange();
    const { steps } = parse(template("github-action.yml")).jobs.check as { steps: JobStep[] };
    const host = machine(yarn, {});
    const event = { pull_request: { number: 7, head: { repo: { full_name: "a/b" } }, base: { sha: base } } };
    const action = () =>
      runAction(job, {
        npm: "real",
        eventName: "pull_request",
        event,
        env: environment(host),
        inputs: { integrity: registry.integrity },
      });
    const run = await runJob(job, steps, { ...host, action });
    expect(run, run.stderr).toMatchObject(JUDGED);
    expect(ran()).toBe(false);
  });

  test.runIf(yarn === "classic")("in the job of GitLab", async () => {
    const base = commitChange();
    // A project can give its jobs Node options that name files in the checkout.
    const env = {
      CI_PROJECT_DIR: job.folder,
      CI_MERGE_REQUEST_DIFF_BASE_SHA: base,
      NODE_OPTIONS: "--require=./evil.cjs",
    };
    const host = machine(yarn, env);
    host.checkout();
    const script = (parse(template("gitlab.yml", registry.integrity)).agentprint.script as string[]).join("\n");
    const run = await runShell(script, environment(host), job.folder);
    expect(run, run.stderr).toMatchObject(JUDGED);
    expect(ran()).toBe(false);
    expect(commandsIn(run)).toEqual([]);
  });

  test.runIf(yarn === "classic")("in the workflow that pins again for Renovate", async () => {
    const [command, ...args] = SERVER;
    const server = { command, args, env: before };
    writeFileSync(origin.path(".mcp.json"), JSON.stringify({ mcpServers: { it: server } }));
    commitChange();
    const { steps } = parse(template("renovate-pin.yml", registry.integrity)).jobs.pin as { steps: JobStep[] };
    const run = await runJob(job, steps.slice(0, 4), machine(yarn, {}));
    expect(run, run.stderr).toMatchObject({ code: 0, stdout: expect.stringContaining("it") });
    expect(ran()).toBe(false);
  });

  test("although its files run where tools are set up after the checkout", async () => {
    commitChange();
    const { steps } = parse(template("github.yml")).jobs.check as { steps: JobStep[] };
    const [setUp, , checkout] = steps as [JobStep, JobStep, JobStep];
    await runJob(job, [checkout, setUp], machine(yarn, {}));
    expect(ran()).toBe(true);
  });
});

describe("the package that is installed", () => {
  const other = `sha512-${"A".repeat(86)}==`;

  test("has the digest that the action or the template names", async () => {
    const base = commitChange();
    const host = machine("classic", { BASE: base, CI_PROJECT_DIR: job.folder, CI_MERGE_REQUEST_DIFF_BASE_SHA: base });
    host.checkout();
    const refused = await runAction(job, { npm: "real", env: environment(host), inputs: { integrity: other } });
    expect(refused).toMatchObject({
      code: 2,
      stdout: expect.stringContaining("integrity: npm installed another package"),
    });
    const gitlab = (parse(template("gitlab.yml", other)).agentprint.script as string[]).join("\n");
    expect(await runShell(gitlab, environment(host), job.folder)).toMatchObject({
      code: 1,
      stdout: expect.not.stringContaining("policy"),
    });
    const { steps } = parse(template("github.yml", other)).jobs.check as { steps: JobStep[] };
    const github = await runJob(job, steps.slice(0, 2), host);
    expect(github).toMatchObject({ code: 1 });
  });

  test("is installed without the variables and the configuration of a user or a job", async () => {
    const base = commitChange();
    const host = machine("classic", { BASE: base });
    host.checkout();
    const evil = `--require=${job.path("evil.cjs")}`;
    const env = {
      ...environment(host),
      NODE_OPTIONS: evil,
      npm_config_node_options: evil,
      npm_config_userconfig: job.path(".npmrc"),
      npm_config_globalconfig: job.path(".npmrc"),
      HOME: job.folder,
      PATH: `${job.path("node_modules/.bin")}:.:${environment(host)["PATH"]}`,
    };
    const event = { pull_request: { number: 7, head: { repo: { full_name: "a/b" } }, base: { sha: base } } };
    rmSync(marker(), { force: true });
    const run = await runAction(job, { npm: "real", eventName: "pull_request", event, env });
    expect(run, run.stderr).toMatchObject({ ...JUDGED, published: 0 });
    expect(ran()).toBe(false);
  });
});
