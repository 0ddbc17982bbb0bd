import { cpSync, existsSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { formatLock, lockServer, withServer } from "@agentprint/mcp-lock";
import { answersOf } from "@agentprint/testing/lock/offer";
import { outputOf } from "@agentprint/testing/programs";
import { afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { before, ChangeWorkspace, pinBoth } from "../support/change-workspace.ts";
import { Repository } from "../support/repository.ts";
import { type RunResult, runCli } from "../support/run-cli.ts";
import { AGENTPRINT } from "../support/spawn-cli.ts";
import { Workspace } from "../support/workspace.ts";

let locks: Awaited<ReturnType<typeof pinBoth>>;
beforeAll(async () => {
  locks = await pinBoth();
});

let workspace: ChangeWorkspace;
beforeEach(() => {
  workspace = new ChangeWorkspace();
  workspace.writeLock(locks.was);
});
afterEach(() => workspace[Symbol.dispose]());

const check = (cwd: string, args: readonly string[] = ["--base", "base"], env: Record<string, string> = {}) =>
  runCli(["check", ...args], { cwd, env: { ...before, ...env } });
const marker = (): string => workspace.path("ran");
const leavesMarker = (): string => `touch '${marker()}'; false`;
const expectJudgedByBase = ({ code, stdout }: RunResult): void => {
  expect({ code, weaker: stdout.includes("the policy is weaker") }).toEqual({ code: 1, weaker: true });
  expect(existsSync(marker())).toBe(false);
};

/** Commits a strict base and gives the change a weaker policy, so that a wrong base would hide the drift. */
function weaken(folder = ""): string {
  const at = (name: string) => (folder === "" ? name : `${folder}/${name}`);
  workspace.writeLock(locks.was, at("agentprint.lock"));
  workspace.configure({}, at("agentprint.config.json"));
  const id = workspace.commitBase();
  workspace.configure({ preset: "breaking" }, at("agentprint.config.json"));
  return id;
}

/** Turns a folder into a bare repository in which another commit replaces the base. */
function plantRepository(folder: string, base: string): void {
  using forged = new Workspace();
  cpSync(workspace.path(".git"), forged.path(".git"), { recursive: true });
  const repository = new Repository(forged.folder);
  const lenient = withServer(locks.was, lockServer("new", answersOf([], { launch: evil() })));
  mkdirSync(forged.path("mcp"));
  for (const at of ["", "mcp/"]) {
    writeFileSync(forged.path(`${at}agentprint.lock`), formatLock(lenient));
    writeFileSync(forged.path(`${at}agentprint.config.json`), '{ "preset": "breaking" }');
  }
  repository.git("replace", base, repository.commit());
  repository.git("config", "core.bare", "true");
  repository.git("config", "core.fsmonitor", leavesMarker());
  repository.git("config", "remote.origin.uploadpack", leavesMarker());
  repository.git("pack-refs", "--all");
  cpSync(forged.path(".git"), folder, { recursive: true });
}

/** Creates a commit with the change's weaker policy. */
function weakCommit(base: string): string {
  using forged = new Workspace();
  cpSync(workspace.path(".git"), forged.path(".git"), { recursive: true });
  writeFileSync(forged.path(".git/config"), "");
  const repository = new Repository(forged.folder);
  repository.git("reset", "--quiet", "--hard", base);
  writeFileSync(forged.path("agentprint.config.json"), '{ "preset": "breaking" }');
  const id = repository.commit();
  cpSync(forged.path(".git/objects"), workspace.path(".git/objects"), { recursive: true });
  return id;
}

const evil = () => ({ type: "stdio" as const, command: "sh", args: ["-c", leavesMarker()], env: [] });

describe("the repository of a base", () => {
  test.each(["mcp", "mcp/deep/folder"])("is not a folder of the change that looks like one: %s", async (folder) => {
    mkdirSync(workspace.path(folder), { recursive: true });
    const base = weaken(folder);
    plantRepository(workspace.path("mcp"), base);
    workspace.repository.git("add", "--all");
    expect(workspace.repository.git("ls-files", "mcp/HEAD", "mcp/config")).toBe("mcp/HEAD\nmcp/config");
    expectJudgedByBase(await check(workspace.path(folder), ["--base", base]));
  });

  test("has no replaced objects, hooks, monitors, filters or helpers", async () => {
    const base = weaken();
    const run = leavesMarker();
    for (const name of [
      "core.fsmonitor",
      "core.sshCommand",
      "core.pager",
      "core.gitProxy",
      "core.alternateRefsCommand",
      "core.editor",
      "credential.helper",
      "diff.external",
      "filter.x.smudge",
      "filter.x.clean",
      "diff.x.textconv",
      "gpg.program",
      "alias.cat-file",
      "alias.rev-parse",
      "remote.origin.uploadpack",
      "uploadpack.packObjectsHook",
    ]) {
      workspace.repository.git("config", name, name.startsWith("alias.") ? `!${run}` : run);
    }
    writeFileSync(workspace.path("more.config"), `[core]\n\thooksPath = ${workspace.path("hooks")}\n`);
    workspace.repository.git("config", "include.path", workspace.path("more.config"));
    mkdirSync(workspace.path("hooks"));
    for (const hook of ["post-index-change", "reference-transaction", "post-checkout"]) {
      writeFileSync(workspace.path(`hooks/${hook}`), `#!/bin/sh\n${run}\n`, { mode: 0o755 });
    }
    writeFileSync(workspace.path(".gitattributes"), "* filter=x diff=x\n");
    workspace.repository.git(
      "-c",
      "core.hooksPath=/dev/null",
      "-c",
      "core.fsmonitor=false",
      "update-ref",
      "refs/x",
      base,
    );
    const other = weakCommit(base);
    mkdirSync(workspace.path(".git/refs/replace"));
    writeFileSync(workspace.path(`.git/refs/replace/${base}`), `${other}\n`);
    rmSync(marker(), { force: true });
    expectJudgedByBase(await check(workspace.folder, ["--base", base]));
  });

  test("fetches nothing that is missing in a partial clone", async () => {
    const base = weaken();
    workspace.repository.git("config", "uploadpack.allowFilter", "true");
    using clone = new Workspace();
    workspace.repository.git(
      "clone",
      "--quiet",
      "--no-checkout",
      "--filter=blob:none",
      `file://${workspace.folder}`,
      clone.path("c"),
    );
    const git = (...args: string[]) => outputOf("git", args, { cwd: clone.path("c") });
    git("config", "remote.origin.uploadpack", leavesMarker());
    writeFileSync(clone.path("c/agentprint.lock"), formatLock(locks.was));
    const run = await check(clone.path("c"), ["--base", base]);
    expect(run).toMatchObject({ code: 2, stderr: expect.stringContaining("git-failed") });
    expect(existsSync(marker())).toBe(false);
  });

  test("is not one named by a variable", async () => {
    const base = weaken();
    using other = new Workspace();
    plantRepository(other.path("bare"), base);
    const named = {
      GIT_DIR: other.path("bare"),
      GIT_WORK_TREE: other.folder,
      GIT_OBJECT_DIRECTORY: other.path("bare/objects"),
      GIT_COMMON_DIR: other.path("bare"),
      GIT_NAMESPACE: "x",
      GIT_REPLACE_REF_BASE: "refs/heads/",
      GIT_CONFIG_COUNT: "1",
      GIT_CONFIG_KEY_0: "core.useReplaceRefs",
      GIT_CONFIG_VALUE_0: "true",
      GIT_CONFIG_PARAMETERS: `'core.fsmonitor=${workspace.path("x")}'`,
      GIT_EXEC_PATH: other.folder,
      GIT_TRACE: marker(),
      GIT_CEILING_DIRECTORIES: workspace.folder,
    };
    expectJudgedByBase(await check(workspace.folder, ["--base", base], { GIT_DIR: named.GIT_DIR }));
    expectJudgedByBase(await check(workspace.folder, ["--base", base], named));
  });

  test("is not read by a program of the working tree", async () => {
    weaken();
    mkdirSync(workspace.path("node_modules/.bin"), { recursive: true });
    writeFileSync(workspace.path("node_modules/.bin/git"), `#!/bin/sh\n${leavesMarker()}\n`, { mode: 0o755 });
    writeFileSync(workspace.path("git"), `#!/bin/sh\n${leavesMarker()}\n`, { mode: 0o755 });
    const PATH = [workspace.path("node_modules/.bin"), ".", "", "node_modules/.bin", process.env["PATH"]].join(":");
    expectJudgedByBase(await check(workspace.folder, ["--base", "base"], { PATH }));
  });

  test("belongs to its own working tree, and no other", async () => {
    weaken();
    workspace.repository.commit();
    using trees = new Workspace();
    workspace.repository.git("worktree", "add", "--quiet", "--detach", trees.path("tree"));
    expectJudgedByBase(await check(trees.path("tree")));
    cpSync(trees.path("tree"), trees.path("copy"), { recursive: true });
    const copied = await check(trees.path("copy"));
    expect(copied).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("the repository of another working tree"),
    });
    using separate = new Workspace();
    workspace.repository.git(
      "clone",
      "--quiet",
      `--separate-git-dir=${separate.path("git")}`,
      workspace.folder,
      separate.path("tree"),
    );
    expectJudgedByBase(await check(separate.path("tree"), ["--base", "origin/base"]));
  });

  test("is not a submodule, which the change can exchange", async () => {
    weaken();
    using other = new Workspace();
    writeFileSync(other.path("agentprint.lock"), formatLock(locks.was));
    const submodule = new Repository(other.folder);
    submodule.commit();
    submodule.git("branch", "base");
    workspace.repository.git("-c", "protocol.file.allow=always", "submodule", "--quiet", "add", other.folder, "mcp");
    const run = await check(workspace.path("mcp"), ["--base", "HEAD"]);
    expect(run).toMatchObject({ code: 2, stdout: "", stderr: expect.stringContaining("mcp is a submodule") });
  });
});

