import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { pathToFileURL } from "node:url";
import type { Launch } from "@agentprint/launch";
import type { VisitAnswers } from "@agentprint/mcp";
import { createLock, formatLock } from "@agentprint/mcp-lock";
import { answersOf } from "@agentprint/testing/lock/offer";
import { INVISIBLE } from "@agentprint/testing/text/invisible";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { hostile } from "../support/hostile.ts";
import { HAS_GIT, Repository } from "../support/repository.ts";
import { type RunResult, runCli } from "../support/run-cli.ts";
import { Workspace } from "../support/workspace.ts";

let [workspace, home] = [] as unknown as [Workspace, Workspace];
beforeEach(() => {
  [workspace, home] = [new Workspace(), new Workspace()];
});
afterEach(() => {
  for (const each of [workspace, home]) each[Symbol.dispose]();
});

/** Returns a word as a report shows it. */
const quoted = (word: string): string => (/^[\w@%+=:,./-]+$/.test(word) ? word : `'${word}'`);

/** Runs status with its own home folder. */
function run(
  args: readonly string[] = [],
  cwd: string = workspace.folder,
  env: Readonly<Record<string, string>> = {},
): Promise<RunResult> {
  const own = { HOME: home.folder, USERPROFILE: home.folder, XDG_CONFIG_HOME: "", CODEX_HOME: "" };
  return runCli(["status", ...args], { cwd, env: { ...own, ...env } });
}

test("--digest prints one digest of the texts that agents read, whatever the launch is", async () => {
  write({ files: "Use it.", notes: "" });
  const before = await run(["--digest"]);
  expect(before).toMatchObject({ code: 0, stdout: expect.stringMatching(/^[0-9a-f]{64}\n$/), stderr: "" });
  const servers = { notes: state(""), files: state("Use it.", ["--fast"]) };
  writeFileSync(workspace.path("agentprint.lock"), formatLock(createLock(servers)));
  expect((await run(["--digest"])).stdout).toBe(before.stdout);
  const digest = before.stdout.trim();
  expect(JSON.parse((await run(["--digest", "--format", "json"])).stdout)).toEqual({ lock: "agentprint.lock", digest });
  write({ files: "Use it twice.", notes: "" });
  expect((await run(["--digest"])).stdout).not.toBe(before.stdout);
  expect(await run(["--digest", "--scope", "user"])).toMatchObject({ code: 2 });
  expect(await run(["--digest", "--lock", "none.lock"])).toMatchObject({ code: 2 });
});

function state(instructions: string, args: readonly string[] = []): VisitAnswers {
  const launch: Launch = { type: "stdio", command: "server", args: [...args], env: [] };
  return answersOf([], { launch, instructions });
}

/** Writes a lock that pins servers with the given texts. */
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
  return JSON.parse((await run(["--format", "json", ...args], cwd)).stdout);
}

/** Returns, for each server, the commit that last changed it. */
async function since(args: readonly string[] = [], cwd = workspace.folder): Promise<Record<string, unknown>> {
  const { servers } = await status(args, cwd);
  return Object.fromEntries(servers.map(({ name, since }) => [name, since]));
}

