import { writeFileSync } from "node:fs";
import type { VisitAnswers } from "@agentprint/mcp";
import { createLock, formatLock, lockServer, withServer } from "@agentprint/mcp-lock";
import { answersOf } from "@agentprint/testing/lock/offer";
import { INVISIBLE } from "@agentprint/testing/text/invisible";
import { afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { installedServer, serverScript } from "../../demo/installed-server.ts";
import { hostile } from "../support/hostile.ts";
import type { RunResult } from "../support/run-cli.ts";
import { ONE_ERA } from "../support/short-visits.ts";
import { Workspace } from "../support/workspace.ts";

let workspace: Workspace;
/** A lock with two servers, pinned once for all tests. */
let pinned: string;
beforeAll(async () => {
  using first = new Workspace(ONE_ERA);
  expect((await first.runInOwnViews(["pin", "--name", "memory", "--", ...MEMORY])).code).toBe(0);
  expect((await first.runInOwnViews(["pin", "--name", "other", "--", ...HOSTILE])).code).toBe(0);
  pinned = first.lockText();
});
beforeEach(() => {
  workspace = new Workspace();
});
afterEach(() => workspace[Symbol.dispose]());

const MEMORY = [process.execPath, serverScript(installedServer("server-memory-2026-7-4"))];
const HOSTILE = hostile("terminal-escapes");

function pinTwo(): void {
  writeFileSync(workspace.path("agentprint.lock"), pinned);
}

/** A server with an item of each kind. */
const WEB: VisitAnswers = answersOf([{ name: "search", inputSchema: { type: "object" } }], {
  launch: { type: "http", url: "https://mcp.example.com/mcp", headers: ["Authorization"] },
  instructions: "Ask first.",
  prompts: [{ name: "greet" }],
  resources: [{ uri: "file:///a", name: "a" }],
  resourceTemplates: [{ uriTemplate: "file:///{b}", name: "b" }],
});

test("pin calls no server unchanged, and counts the servers to review", async () => {
  const { code, stderr } = await workspace.run(["pin", "--name", "hidden", "--", ...HOSTILE]);
  expect(code).toBe(0);
  expect(stderr).toMatch(/^to review: \d+ findings? on what was pinned$/m);
  expect(stderr).not.toContain("unchanged");
});

describe("agentprint list", () => {
  test("names each server with its launch, items, sessions and digests", async () => {
    pinTwo();
    const [memory, other] = workspace.lock().servers;
    const { code, stdout, stderr } = await workspace.run(["list"]);
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    expect(stdout.split("\n").slice(0, 5)).toEqual([
      "memory 9 tools, 1 resource",
      `  ${MEMORY.join(" ")}`,
      expect.stringMatching(/^ {2}as claude-code and as a bare client, MCP 2025-/),
      `  digest ${memory?.digest}`,
      `  tools  ${memory?.toolsDigest}`,
    ]);
    const { lock, servers } = JSON.parse((await workspace.run(["list", "--format", "json"])).stdout);
    expect(lock).toBe("agentprint.lock");
    expect(servers).toMatchObject([
      { name: "memory", launch: memory?.launch, digest: memory?.digest, toolsDigest: memory?.toolsDigest, tools: 9 },
      { name: "other", digest: other?.digest, client: "claude-code" },
    ]);
  });

  test("names the items of each kind, and the header of an address", async () => {
    writeFileSync(workspace.path("agentprint.lock"), formatLock(createLock({ web: WEB })));
    const { stdout } = await workspace.run(["list"]);
    expect(stdout).toContain("web 1 tool, 1 prompt, 1 resource, 1 resource template\n");
    expect(stdout).toContain("  https://mcp.example.com/mcp (header Authorization)\n");
    expect(stdout).toContain("as bare, MCP 2025-06-18");
  });

  test("is an error without a lock, and reports an empty lock", async () => {
    expect(await workspace.run(["list"])).toMatchObject({ code: 2, stdout: "" });
    writeFileSync(workspace.path("agentprint.lock"), formatLock(createLock({})));
    expect(await workspace.run(["list"])).toEqual({
      code: 0,
      stdout: "no server is pinned in agentprint.lock\n",
      stderr: "",
    });
  });
});

describe("agentprint show", () => {
  test("shows everything that the lock holds about a server, and as JSON the entry itself", async () => {
    pinTwo();
    const [entry] = workspace.lock().servers;
    const { code, stdout } = await workspace.run(["show", "memory"]);
    expect(code).toBe(0);
    for (const { definition, digests } of entry?.tools ?? []) {
      expect(stdout).toContain(`\ntool ${definition["name"]}\n`);
      for (const digest of Object.values(digests)) expect(stdout).toContain(digest);
    }
    for (const text of [
      entry?.digest,
      entry?.toolsDigest,
      "\nserverInfo\n",
      "\nsessions\n",
      "\nclient capabilities\n",
    ]) {
      expect(stdout).toContain(text);
    }
    expect(JSON.parse((await workspace.run(["show", "memory", "--format", "json"])).stdout)).toEqual(entry);
  });

  test("shows every kind of item", async () => {
    writeFileSync(workspace.path("agentprint.lock"), formatLock(createLock({ web: WEB })));
    const { stdout } = await workspace.run(["show", "web"]);
    const titles = ["tool search", "prompt greet", "resource file:///a", "resource template file:///{b}"];
    for (const title of [...titles, "instructions"]) expect(stdout).toContain(`\n${title}\n`);
    expect(stdout).toContain(`digest    ${workspace.lock().servers[0]?.digest}\n`);
  });

  test("shows one tool with the digests of its layers", async () => {
    pinTwo();
    const [tool] =
      workspace.lock().servers[0]?.tools.filter(({ definition }) => definition["name"] === "read_graph") ?? [];
    const { stdout } = await workspace.run(["show", "memory", "read_graph"]);
    expect(stdout.startsWith("tool read_graph\n  wire      ")).toBe(true);
    for (const [layer, digest] of Object.entries(tool?.digests ?? {})) {
      expect(stdout).toContain(`  ${layer.padEnd(10)}${digest}\n`);
    }
    const json = await workspace.run(["show", "memory", "read_graph", "--format", "json"]);
    expect(JSON.parse(json.stdout)).toEqual({ server: "memory", tool: "read_graph", definitions: [tool] });
  });

  test("shows no invisible character", async () => {
    const text = "\u001b[2J\u202e\u{e0041}\u2800";
    const args = ["pin", "--name", "a\u202eb", "--env", "HOSTILE_TEXT", "--", ...HOSTILE];
    expect((await workspace.run(args, { HOSTILE_TEXT: text })).code).toBe(0);
    for (const args of [
      ["show", "a\u202eb"],
      ["show", "a\u202eb", "--format", "json"],
      ["list"],
      ["show", "a\u202ec"],
    ]) {
      const { stdout, stderr } = await workspace.run(args);
      expect(stdout + stderr).toMatch(/\\u(\{202e\}|202e)/);
      expect((stdout + stderr).replaceAll("\n", "")).not.toMatch(INVISIBLE);
    }
  });

  test.each([
    {
      name: "a server that was probably misspelled",
      args: ["memroy"],
      says: ["memroy is not in", "give memory, if that was meant"],
    },
    { name: "a server in another case", args: ["OTHER"], says: ["give other, if that was meant"] },
    {
      name: "a server like no other",
      args: ["x1"],
      says: ["one of memory, other", "see what is pinned: agentprint list"],
    },
    {
      name: "a tool",
      args: ["memory", "readgraph"],
      says: ["no pinned tool readgraph", "give read_graph, if that was meant"],
    },
    { name: "a very long name", args: ["memory".repeat(50)], says: ["one of memory, other"] },
  ])("requests another name if $name", async ({ args, says }) => {
    pinTwo();
    const run = await workspace.run(["show", ...args]);
    expect(run).toMatchObject({ code: 2, stdout: "" });
    for (const words of says) expect(run.stderr).toContain(words);
  });

  test("lists no more names than a person would read", async () => {
    const entries = Array.from({ length: 30 }, (_, index) => lockServer(`server-with-a-long-name-${index}`, WEB));
    writeFileSync(workspace.path("agentprint.lock"), formatLock(entries.reduce(withServer, createLock({}))));
    const { stderr } = await workspace.run(["show", "x"]);
    expect(stderr).toContain(", or one of 10 more\n");
  });
});

describe("agentprint complete", () => {
  test.each(["show", "remove", "approve", "check"])("completes %s with the names in the lock", async (command) => {
    expect((await workspace.run(["complete", "--", command, ""])).stdout).not.toContain("memory");
    pinTwo();
    const { code, stdout, stderr } = await workspace.run(["complete", "--", command, "mem"]);
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    expect(stdout).toContain("memory");
    expect(stdout).not.toContain("other");
    writeFileSync(workspace.path("agentprint.lock"), formatLock(createLock({ "a;ls": WEB, "b-1": WEB })));
    const plain = await workspace.run(["complete", "--", command, ""]);
    expect(plain.stdout).toContain("b-1");
    expect(plain.stdout).not.toContain("ls");
    writeFileSync(workspace.path("agentprint.lock"), "no lock");
    expect((await workspace.run(["complete", "--", command, ""])).code).toBe(0);
  });
});

describe("agentprint remove", () => {
  test("removes servers from the lock and names them", async () => {
    pinTwo();
    const [memory, other] = workspace.lock().servers;
    const run = await workspace.run(["remove", "memory"]);
    expect(run).toMatchObject({ code: 0, stderr: "" });
    expect(run.stdout).toBe(
      `removed memory 9 tools, 1 resource\n  ${MEMORY.join(" ")}\n  digest ${memory?.digest}\nagentprint.lock holds 1 server now\n`,
    );
    expect(workspace.lock().servers).toEqual([other]);
    const json = JSON.parse((await workspace.run(["remove", "other", "other", "--format", "json"])).stdout);
    expect(json).toMatchObject({ lock: "agentprint.lock", removed: [{ name: "other", digest: other?.digest }] });
    expect(workspace.lock().servers).toEqual([]);
  });

  test("removes all of the named servers or none", async () => {
    pinTwo();
    const text = workspace.lockText();
    const run = await workspace.run(["remove", "memory", "othr"]);
    expect(run).toMatchObject({ code: 2, stdout: "" });
    expect(run.stderr).toContain("give other, if that was meant");
    expect(workspace.lockText()).toBe(text);
  });

  test("keeps an entry that another writer adds at the same time, and that writer keeps the removal", async () => {
    pinTwo();
    const [removed, pinned] = await Promise.all([
      workspace.run(["remove", "memory"]),
      workspace.run(["pin", "--name", "third", "--", ...HOSTILE]),
    ]);
    expect([removed.code, pinned.code]).toEqual([0, 0]);
    expect(workspace.lock().servers.map(({ name }) => name)).toEqual(["other", "third"]);
  });

  test("is an error without a lock, and makes none", async () => {
    const run = await workspace.run(["remove", "memory"]);
    expect(run).toMatchObject({ code: 2, stdout: "" });
    expect(run.stderr).toContain("missing-lock");
    expect(() => workspace.lockText()).toThrow("ENOENT");
  });
});

describe("the accepted policy", () => {
  const accept = (document: object): Promise<RunResult> => {
    writeFileSync(workspace.path("agentprint.config.json"), JSON.stringify(document));
    return workspace.run(["approve", "--policy", "--yes"]);
  };

  test("is in show and status, with its digest", async () => {
    pinTwo();
    const before = await workspace.run(["show", "memory"]);
    expect(before.stdout).toContain("  policy    none accepted\n");
    const policy = {
      preset: "compatible",
      failOn: "warning",
      rules: { "mcp/item-removed": "error" },
      servers: { memory: { preset: "strict" } },
    };
    expect((await accept(policy)).code).toBe(0);
    const { digest } = workspace.lock().policy ?? {};
    const words = `preset compatible, fails on warning, 1 rule, own decisions for memory; digest ${digest}\n`;
    const [status, show] = [
      await workspace.run(["status", "--scope", "project"]),
      await workspace.run(["show", "memory"]),
    ];
    expect(status.stdout).toContain(`policy ${words}`);
    expect(show.stdout).toContain(`  policy    ${words}`);
    for (const command of [
      ["status", "--scope", "project"],
      ["show", "memory"],
    ]) {
      const { stdout } = await workspace.run([...command, "--format", "json"]);
      expect(JSON.parse(stdout)).toMatchObject({ policy: { digest, policy: { preset: "compatible" } } });
    }
  });
});
