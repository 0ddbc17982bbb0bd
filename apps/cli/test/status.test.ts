import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { pathToFileURL } from "node:url";
import { createLock, formatLock, type ServerSnapshot } from "@agentprint/mcp-lock";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { INVISIBLE } from "../../../packages/mcp-lock/test/invisible.ts";
import { hostile } from "./support/hostile.ts";
import { Repository } from "./support/repository.ts";
import { runCli } from "./support/run-cli.ts";
import { Workspace } from "./support/workspace.ts";

let workspace: Workspace;
beforeEach(() => {
  workspace = new Workspace();
});
afterEach(() => workspace[Symbol.dispose]());

function state(instructions: string, args: readonly string[] = []): ServerSnapshot {
  return {
    launch: { type: "stdio", command: "server", args: [...args], env: [] },
    clientCapabilities: {},
    protocolVersion: "2025-11-25",
    serverInfo: { name: "server", version: "1.0.0" },
    capabilities: {},
    instructions,
    tools: [],
    prompts: [],
    resources: [],
    resourceTemplates: [],
  };
}

/** Writes a lock of servers that say what is given. */
function write(says: Readonly<Record<string, string>>, file = "agentprint.lock"): void {
  const servers = Object.entries(says).map(([name, text]) => [name, state(text)] as const);
  writeFileSync(workspace.path(file), formatLock(createLock(Object.fromEntries(servers))));
}

interface Status {
  readonly servers: readonly { readonly name: string; readonly since?: unknown }[];
  readonly notPinned: readonly { readonly name: string }[];
  readonly gitProblem?: string;
}

async function status(args: readonly string[] = [], cwd = workspace.folder): Promise<Status> {
  const run = await runCli(["status", "--format", "json", ...args], { cwd });
  return JSON.parse(run.stdout);
}

/** Since which commit each server is as it is. */
async function since(args: readonly string[] = [], cwd = workspace.folder): Promise<Record<string, unknown>> {
  const { servers } = await status(args, cwd);
  return Object.fromEntries(servers.map(({ name, since }) => [name, since]));
}

describe("agentprint status, since when a server is pinned", () => {
  test("is the commit that last changed its entry, whatever changed beside it", async () => {
    const repository = new Repository(workspace.folder);
    write({ a: "1", c: "1" });
    const first = repository.commit();
    write({ a: "1", b: "1", c: "1" });
    const second = repository.commit();
    writeFileSync(workspace.path("other.txt"), "");
    repository.commit();
    write({ a: "2", b: "1", c: "1" });
    repository.commit();
    write({ a: "1", b: "1", c: "1" });
    const last = repository.commit();
    expect(await since()).toEqual({
      a: { commit: last, date: "2023-11-19T22:13:20Z" },
      b: { commit: second, date: "2023-11-16T22:13:20Z" },
      c: { commit: first, date: "2023-11-15T22:13:20Z" },
    });
    const { code, stdout, stderr } = await workspace.run(["status"]);
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    expect(stdout).toContain(`pinned c 0 tools\n  server\n  since 2023-11-15 by commit ${first.slice(0, 12)}\n`);
  });

  test("is found through merges, in the branch that changed the entry", async () => {
    const repository = new Repository(workspace.folder);
    write({ a: "1", b: "1" });
    const first = repository.commit();
    repository.git("switch", "--quiet", "--create", "side");
    write({ a: "1", b: "2" });
    const side = repository.commit();
    repository.git("switch", "--quiet", "main");
    write({ a: "2", b: "1" });
    const main = repository.commit();
    repository.git("merge", "--quiet", "--no-commit", "--strategy=ours", "side");
    write({ a: "2", b: "2", c: "1" });
    const merge = repository.commit();
    const commits = Object.entries(await since()).map(([name, value]) => [name, (value as { commit: string }).commit]);
    expect(Object.fromEntries(commits)).toEqual({ a: main, b: side, c: merge });
    expect([first, side, main, merge]).toHaveLength(new Set([first, side, main, merge]).size);
  });

  test("is told where nothing is committed, or not in this state", async () => {
    const repository = new Repository(workspace.folder);
    write({ a: "1" });
    expect(await since()).toEqual({ a: "uncommitted" });
    const first = repository.commit();
    write({ a: "1", b: "1" });
    expect(await since()).toEqual({ a: { commit: first, date: expect.any(String) }, b: "uncommitted" });
    writeFileSync(workspace.path("agentprint.lock"), "<<<<<<< a conflict");
    const broken = repository.commit();
    write({ a: "1" });
    const repaired = repository.commit();
    expect(await since()).toMatchObject({ a: { commit: repaired } });
    expect(broken).not.toBe(repaired);
    expect((await workspace.run(["status", "--lock", "agentprint.lock"])).stdout).not.toContain("not committed");
  });

  test("may be longer ago in a shallow clone", async () => {
    const repository = new Repository(workspace.folder);
    write({ a: "1", b: "1" });
    repository.commit();
    write({ a: "1", b: "2" });
    repository.commit();
    write({ a: "1", b: "2", c: "1" });
    const last = repository.commit();
    const origin = pathToFileURL(workspace.folder).href;
    using clone = new Workspace();
    repository.git("clone", "--quiet", "--depth=1", origin, clone.path("clone"));
    const known = { commit: last, date: expect.any(String), isOrOlder: true };
    expect(await since([], clone.path("clone"))).toEqual({ a: known, b: known, c: known });
    const { stdout } = await runCli(["status"], { cwd: clone.path("clone") });
    expect(stdout).toContain("or for longer: the history of this clone ends there");
  });

  test("is found for a lock in a folder, behind a link, and in a Git hook of another repository", async () => {
    const repository = new Repository(workspace.folder);
    mkdirSync(workspace.path("[a]"));
    write({ a: "1" }, "[a]/b*.lock");
    const first = repository.commit();
    symlinkSync("[a]/b*.lock", workspace.path("link.lock"));
    repository.commit();
    const expected = { a: { commit: first, date: expect.any(String) } };
    expect(await since(["--lock", "link.lock"])).toEqual(expected);
    expect(await since(["--lock", "b*.lock"], workspace.path("[a]"))).toEqual(expected);
    using other = new Workspace();
    new Repository(other.folder).commit();
    const run = await runCli(["status", "--lock", "link.lock"], {
      cwd: workspace.folder,
      env: { GIT_DIR: other.path(".git"), GIT_INDEX_FILE: other.path(".git/index") },
    });
    expect(run.stdout).toContain(first.slice(0, 12));
  });

  test("is not known without a repository or without Git, which is told and no failure", async () => {
    write({ a: "1" });
    const outside = await workspace.run(["status"], { GIT_CEILING_DIRECTORIES: workspace.folder });
    expect(outside).toMatchObject({ code: 0, stdout: expect.stringContaining("pinned a 0 tools\n") });
    expect(outside.stderr).toMatch(/^note: since when servers are pinned is not known: Git says: not a git repository/);
    const without = await workspace.run(["status", "--format", "json"], { PATH: workspace.folder });
    expect(without).toMatchObject({ code: 0, stderr: "" });
    expect(JSON.parse(without.stdout)).toMatchObject({ servers: [{ name: "a" }], gitProblem: "Git is not installed" });
  });
});