describe("agentprint status, since when a server is pinned", () => {
  test.skipIf(!HAS_GIT)("is the commit that last changed its entry, whatever changed next to it", async () => {
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
    const { code, stdout, stderr } = await run();
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    expect(stdout).toContain(`pinned c 0 tools\n  server\n  since 2023-11-15 by commit ${first.slice(0, 12)}\n`);
  });

  test.skipIf(!HAS_GIT)("is found through merges, in the branch that changed the entry", async () => {
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

  test.skipIf(!HAS_GIT)("is reported as uncommitted where nothing, or another state, is committed", async () => {
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
    expect((await run(["--lock", "agentprint.lock"])).stdout).not.toContain("not committed");
  });

  test.skipIf(!HAS_GIT)("may be longer ago in a shallow clone", async () => {
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
    const { stdout } = await run([], clone.path("clone"));
    expect(stdout).toContain("or for longer: the history of this clone ends there");
  });

  test.skipIf(!HAS_GIT)(
    "is found for a lock in a folder, behind a link, and in a Git hook of another repository",
    async () => {
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
      const ofHook = { GIT_DIR: other.path(".git"), GIT_INDEX_FILE: other.path(".git/index") };
      expect((await run(["--lock", "link.lock"], workspace.folder, ofHook)).stdout).toContain(first.slice(0, 12));
    },
  );

  test.skipIf(!HAS_GIT)(
    "is not known without a repository or without Git, which is reported and is not a failure",
    async () => {
      write({ a: "1" });
      const outside = await run([], workspace.folder, { GIT_CEILING_DIRECTORIES: workspace.folder });
      expect(outside).toMatchObject({ code: 0, stdout: expect.stringContaining("pinned a 0 tools\n") });
      expect(outside.stderr).toMatch(/^note: it is unknown since when servers are pinned: .* is in no Git repository/);
      new Repository(workspace.folder);
      const without = await run(["--format", "json"], workspace.folder, { PATH: "" });
      expect(without).toMatchObject({ code: 0, stderr: "" });
      expect(JSON.parse(without.stdout)).toMatchObject({
        servers: [{ name: "a" }],
        gitProblem: "Git is not installed",
      });
    },
  );
});

describe("agentprint status, the servers that are not pinned", () => {
  const [command = "", script = ""] = hostile("terminal-escapes");

  function configure(path: string, value: unknown): void {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, JSON.stringify(value));
  }

  test("are servers of clients that the lock lacks, or has with another launch", async () => {
    const same = { command, args: [script], env: { TOKEN: "x" } };
    configure(workspace.path(".mcp.json"), { mcpServers: { same, web: { url: "https://a.example/" } } });
    configure(home.path(".cursor/mcp.json"), { mcpServers: { web: { url: "https://a.example/" }, mine: { command } } });
    expect((await workspace.run(["pin", "--mcp-config", ".mcp.json", "--name", "same"])).code).toBe(0);
    const all = await run();
    expect(all).toMatchObject({ code: 1 });
    expect(all.stdout).toContain("\nnot pinned web of .mcp.json, ~/.cursor/mcp.json\n  https://a.example/\n");
    expect((await status()).notPinned).toEqual([
      {
        name: "web",
        configs: [".mcp.json", "~/.cursor/mcp.json"],
        reason: "not-in-lock",
        launch: { type: "http", url: "https://a.example/", headers: [] },
      },
      { name: "mine", configs: ["~/.cursor/mcp.json"], reason: "not-in-lock", launch: expect.anything() },
    ]);
    expect((await status(["--scope", "project"])).notPinned.map(({ name }) => name)).toEqual(["web"]);

    configure(workspace.path(".mcp.json"), { mcpServers: { same: { command, args: [script, "--more"] } } });
    const other = await run(["--scope", "project"]);
    expect(other.code).toBe(1);
    expect(other.stdout).toContain(
      [
        "\nnot pinned same of .mcp.json, but a different launch is pinned",
        `  pinned:     ${quoted(command)} ${quoted(script)} (variable TOKEN)`,
        `  configured: ${quoted(command)} ${quoted(script)} --more\n`,
      ].join("\n"),
    );
    configure(workspace.path(".mcp.json"), { mcpServers: { same } });
    expect((await run(["--scope", "project"])).code).toBe(0);
  });

  test("come from the named configurations alone", async () => {
    write({ a: "1" });
    configure(workspace.path(".mcp.json"), { mcpServers: { web: { url: "https://a.example/" } } });
    configure(workspace.path("b.json"), {
      servers: { a: { command: "server" }, off: { command: "x", disabled: true } },
    });
    configure(workspace.path("c.json"), { servers: { more: { command: "x" } } });
    expect((await run(["--mcp-config", "b.json"])).code).toBe(0);
    const both = await status(["--mcp-config", "b.json", "--mcp-config", "c.json"]);
    expect(both.notPinned.map(({ name }) => name)).toEqual(["more"]);
  });

  test("are all servers where there is no lock", async () => {
    const says = { command, args: [script, "--token=hunter2hunter2", "\u202e"] };
    configure(workspace.path("a.json"), { mcpServers: { "a\u202e": says } });
    const found = await run(["--mcp-config", "a.json"]);
    expect(found).toMatchObject({ code: 1, stderr: "" });
    expect(found.stdout).toContain("not pinned a\\u{202e} of a.json\n");
    expect(found.stdout).not.toContain("hunter2");
    expect(found.stdout.replaceAll("\n", "")).not.toMatch(INVISIBLE);
    const nothing = await run();
    expect(nothing).toMatchObject({ code: 2, stdout: "", stderr: expect.stringContaining("missing-lock") });
  });

  test("is not known where a configuration cannot be read", async () => {
    write({ a: "1" });
    configure(workspace.path("b.json"), { servers: { b: {}, c: { command: "x" } } });
    const unread = await run(["--mcp-config", "missing.json", "--mcp-config", "b.json"]);
    expect(unread).toMatchObject({ code: 2, stdout: expect.stringContaining("not pinned c of b.json") });
    expect(unread.stderr).toContain("cannot read missing.json");
    expect(unread.stderr).toContain("b.json:1, server b");
  });
});
