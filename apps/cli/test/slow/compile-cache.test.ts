import { createHash } from "node:crypto";
import { readdirSync, writeFileSync } from "node:fs";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { spawnCli } from "../support/spawn-cli.ts";
import { Workspace } from "../support/workspace.ts";

let workspace: Workspace;
beforeEach(() => {
  workspace = new Workspace();
});
afterEach(() => workspace[Symbol.dispose]());

describe("the command with its compile cache", () => {
  /** Runs a command without the cache that all other tests share. */
  const run = (env: Readonly<Record<string, string>>) =>
    spawnCli(["hash"], { cwd: workspace.folder, env: { NODE_COMPILE_CACHE: "", HOME: "", ...env }, stdin: "1" });
  const worked = { code: 0, stdout: `${createHash("sha256").update("1").digest("hex")}\n`, stderr: "" };

  test("works where the cache folder cannot be written", async () => {
    writeFileSync(workspace.path("file"), "");
    expect(await run({ XDG_CACHE_HOME: workspace.path("file") })).toEqual(worked);
    // No folder can be created there, not even by root.
    expect(await run({ XDG_CACHE_HOME: "/proc" })).toEqual(worked);
  });

  test("works without a home folder", async () => {
    expect(await run({ XDG_CACHE_HOME: "" })).toEqual(worked);
    expect(readdirSync(workspace.folder)).toEqual([]);
  });

  test("keeps nothing where Node's compile cache is turned off", async () => {
    expect(await run({ XDG_CACHE_HOME: workspace.path("caches"), NODE_DISABLE_COMPILE_CACHE: "1" })).toEqual(worked);
    expect(readdirSync(workspace.folder)).toEqual([]);
  });
});
