import { existsSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { outputOf } from "@agentprint/testing/programs";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { type ActionResult, runAction, type Surroundings } from "../support/action-run.ts";
import { hostile } from "../support/hostile.ts";
import { Repository } from "../support/repository.ts";
import { Workspace } from "../support/workspace.ts";

let workspace: Workspace;
beforeEach(() => {
  workspace = new Workspace();
});
afterEach(() => workspace[Symbol.dispose]());

/** Runs the action with a server that answers as it was pinned. */
function act(surroundings: Surroundings): Promise<ActionResult> {
  return runAction(workspace, { ...surroundings, env: say });
}

const launch = ["--name", "server", "--env", "HOSTILE_TEXT", "--", ...hostile("terminal-escapes")];
const say = { HOSTILE_TEXT: "before" };

describe("the check of a pull request", () => {
  /** Checks out only the last commit of a pull request, as GitHub does, and runs the action. */
  async function review(change: (origin: Workspace) => unknown, inputs: Record<string, string> = {}) {
    using origin = new Workspace();
    const repository = new Repository(origin.folder);
    expect((await origin.run(["pin", ...launch], say)).code).toBe(0);
    const sha = repository.commit();
    await change(origin);
    repository.commit();
    const clone = ["clone", "--quiet", "--depth=1", `file://${origin.folder}`, "."];
    outputOf("git", clone, { cwd: workspace.folder });
    const event = { pull_request: { number: 7, head: { repo: { full_name: "stranger/repo" } }, base: { sha } } };
    return await act({ eventName: "pull_request", event, inputs });
  }

  const changeLaunch = (origin: Workspace) => origin.run(["pin", "--replace", ...launch, "other"], say);

  test("starts no launch that its base does not have, unless this is allowed", async () => {
    const held = await review(changeLaunch);
    expect(held).toMatchObject({ code: 2, published: 0, stderr: expect.stringContaining("not started") });
    rmSync(workspace.folder, { recursive: true });
    mkdirSync(workspace.folder);
    const allowed = await review(changeLaunch, { "allow-changed-launch": "true" });
    expect(allowed).toMatchObject({ code: 0, summary: expect.stringContaining("approved in this change") });
    expect(allowed.summary).toMatch(/^## agentprint check\n\n.*\n\nJudged by the base [0-9a-f]{40}\n\n/);
  });

  test("is judged by the policy of its base", async () => {
    const relax = (origin: Workspace) =>
      writeFileSync(origin.path("agentprint.config.json"), '{ "rules": { "mcp/tool-prose-changed": "off" } }');
    const { code, summary } = await review(relax);
    expect({ code, summary }).toEqual({ code: 1, summary: expect.stringContaining("weaker") });
  });

  /**
   * Creates an origin whose tag `main` points to a commit with a weaker policy than its branch `main`, and a change
   * with the weaker policy, too.
   */
  async function originWithTag(): Promise<Workspace> {
    const origin = new Workspace();
    const repository = new Repository(origin.folder);
    expect((await origin.run(["pin", ...launch], say)).code).toBe(0);
    repository.commit();
    repository.git("checkout", "--quiet", "-b", "change");
    writeFileSync(origin.path("agentprint.config.json"), '{ "rules": { "mcp/tool-prose-changed": "off" } }');
    repository.commit();
    repository.git("tag", "main");
    return origin;
  }

  const clone = (origin: Workspace, ...options: readonly string[]) =>
    outputOf("git", ["clone", "--quiet", "--branch=change", ...options, `file://${origin.folder}`, "."], {
      cwd: workspace.folder,
      stdio: "pipe",
    });

  test("does not mistake a tag for the branch with the same name", async () => {
    using origin = await originWithTag();
    clone(origin, "--depth=1", "--no-tags");
    const fetched = await act({ inputs: { base: "main" } });
    expect(fetched, fetched.stderr).toMatchObject({ code: 1, summary: expect.stringContaining("weaker") });
    rmSync(workspace.folder, { recursive: true });
    mkdirSync(workspace.folder);
    clone(origin);
    for (const base of ["main", "main~0"]) {
      const refused = await act({ inputs: { base } });
      expect(refused).toMatchObject({ code: 2, stdout: expect.stringContaining("the name of a tag") });
    }
    const full = await act({ inputs: { base: "refs/remotes/origin/main" } });
    expect(full).toMatchObject({ code: 1, summary: expect.stringContaining("weaker") });
  });

  test("runs nothing that a configuration of the change names when it fetches", async () => {
    using origin = await originWithTag();
    clone(origin, "--depth=1", "--no-tags");
    const marker = `${workspace.folder}.runner/ran`;
    const url = `ext::sh -c touch% ${marker}`;
    const configuration = `[protocol "ext"]\nallow = always\n[url "${url}"]\ninsteadOf = file://${origin.folder}\n`;
    writeFileSync(workspace.path(".gitconfig"), configuration);
    outputOf("git", ["config", "include.path", "../.gitconfig"], { cwd: workspace.folder });
    const { code, stderr } = await act({ inputs: { base: "main" } });
    expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringContaining("transport 'ext' not allowed") });
    expect(existsSync(marker)).toBe(false);
  });

  test("cannot tell if origin does not have the base", async () => {
    const { code, stdout } = await review(() => {}, { base: "no-such-branch" });
    expect({ code, stdout }).toEqual({ code: 2, stdout: expect.stringContaining("origin does not give this commit") });
  });
});
