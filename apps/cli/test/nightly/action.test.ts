import { existsSync, mkdirSync, readFileSync, renameSync, symlinkSync, writeFileSync } from "node:fs";
import { runnerCommandIn } from "@agentprint/testing/report/runner-rules";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import packageJson from "../../package.json" with { type: "json" };
import { ACTION, type ActionResult, runAction, type Surroundings } from "../support/action-run.ts";
import { GithubApi } from "../support/github-api.ts";
import { hostile } from "../support/hostile.ts";
import { Repository } from "../support/repository.ts";
import { Workspace } from "../support/workspace.ts";

let [workspace, api] = [] as unknown as [Workspace, GithubApi];
beforeEach(async () => {
  [workspace, api] = [new Workspace(), new GithubApi()];
  await api.listen();
});
afterEach(() => {
  for (const each of [workspace, api]) each[Symbol.dispose]();
});

async function pin(): Promise<void> {
  const args = ["pin", "--name", "server", "--env", "HOSTILE_TEXT", "--", ...hostile("terminal-escapes")];
  expect((await workspace.run(args, { HOSTILE_TEXT: "before" })).code).toBe(0);
}

/** Runs the action with a server that returns the given text. */
function act(text: string, surroundings: Surroundings = {}): Promise<ActionResult> {
  const env = { HOSTILE_TEXT: text, GITHUB_API_URL: api.url, ...surroundings.env };
  return runAction(workspace, { ...surroundings, env });
}

const pullRequest = (from = "owner/repo"): Surroundings => ({
  eventName: "pull_request",
  event: { pull_request: { number: 7, head: { repo: { full_name: from } }, base: {} } },
});