describe("a path of the base", () => {
  test("is looked up by its name: a working directory that is a link is refused", async () => {
    mkdirSync(workspace.path("mcp"));
    mkdirSync(workspace.path("weak"));
    workspace.writeLock(locks.was, "weak/agentprint.lock");
    workspace.configure({ preset: "breaking" }, "weak/agentprint.config.json");
    weaken("mcp");
    rmSync(workspace.path("mcp"), { recursive: true });
    for (const target of ["weak", "./weak/", ".", workspace.path("weak")]) {
      rmSync(workspace.path("mcp"), { force: true });
      symlinkSync(target, workspace.path("mcp"));
      const linked = await check(workspace.path("mcp"));
      expect(linked).toMatchObject({
        code: 2,
        stdout: "",
        stderr: expect.stringContaining("through the symbolic link"),
      });
    }
    // A shell that entered the folder has the folder's name in PWD.
    const [program, ...args] = AGENTPRINT;
    const line = [program, ...args, "check", "--base", "base"].map((word) => `'${word}'`).join(" ");
    const script = `cd mcp && ${line} 2>&1; echo "code $?"`;
    const env = { ...process.env, ...before };
    const shell = outputOf("sh", ["-c", script], { cwd: workspace.folder, env });
    expect(shell).toContain("through the symbolic link");
    expect(shell).toMatch(/code 2$/m);
  });

  test("may lie in a repository that is entered through a link", async () => {
    mkdirSync(workspace.path("mcp"));
    weaken("mcp");
    using links = new Workspace();
    symlinkSync(workspace.folder, links.path("link"));
    expectJudgedByBase(await check(links.path("link/mcp")));
    expectJudgedByBase(await check(links.path("link"), ["--base", "base", "--lock", "mcp/agentprint.lock"]));
    const absolute = ["--base", "base", "--lock", links.path("link/mcp/agentprint.lock")];
    expectJudgedByBase(await check(workspace.folder, absolute));
  });
});

