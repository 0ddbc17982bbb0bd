import { createHash } from "node:crypto";
import { chmodSync, mkdirSync, readdirSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { compileCacheFolder, isPrivateFolder } from "../../src/run/compile-cache.ts";
import { spawnCli } from "../support/spawn-cli.ts";
import { Workspace } from "../support/workspace.ts";

let workspace: Workspace;
beforeEach(() => {
  workspace = new Workspace();
});
afterEach(() => workspace[Symbol.dispose]());

const user = process.getuid?.();

describe("the folder of the compile cache", () => {
  test.each([
    ["linux", { HOME: "/home/ann" }, "/home/ann/.cache/agentprint"],
    ["linux", { HOME: "/home/ann", XDG_CACHE_HOME: "/caches" }, "/caches/agentprint"],
    ["linux", { HOME: "/home/ann", XDG_CACHE_HOME: "caches" }, "/home/ann/.cache/agentprint"],
    ["linux", { HOME: "home" }, undefined],
    ["linux", { HOME: "" }, undefined],
    ["linux", {}, undefined],
    ["darwin", { HOME: "/Users/ann" }, "/Users/ann/Library/Caches/agentprint"],
    ["darwin", { HOME: "/Users/ann", XDG_CACHE_HOME: "/caches" }, "/caches/agentprint"],
    ["win32", { LOCALAPPDATA: "C:\\Users\\ann\\AppData\\Local" }, "C:\\Users\\ann\\AppData\\Local\\agentprint"],
    ["win32", { HOME: "/c/Users/ann" }, undefined],
  ] as const)("on %s with %j is %j", (platform, env, folder) => {
    expect(compileCacheFolder(env, platform)).toBe(folder);
  });

  test("is made for the user alone, with the folder above it", () => {
    const folder = workspace.path("caches/agentprint");
    expect(isPrivateFolder(folder, user)).toBe(true);
    expect(statSync(folder).mode & 0o777).toBe(0o700);
    expect(isPrivateFolder(folder, user)).toBe(true);
  });

  test.each([0o770, 0o720, 0o777, 0o702])("is refused where others can write to it: mode %o", (mode) => {
    const folder = workspace.path("agentprint");
    mkdirSync(folder);
    chmodSync(folder, mode);
    expect(isPrivateFolder(folder, user)).toBe(false);
  });

  test("is refused where it belongs to another user", () => {
    expect(isPrivateFolder(workspace.path("agentprint"), (user ?? 0) + 1)).toBe(false);
  });

  test("is refused where it is a symbolic link, which may lead to a folder of someone else", () => {
    mkdirSync(workspace.path("elsewhere"), { mode: 0o700 });
    symlinkSync(workspace.path("elsewhere"), workspace.path("agentprint"));
    expect(isPrivateFolder(workspace.path("agentprint"), user)).toBe(false);
  });

  test("is refused where it cannot be made", () => {
    writeFileSync(workspace.path("file"), "");
    expect(isPrivateFolder(workspace.path("file/agentprint"), user)).toBe(false);
  });
});

describe("the command", () => {
  /** Runs a command without the cache that all other tests share. */
  const run = (env: Readonly<Record<string, string>>) =>
    spawnCli(["hash"], { cwd: workspace.folder, env: { NODE_COMPILE_CACHE: "", HOME: "", ...env }, stdin: "1" });
  const worked = { code: 0, stdout: `${createHash("sha256").update("1").digest("hex")}\n`, stderr: "" };

  test("keeps compiled code in the user's cache folder, and nothing in the working folder", async () => {
    expect(await run({ XDG_CACHE_HOME: workspace.path("caches") })).toEqual(worked);
    const hasCache = "enableCompileCache" in (await import("node:module")).default;
    const folder = workspace.path("caches/agentprint");
    expect(hasCache ? readdirSync(folder).length : 1).toBe(1);
    expect(readdirSync(workspace.folder)).toEqual(hasCache ? ["caches"] : []);
  });
});