describe("agentprint status, what is not pinned", () => {
  const [command = "", script = ""] = hostile("terminal-escapes");

  test("are servers of configurations that the lock lacks, or has with another launch", async () => {
    const files = { same: { command, args: [script], env: { TOKEN: "x" } } };
    writeFileSync(
      workspace.path("a.json"),
      JSON.stringify({ mcpServers: { ...files, web: { url: "https://a.example/" } } }),
    );
    expect((await workspace.run(["pin", "--mcp-config", "a.json", "--name", "same"])).code).toBe(0);
    const servers = { same: { command, args: [script, "--more"] }, off: { command: "x", disabled: true } };
    writeFileSync(workspace.path("b.json"), JSON.stringify({ servers }));
    const args = ["--mcp-config", "a.json", "--mcp-config", "b.json"];
    const run = await workspace.run(["status", ...args]);
    expect(run).toMatchObject({ code: 1 });
    expect(run.stdout).toContain("\nnot pinned web of a.json\n  https://a.example/\n");
    expect(run.stdout).toContain(
      `\nnot pinned same of b.json, where another launch is pinned\n  ${command} ${script} --more\n`,
    );
    expect((await status(args)).notPinned).toEqual([
      { name: "web", config: "a.json", reason: "not-in-lock", launch: expect.objectContaining({ type: "http" }) },
      { name: "same", config: "b.json", reason: "other-launch", launch: expect.objectContaining({ command }) },
    ]);
    expect((await workspace.run(["status"])).code).toBe(0);
  });

  test("is everything where there is no lock", async () => {
    const says = { command, args: [script, "--token=hunter2hunter2", "\u202e"] };
    writeFileSync(workspace.path("a.json"), JSON.stringify({ mcpServers: { "a\u202e": says } }));
    const run = await workspace.run(["status", "--mcp-config", "a.json"]);
    expect(run).toMatchObject({ code: 1, stderr: "" });
    expect(run.stdout).toContain("not pinned a\\u{202e} of a.json\n");
    expect(run.stdout).not.toContain("hunter2");
    expect(run.stdout.replaceAll("\n", "")).not.toMatch(INVISIBLE);
    const nothing = await workspace.run(["status"]);
    expect(nothing).toMatchObject({ code: 2, stdout: "", stderr: expect.stringContaining("missing-lock") });
  });

  test("is not known of a configuration that cannot be read", async () => {
    write({ a: "1" });
    const run = await workspace.run(["status", "--mcp-config", "missing.json"]);
    expect(run).toMatchObject({ code: 2, stdout: "", stderr: expect.stringContaining("cannot read missing.json") });
  });
});
