import { existsSync, mkdirSync, readFileSync, rmSync, symlinkSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { installedServer } from "../../demo/installed-server.ts";
import { CONFIG_RULES } from "../../src/rules/check-rules.ts";
import { hostile } from "../support/hostile.ts";
import { projectAndHome } from "../support/project-and-home.ts";
import { HAS_GIT, Repository } from "../support/repository.ts";
import type { RunResult } from "../support/run-cli.ts";
import { ONE_ERA } from "../support/short-visits.ts";

const [command, script = ""] = hostile("terminal-escapes");
const SERVER = { command, args: [script] };

const world = projectAndHome(ONE_ERA);
const { write } = world;
const run = (...args: string[]): Promise<RunResult> => world.run(args);
const configure = (mcpServers: object): void => write(".mcp.json", { mcpServers });

async function init(): Promise<void> {
  expect(await world.run(["init", "--yes"])).toMatchObject({
    code: 0,
  });
}

async function findings(...args: string[]): Promise<readonly { rule: string; level: string; message: string }[]> {
  const { findings: all } = JSON.parse((await run("check", "--format", "json", ...args)).stdout);
  return all.filter(({ rule }: { rule: string }) => Object.hasOwn(CONFIG_RULES, rule));
}

/** Returns a launch that writes a file when it is started. */
const tracing = () => ({ command, args: ["-e", `require("fs").writeFileSync(${JSON.stringify(trace())}, "")`] });
const trace = () => world.workspace.path("started");

describe("check and the configurations of a project", () => {
  test.each([
    ["an address in addition to the pinned command", { ...SERVER, type: "http", url: "https://other.example" }, 2],
    ["variables under two names", { ...SERVER, env: {}, environment: { NODE_OPTIONS: "--import ./other.mjs" } }, 2],
    ["another command, and the kind of a server that Goose brings along", { type: "builtin", command: "other" }, 2],
  ])("a pinned entry that gains %s has changed", async (_what, entry, code) => {
    configure({ s: SERVER });
    await init();
    configure({ s: entry });
    expect(await run("check")).toMatchObject({ code });
  });

  test.skipIf(!HAS_GIT)(
    "a real server that .mcp.json moves to its next version is found by check, also against a base, and is not started",
    async () => {
      for (const version of ["2026-1-14", "2026-7-4"]) {
        symlinkSync(installedServer(`server-filesystem-${version}`), world.workspace.path(version));
      }
      const moveTo = (version: string) =>
        configure({ filesystem: { command, args: [`${version}/dist/index.js`, "."] } });
      moveTo("2026-1-14");
      const repository = new Repository(world.workspace.folder);
      await init();
      repository.commit();
      expect(await run("check")).toMatchObject({ code: 0, stderr: "" });
      moveTo("2026-7-4");
      repository.commit();
      for (const args of [["check"], ["check", "--base", "HEAD~1"]]) {
        const { code, stdout } = await run(...args);
        expect(code, args.join(" ")).toBe(2);
        expect(stdout).toContain(
          "error  could not tell: it was not started, because a configuration launches it differently than pinned",
        );
        expect(stdout).toContain(
          "error  filesystem in .mcp.json: .mcp.json:6 launches the server differently than pinned",
        );
        expect(stdout).toContain("[-2026-1-14-]{+2026-7-4+}/dist/index.js .");
        expect(stdout).not.toContain("move_file");
      }
      expect((await run("approve", "filesystem")).stderr).toContain("to approve the other one");
      const seen = await run("check", "--allow-changed-launch");
      expect(seen).toMatchObject({
        code: 1,
        stdout: expect.stringContaining("move_file: hint changed towards more power"),
      });
      const approve = /approve filesystem .*/.exec(seen.stdout)?.[0].split(" ") ?? [];
      expect(approve).toContain("--mcp-config");
      expect(await run(...approve)).toMatchObject({ code: 0 });
      expect((await run("check")).code).toBe(0);
    },
  );

  test.each(["strict", "compatible", "breaking"])(
    "another launch is an error in the preset %s, and is not started",
    async (preset) => {
      configure({ one: SERVER });
      await init();
      write("agentprint.config.json", { preset });
      expect((await run("approve", "--policy", "--yes")).code).toBe(0);
      configure({ one: tracing() });
      expect(await findings()).toMatchObject([{ rule: "mcp/config-launch-changed", level: "error" }]);
      for (const args of [[], ["one"], ["--mcp-config", ".mcp.json"]]) {
        expect((await run("check", ...args)).code, args.join(" ")).toBe(2);
      }
      expect(existsSync(trace())).toBe(false);
      expect((await run("check", "--allow-changed-launch")).code).toBe(2);
      expect(existsSync(trace())).toBe(true);
    },
  );

  test.each([
    { name: "a variable", entry: { ...SERVER, env: { MORE: "x" } } },
    { name: "a folder", entry: { ...SERVER, cwd: "/" } },
    { name: "a variable of a file", entry: { ...SERVER, envFile: "vars.env" } },
    { name: "an address in place of a command", entry: { url: "https://mcp.example.com/mcp" } },
  ])("$name more is another launch", async ({ entry }) => {
    write("vars.env", "MORE=1\n");
    configure({ one: SERVER });
    await init();
    configure({ one: entry });
    expect(await findings()).toMatchObject([{ rule: "mcp/config-launch-changed" }]);
  });

  test.skipIf(!HAS_GIT)(
    "a configuration of another folder is compared where a server was pinned from it, here or in the base",
    async () => {
      const other = "services/search/.mcp.json";
      mkdirSync(world.workspace.path("services/search"), { recursive: true });
      write(other, { mcpServers: { one: SERVER } });
      const repository = new Repository(world.workspace.folder);
      const pin = ["init", "--yes", "--mcp-config", other];
      expect(await world.run(pin)).toMatchObject({ code: 0 });
      repository.commit();
      expect(await run("check")).toMatchObject({ code: 0, stderr: "" });
      write(other, { mcpServers: { one: tracing() } });
      expect(await findings()).toMatchObject([{ rule: "mcp/config-launch-changed", level: "error" }]);
      const { sources, ...lock } = JSON.parse(readFileSync(world.workspace.path("agentprint.lock"), "utf8"));
      expect(sources).toEqual([{ config: other, entry: "one", server: "one" }]);
      write("agentprint.lock", lock);
      expect(await findings()).toEqual([]);
      expect(await findings("--base", "HEAD")).toMatchObject([{ rule: "mcp/config-launch-changed" }]);
      expect(existsSync(trace())).toBe(false);
      write("agentprint.lock", { ...lock, sources });
      rmSync(world.workspace.path(other));
      expect(await findings()).toMatchObject([{ rule: "mcp/config-entry-gone", level: "note" }]);
    },
  );

  test("a recorded configuration outside of the lock's folder is not read", async () => {
    configure({ one: SERVER });
    await init();
    const lock = JSON.parse(readFileSync(world.workspace.path("agentprint.lock"), "utf8"));
    write("agentprint.lock", { ...lock, sources: [...lock.sources, { config: "../x", entry: "x", server: "one" }] });
    expect(await run("check")).toMatchObject({ code: 0, stderr: "" });
  });

  test("other headers of an address are another launch, and not their case", async () => {
    const { httpServer, sendJson } = await import("../support/http-server.ts");
    const remote = await httpServer(({ id }, response) => {
      sendJson(response, JSON.stringify({ jsonrpc: "2.0", id, result: { tools: [] } }));
    });
    try {
      const entry = { type: "http", url: remote.url, headers: { "X-Team": "a" } };
      configure({ web: entry });
      await init();
      configure({ web: { ...entry, headers: { "x-team": "b" } } });
      expect(await run("check")).toMatchObject({ code: 0 });
      configure({ web: { ...entry, headers: { "X-Team": "a", "X-More": "b" } } });
      expect(await findings()).toMatchObject([{ rule: "mcp/config-launch-changed" }]);
    } finally {
      remote.close();
    }
  });

  test.skipIf(!HAS_GIT)("values come from where the client takes them", async () => {
    const entry = (value: string) => ({ ...SERVER, env: { HOSTILE_TEXT: value } });
    configure({ one: entry("from the file") });
    await init();
    expect(await run("check")).toMatchObject({ code: 0, stderr: "" });
    configure({ one: entry("another") });
    expect((await run("check")).code).toBe(1);
    configure({ one: entry("$" + "{input:text}") });
    expect(await world.run(["check"], { AGENTPRINT_INPUT_TEXT: "from the file" })).toMatchObject({ code: 0 });
    expect(await world.run(["check"], { HOSTILE_TEXT: "from the file" })).toMatchObject({
      code: 0,
    });
    // The environment holds the job's variables, even where a base judges.
    const repository = new Repository(world.workspace.folder);
    repository.commit();
    const judged = await world.run(["check", "--base", "HEAD"], {
      HOSTILE_TEXT: "from the file",
    });
    expect(judged).toMatchObject({ code: 0 });
    const missing = await run("check");
    expect(missing).toMatchObject({ code: 2, stderr: expect.stringContaining("AGENTPRINT_INPUT_TEXT") });
  });

  test("an unpinned server is an error in a lock of init, else a warning", async () => {
    configure({ one: SERVER });
    expect((await run("pin", "--mcp-config", ".mcp.json")).code).toBe(0);
    configure({ one: SERVER, two: tracing() });
    expect(await findings()).toMatchObject([
      { rule: "mcp/not-pinned", level: "warning", message: expect.stringMatching(/^\.mcp\.json:9 has/) },
    ]);
    configure({ one: SERVER });
    await init();
    configure({ one: SERVER, two: tracing() });
    expect(await findings()).toMatchObject([{ rule: "mcp/not-pinned", level: "error" }]);
    expect((await run("check")).stdout).toContain("To pin two, run: agentprint init");
    expect(await findings("one")).toEqual([]);
    const ignores = [{ rule: "mcp/not-pinned", server: "two", until: "2999-12-31", reason: "only Ann uses it" }];
    write("agentprint.config.json", { preset: "compatible", ignores });
    await run("approve", "--policy", "--yes");
    expect((await run("check")).code).toBe(0);
    expect(existsSync(trace())).toBe(false);
  });

  test.skipIf(!HAS_GIT)(
    "a change that takes the sources out of the lock does not make an unpinned server a warning",
    async () => {
      configure({ one: SERVER });
      await init();
      new Repository(world.workspace.folder).commit();
      const { sources: _, madeBy: _maker, ...rest } = JSON.parse(world.workspace.lockText());
      write("agentprint.lock", rest);
      configure({ one: SERVER, two: tracing() });
      expect(await findings()).toMatchObject([{ rule: "mcp/not-pinned", level: "warning" }]);
      expect(await findings("--base", "HEAD")).toMatchObject([{ rule: "mcp/not-pinned", level: "error" }]);
    },
  );

  test("a server that is gone from all configurations is a note if it was pinned from one", async () => {
    configure({ one: SERVER, two: SERVER });
    await init();
    configure({ two: SERVER });
    expect(await findings()).toMatchObject([{ rule: "mcp/config-entry-gone", level: "note" }]);
    expect((await run("check")).code).toBe(0);
    expect((await run("remove", "one")).code).toBe(0);
    expect(await findings()).toEqual([]);
    expect(world.workspace.lock().sources).toEqual([{ config: ".mcp.json", entry: "two", server: "two" }]);
  });

  test("each client's entry of a name is compared with the server that was pinned from it", async () => {
    configure({ one: SERVER });
    write(".cursor/mcp.json", { mcpServers: { one: { ...SERVER, args: [script, "--cursor"] } } });
    await init();
    expect(world.workspace.lock().sources).toEqual([
      { config: ".cursor/mcp.json", entry: "one", server: "one-cursor" },
      { config: ".mcp.json", entry: "one", server: "one" },
    ]);
    expect(await run("check")).toMatchObject({ code: 0, stderr: expect.not.stringContaining("error") });
    // A file that several clients share cannot borrow the launch of another client's server.
    configure({ one: { ...SERVER, args: [script, "--cursor"] } });
    expect(await findings("one")).toMatchObject([{ rule: "mcp/config-launch-changed" }]);
    // An older lock has no sources, so the name decides.
    const { sources: _, ...old } = JSON.parse(world.workspace.lockText());
    configure({ one: SERVER });
    write("agentprint.lock", old);
    expect(await findings("one", "one-cursor")).toEqual([]);
  });

  test("an entry with the guard is compared by its guarded launch, and one with another program is not", async () => {
    configure({ one: SERVER });
    await init();
    expect((await run("wrap", "--mcp-config", ".mcp.json")).code).toBe(0);
    expect(await findings()).toEqual([]);
    const guard = ["guard", "one", "--lock", "/home/another/agentprint.lock", "--"];
    configure({ one: { command: "npx", args: ["-y", "agentprint@1.2.3", ...guard, command, script] } });
    expect(await findings()).toEqual([]);
    configure({
      one: { command: "npx", args: ["-y", "agentprint-guard@1.0.0", "guard", "one", "--", command, script] },
    });
    expect(await findings()).toMatchObject([{ rule: "mcp/config-launch-changed" }]);
  });

  test("an unreadable configuration is exit code 2", async () => {
    configure({ one: SERVER });
    await init();
    write(".cursor/mcp.json", '{ "mcpServers": {,} }');
    expect(await run("check")).toMatchObject({ code: 2, stdout: expect.stringContaining(".cursor/mcp.json:1:") });
    rmSync(world.workspace.path(".cursor"), { recursive: true });
    configure({ one: SERVER, two: { args: [] } });
    expect((await run("check")).code).toBe(2);
  });

  test("the configurations in the lock's folder are read from any working directory", async () => {
    write("app/.mcp.json", { mcpServers: { one: SERVER } });
    expect((await run("pin", "--lock", "app/agentprint.lock", "--mcp-config", "app/.mcp.json")).code).toBe(0);
    write("app/.mcp.json", { mcpServers: { one: tracing() } });
    const { code, stdout } = await run("check", "--lock", "app/agentprint.lock");
    expect([code, stdout]).toEqual([2, expect.stringContaining("one in app/.mcp.json: app/.mcp.json:6 launches")]);
  });

  test("each of several configurations on the command line is compared", async () => {
    write("a.json", { mcpServers: { a: SERVER } });
    write("b.json", { mcpServers: { b: SERVER } });
    const both = ["--mcp-config", "a.json", "--mcp-config", "b.json"];
    expect((await run("pin", ...both)).code).toBe(0);
    expect(await run("check", ...both)).toMatchObject({ code: 0 });
    write("b.json", { mcpServers: { b: tracing(), a: SERVER } });
    expect(await findings(...both)).toMatchObject([{ rule: "mcp/config-launch-changed" }]);
    write("b.json", { mcpServers: { a: tracing() } });
    const twice = await run("pin", ...both);
    expect(twice).toMatchObject({ code: 2, stderr: expect.stringContaining("a.json and b.json launch a differently") });
  });
});