describe("the check of the action", () => {
  beforeEach(pin);

  test("has the exit code of the command, and writes every report in one visit", async () => {
    const same = await act("before");
    expect(same).toMatchObject({ code: 0, published: 0, outputs: { "exit-code": "0" } });
    expect(same.summary).toMatch(/^## agentprint check\n/);
    const drift = await act("after");
    expect(drift).toMatchObject({ code: 1, published: 0, outputs: { "exit-code": "1" } });
    expect(drift.stdout).toMatch(/^::error /m);
    expect(drift.summary).toContain("server");
    const { report = "", sarif = "", markdown = "" } = drift.outputs;
    expect(JSON.parse(readFileSync(report, "utf8"))).toMatchObject({ outcome: "drift" });
    expect(JSON.parse(readFileSync(sarif, "utf8"))).toMatchObject({ version: "2.1.0" });
    expect(drift.summary).toBe(readFileSync(markdown, "utf8"));
    expect(api.requests).toEqual([]);
  });

  test("cannot tell without a lock, a program or a folder", async () => {
    const cases: [Record<string, string>, string][] = [
      [{ lock: "none.lock" }, ""],
      [{ version: "0.0.0-none" }, "npm could not install agentprint"],
      [{ "working-directory": "none" }, "working-directory: there is no such folder"],
      [{ "allow-changed-launch": "yes" }, "allow-changed-launch: expected true or false"],
      [{ version: "^0.3.0" }, "version: expected an exact version"],
      [{ version: "latest" }, "version: expected an exact version"],
      [{ version: "npm:evil@1.0.0" }, "version: expected an exact version"],
      [{ version: "1.0.0\n--registry=x" }, "version: expected an exact version"],
      [{ base: "main" }, "base: the checkout is no Git repository"],
    ];
    for (const [inputs, message] of cases) {
      const result = await act("before", { inputs });
      expect(result).toMatchObject({ code: 2, outputs: { "exit-code": "2" } });
      expect(result.outputs).not.toHaveProperty("report");
      expect(result.stdout).toContain(message);
      expect(result.summary).toContain("it ended without a report");
    }
  });

  test("prints no output of npm that the runner would read as a command", async () => {
    const { stderr } = await act("before", { inputs: { version: "0.0.0-none" } });
    expect(stderr).toContain("no such version");
    const lines = stderr.split(/\r\n|\r|\n/);
    expect(lines.filter((line) => runnerCommandIn(line) !== undefined)).toEqual([]);
    expect(lines.filter((line) => /add-mask/.test(line))).toHaveLength(3);
  });

  test("requests nothing but a commit from origin", async () => {
    new Repository(workspace.folder).commit();
    for (const base of ["--upload-pack=touch pwned", "+refs/heads/a:refs/heads/b", "a:b", "a b", "a\nb"]) {
      const { code, stdout } = await act("before", { inputs: { base } });
      expect({ code, stdout }).toEqual({ code: 2, stdout: expect.stringContaining("base: expected a commit") });
    }
  });

  test("enters no folder through a link, and none outside of the checkout", async () => {
    mkdirSync(workspace.path("weak"));
    symlinkSync("weak", workspace.path("mcp"));
    symlinkSync(".", workspace.path("here"));
    for (const folder of ["mcp", "mcp/", "./mcp", "here/weak", workspace.path("mcp"), "weak/../mcp"]) {
      const { code, stdout } = await act("before", { inputs: { "working-directory": folder } });
      expect({ code, stdout }, folder).toEqual({ code: 2, stdout: expect.stringContaining("through a symbolic link") });
    }
    const { code, stdout } = await act("before", { inputs: { "working-directory": ".." } });
    expect({ code, stdout }).toEqual({ code: 2, stdout: expect.stringContaining("expected a folder of the checkout") });
    for (const folder of ["weak/..", workspace.folder]) {
      expect((await act("before", { inputs: { "working-directory": folder } })).code, folder).toBe(0);
    }
  });

  test("refuses the event that gives secrets to the commands of strangers", async () => {
    const { code, stdout, installed } = await act("before", { eventName: "pull_request_target" });
    expect({ code, installed }).toEqual({ code: 2, installed: "" });
    expect(stdout).toContain("use pull_request");
  });

  test("passes each input on as one argument, whatever is in it", async () => {
    const folder = "a b; $(touch pwned) `touch pwned`";
    mkdirSync(workspace.path(folder));
    renameSync(workspace.path("agentprint.lock"), workspace.path(`${folder}/it's "my".lock`));
    writeFileSync(workspace.path(`${folder}/$HOME *.json`), "{}");
    writeFileSync(workspace.path(`${folder}/mcp.json`), '{ "mcpServers": {} }');
    const result = await act("before", {
      inputs: {
        version: "0.3.0-rc.1",
        "working-directory": folder,
        lock: `it's "my".lock`,
        config: "$HOME *.json",
        "mcp-config": "mcp.json",
        args: "--env\nHOSTILE_TEXT\n--also\njunit=a *.xml\n",
      },
    });
    expect({ ...result, args: [], summary: "" }).toMatchObject({ code: 0, installed: "agentprint@0.3.0-rc.1" });
    expect(result.args.filter((argument) => !/\/report\.\w+$/.test(argument))).toEqual([
      "check",
      `--lock=it's "my".lock`,
      ...["--format", "github", "--also", "--also", "--also"],
      ...["--config=$HOME *.json", "--mcp-config=mcp.json"],
      ...["--env", "HOSTILE_TEXT", "--also", "junit=a *.xml"],
    ]);
    expect(existsSync(workspace.path(`${folder}/a *.xml`))).toBe(true);
    expect([workspace.path("pwned"), workspace.path(`${folder}/pwned`)].filter(existsSync)).toEqual([]);
  });

  test("uses the version it belongs to, from outside the checkout", async () => {
    writeFileSync(workspace.path(".npmrc"), "registry=http://127.0.0.1:9/\n");
    mkdirSync(workspace.path("node_modules/.bin"), { recursive: true });
    writeFileSync(workspace.path("node_modules/.bin/agentprint"), "#!/bin/sh\nexit 0\n", { mode: 0o755 });
    const { code, installed } = await act("after");
    expect({ code, installed }).toEqual({ code: 1, installed: `agentprint@${packageJson.version}` });
  });
});

describe("the comment of the action", () => {
  beforeEach(pin);

  test("is created once and then updated in place", async () => {
    await act("after", pullRequest());
    expect(api.comments.map(({ body }) => body)).toEqual([
      expect.stringMatching(/^<!-- agentprint check \w{16} -->\n## /),
    ]);
    const [first = ""] = api.comments.map(({ body }) => body);
    await act("after", pullRequest());
    expect(api.comments.map(({ body }) => body)).toEqual([first]);
    await act("before", pullRequest());
    expect(api.comments).toHaveLength(1);
    expect(api.comments[0]?.body).not.toContain("- **error**");
    expect(api.requests.filter((request) => !request.startsWith("GET"))).toEqual([
      "POST /repos/owner/repo/issues/7/comments",
      ...Array(2).fill("PATCH /repos/owner/repo/issues/comments/1"),
    ]);
  });

  test("is not created without content, nor without the input", async () => {
    await act("before", pullRequest());
    await act("after", { ...pullRequest(), inputs: { comment: "false" } });
    expect(api.comments).toEqual([]);
  });

  test("is found after a hundred others, and a comment of someone else with the same marker is not taken", async () => {
    await act("after", pullRequest());
    const { body = "" } = api.comments.pop() ?? {};
    api.add("somebody", body);
    for (let count = 1; count < 120; count++) api.add("somebody", "fine");
    const [marker = ""] = body.split("\n");
    const own = api.add("github-actions[bot]", `${marker}\nof an earlier run`);
    await act("after", pullRequest());
    expect(api.comments).toHaveLength(121);
    expect(api.comments[0]?.body).toBe(body);
    expect(own.body).toBe(body);
  });

  test("is a separate one for each of two checks", async () => {
    writeFileSync(workspace.path("other.lock"), workspace.lockText());
    await act("after", pullRequest());
    await act("after", { ...pullRequest(), inputs: { lock: "other.lock" } });
    expect(api.comments).toHaveLength(2);
  });

  test("of a fork appears only in the summary, which says so", async () => {
    const { code, published, summary } = await act("after", pullRequest("stranger/repo"));
    expect({ code, published, requests: api.requests }).toEqual({ code: 1, published: 0, requests: [] });
    expect(summary).toContain("comes from a fork");
    expect(summary).toContain("**error**");
  });

  test("a refusal by GitHub changes no exit code, and the summary reports it", async () => {
    api.refusal = 403;
    const refused = await act("after", pullRequest());
    expect(refused).toMatchObject({ code: 1, published: 0 });
    expect(refused.summary).toContain("needs `pull-requests: write`");
    api.refusal = 502;
    const broken = await act("after", pullRequest());
    expect(broken).toMatchObject({ code: 1, published: 0 });
    expect(broken.stdout).toContain("::warning title=agentprint::the pull request has no current comment");
    expect(broken.summary).toContain("see the log of this step for the reason");
  });
});

describe("action.yml", () => {
  const { inputs, outputs, runs } = ACTION;
  const scripts = runs.steps.filter(({ run }) => run !== undefined);

  test("writes no value into a script", () => {
    expect(scripts).toHaveLength(2);
    for (const { run } of scripts) expect(run).not.toContain("${{");
  });

  test("uses every input, and declares every input that is used", () => {
    const used = JSON.stringify(runs).matchAll(/inputs\.([\w-]+)/g);
    expect([...new Set([...used].map(([, name]) => name))].sort()).toEqual(Object.keys(inputs).sort());
    expect(Object.keys(outputs).sort()).toEqual(["base", "exit-code", "report", "sarif"]);
  });

  test("publishes although the check failed, and uploads nothing from a fork", () => {
    const [, publish, upload] = runs.steps;
    expect(publish?.if).toMatch(/!cancelled\(\)/);
    expect(upload?.uses).toMatch(/^github\/codeql-action\/upload-sarif@v\d+$/);
    expect(upload?.if).toMatch(
      /!cancelled\(\) && inputs\.sarif == 'true'.*head\.repo\.full_name == github\.repository/,
    );
  });
});