describe("a name that several things have", () => {
  test("is refused, whichever Git would take", async () => {
    const base = weaken();
    const { repository } = workspace;
    const weak = repository.commit();
    // In a clone, origin's branch `next` has another name, so Git finds only the tag.
    for (const branch of ["main", "next"]) repository.git("update-ref", `refs/remotes/origin/${branch}`, base);
    for (const tag of ["origin/main", "next"]) repository.git("tag", tag, weak);
    repository.git("tag", "v1", base);
    const names = ["origin/main", "origin/main~0", "origin/main^{commit}", "next", "next~0", "next^{commit}"];
    for (const ref of [...names, ":/change", "HEAD^{/change}"]) {
      const run = await check(workspace.folder, ["--base", ref]);
      expect(run, ref).toMatchObject({
        code: 2,
        stdout: "",
        stderr: expect.stringMatching(/more than one thing|not the name of a commit/),
      });
    }
    for (const ref of ["refs/remotes/origin/main", "remotes/origin/main", "v1", base])
      expectJudgedByBase(await check(workspace.folder, ["--base", ref]));
    repository.git("config", "core.warnAmbiguousRefs", "false");
    for (const name of ["base", "HEAD", base.slice(0, 7)]) {
      repository.git("update-ref", `refs/tags/${name}`, weak);
      const run = await check(workspace.folder, ["--base", name], { LC_ALL: "de_DE.UTF-8", LANGUAGE: "de" });
      expect(run, name).toMatchObject({ code: 2, stdout: "", stderr: expect.stringContaining("more than one thing") });
    }
    // A full id stands for the commit, even if a branch or tag has it as its name.
    repository.git("update-ref", `refs/tags/${base}`, weak);
    expectJudgedByBase(await check(workspace.folder, ["--base", base]));
  });
});
