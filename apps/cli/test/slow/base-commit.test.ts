import { mkdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { pathToFileURL } from "node:url";
import { formatLock } from "@agentprint/mcp-lock";
import { afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { before, ChangeWorkspace, pinBoth } from "../support/change-workspace.ts";
import { Repository } from "../support/repository.ts";
import { runCli } from "../support/run-cli.ts";
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

describe("check --base, the commit", () => {
  const failed = async (args: readonly string[], cwd = workspace.folder, env = {}) => {
    const { code, stdout, stderr } = await runCli(["check", ...args], {
      cwd,
      env: { ...before, ...env },
    });
    expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
    return stderr;
  };

  test.each([
    ["", "nothing"],
    ["--upload-pack=x", "--upload-pack"],
    ["a b", "a b"],
    ["a\u0000b", "a"],
    ["a\nb", "a"],
    ["\u202ebase", ""],
    [`a${"a".repeat(1000)}`, "a"],
  ])("cannot be named %j", async (ref) => {
    workspace.commitBase();
    expect(await failed([`--base=${ref}`])).toContain("this is not the name of a commit");
  });

  test("must exist in the clone", async () => {
    workspace.commitBase();
    for (const ref of ["none", "HEAD:agentprint.lock", "HEAD~7", "0".repeat(40)]) {
      const stderr = await failed(["--base", ref]);
      expect(stderr).toContain(`Git knows no commit ${ref}`);
      expect(stderr).toContain("git fetch origin");
    }
    const id = workspace.repository.commit();
    for (const ref of [id, id.slice(0, 10), "HEAD", "refs/heads/main", "HEAD~0"]) {
      expect((await workspace.check(["--base", ref])).code, ref).toBe(0);
    }
  });

  test("is missing in a shallow clone, and the error explains how to fetch it", async () => {
    const id = workspace.commitBase();
    workspace.repository.commit();
    using clone = new Workspace();
    const origin = pathToFileURL(workspace.folder).href;
    workspace.repository.git("clone", "--quiet", "--depth=1", origin, clone.path("clone"));
    const stderr = await failed(["--base", id], clone.path("clone"));
    expect(stderr).toContain("a commit of this clone, which is shallow");
    expect(stderr).toContain("git fetch --depth=1 origin <commit>");
  });

  test("needs a repository, and Git", async () => {
    workspace.commitBase();
    using outside = new Workspace();
    writeFileSync(outside.path("agentprint.lock"), formatLock(locks.was));
    const env = { GIT_CEILING_DIRECTORIES: outside.folder };
    expect(await failed(["--base", "base"], outside.folder, env)).toContain("run the command in the repository");
    expect(await failed(["--base", "base"], workspace.folder, { PATH: outside.folder })).toContain(
      "Git is not installed",
    );
    const lock = outside.path("agentprint.lock");
    expect(await failed(["--base", "base", "--lock", lock])).toContain("is outside the repository");
  });

  test("is read from a folder of the repository, by relative and absolute paths", async () => {
    mkdirSync(workspace.path("sub/[x]"), { recursive: true });
    workspace.writeLock(locks.was, "sub/[x]/a*.lock");
    workspace.configure({}, "sub/[x]/agentprint.config.json");
    workspace.commitBase();
    workspace.configure({ preset: "breaking" }, "sub/[x]/agentprint.config.json");
    const run = (cwd: string, lock: string) =>
      runCli(["check", "--base", "base", "--lock", lock], { cwd, env: before });
    for (const [cwd, lock] of [
      [workspace.folder, "sub/[x]/a*.lock"],
      [workspace.path("sub"), "[x]/a*.lock"],
      [workspace.path("sub/[x]"), "../[x]/a*.lock"],
      [workspace.path("sub"), workspace.path("sub/[x]/a*.lock")],
    ] as const) {
      const { code, stdout } = await run(cwd, lock);
      expect([code, stdout.includes("the policy is weaker")], lock).toEqual([1, true]);
    }
  });

  test("is not looked up behind links that the change placed", async () => {
    workspace.configure({});
    workspace.commitBase();
    // A link to a new file would hide the base's lock.
    workspace.writeLock(locks.was, "other.lock");
    rmSync(workspace.path("agentprint.lock"));
    symlinkSync("other.lock", workspace.path("agentprint.lock"));
    workspace.configure({ preset: "breaking" });
    expect(await workspace.check()).toMatchObject({ code: 1, stdout: expect.stringContaining("the policy is weaker") });
    workspace.commitBase();
    expect(await failed(["--base", "base"])).toContain("agentprint.lock is a symbolic link");
    mkdirSync(workspace.path("real"));
    workspace.writeLock(locks.was, "real/agentprint.lock");
    symlinkSync("real", workspace.path("link"));
    workspace.commitBase();
    expect(await failed(["--base", "base", "--lock", "link/agentprint.lock"])).toContain("link is a symbolic link");
  });

  test("cannot be read through a submodule", async () => {
    using other = new Workspace();
    writeFileSync(other.path("agentprint.lock"), formatLock(locks.was));
    new Repository(other.folder).commit();
    workspace.repository.git("-c", "protocol.file.allow=always", "submodule", "--quiet", "add", other.folder, "sub");
    workspace.commitBase();
    const stderr = await failed(["--base", "base", "--lock", "sub/agentprint.lock"]);
    expect(stderr).toContain("sub is a submodule");
    expect(stderr).toContain("run the command in the submodule");
  });

  test("is refused where its lock cannot be trusted, or its policy cannot be read", async () => {
    writeFileSync(workspace.path("agentprint.lock"), "<<<<<<< conflict");
    workspace.commitBase();
    workspace.writeLock(locks.was);
    expect(await failed(["--base", "base"])).toMatch(/agentprint\.lock at base \([0-9a-f]{12}\) cannot be trusted/);
    workspace.configure({ preset: "lax" });
    workspace.commitBase();
    workspace.configure({});
    expect(await failed(["--base", "base"])).toMatch(/agentprint\.config\.json at base \([0-9a-f]{12}\):1:11/);
    writeFileSync(workspace.path("agentprint.config.json"), " ".repeat(1024 * 1024 + 1));
    workspace.commitBase();
    workspace.configure({});
    expect(await failed(["--base", "base"])).toContain("has 1048577 bytes");
    rmSync(workspace.path("agentprint.config.json"));
    mkdirSync(workspace.path("agentprint.config.json"));
    writeFileSync(workspace.path("agentprint.config.json/x"), "");
    workspace.commitBase();
    renameSync(workspace.path("agentprint.config.json"), workspace.path("folder"));
    expect((await workspace.check()).code).toBe(0);
  });
});
