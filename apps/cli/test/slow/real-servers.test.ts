import { createServer } from "node:net";
import type { DriftReport } from "@agentprint/mcp-lock";
import { startProgram } from "@agentprint/testing/programs";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { installedServer, serverScript, switchVersion } from "../../demo/installed-server.ts";
import type { RunResult } from "../support/run-cli.ts";
import { Workspace } from "../support/workspace.ts";

let workspace: Workspace;
beforeEach(() => {
  workspace = new Workspace();
});
afterEach(() => workspace[Symbol.dispose]());

function driftOf(run: RunResult): DriftReport["servers"][number] {
  const report = JSON.parse(run.stdout) as DriftReport;
  const [server] = report.servers;
  if (!server) throw new Error(`no server in ${run.stdout}`);
  return server;
}

/** The note that `pin` prints about texts that no one has reviewed yet. */
const toReview: string = expect.stringMatching(
  /texts? of this first version.*\n\nto review: \d+ findings? on what was pinned\n$/s,
);

/** The note that `pin` prints about a server whose tools have no hints. */
const withoutHints: string = expect.stringContaining("no hints, so clients treat the tool as destructive");

/** Pins one version and checks the version that replaced it; the command does not change. */
async function upgrade(
  before: string,
  after: string,
  args: readonly string[] = [],
  noted = toReview,
): Promise<RunResult> {
  const link = workspace.path("node_modules/server");
  switchVersion(link, before);
  const pinned = await workspace.run(["pin", "--name", "it", "--", "node", serverScript(link), ...args]);
  expect(pinned).toMatchObject({ code: 0, stderr: noted });
  expect(await workspace.run(["check"])).toMatchObject({ code: 0, stderr: "" });
  switchVersion(link, after);
  return workspace.run(["check", "--format", "json"]);
}

describe("server-filesystem", () => {
  test("2026.1.14 → 2026.7.4 flips one hint that a hash of name, description and schema misses", async () => {
    const run = await upgrade("server-filesystem-2026-1-14", "server-filesystem-2026-7-4", ["."]);
    expect(run.code).toBe(1);
    expect(driftOf(run).drifts).toEqual([
      expect.objectContaining({ changes: [expect.objectContaining({ pointer: "/args/0" })] }),
      {
        type: "tool-changed",
        name: "move_file",
        layers: ["hints"],
        changes: [
          {
            layer: "hints",
            pointer: "/annotations/destructiveHint",
            before: false,
            after: true,
            effects: ["more-power"],
          },
        ],
        missedBy: ["name+description", "name+inputSchema", "name+description+inputSchema"],
      },
    ]);
  });

  test("2026.7.4 → 2026.8.31 drifts, and approve accepts it", async () => {
    const run = await upgrade("server-filesystem-2026-7-4", "server-filesystem-2026-8-31", ["."]);
    expect(run.code).toBe(1);
    const approved = await workspace.run(["approve", "it", "--expect", driftOf(run).digest.after ?? ""]);
    expect(approved.code).toBe(0);
    expect(workspace.lock().servers[0]?.digest).toBe(driftOf(run).digest.after);
    expect(await workspace.run(["check"])).toMatchObject({ code: 0, stderr: "" });
  });
});

describe("server-memory", () => {
  test("2026.1.26 → 2026.7.4 changes all 9 tools outside name, description and input schema", async () => {
    const run = await upgrade("server-memory-2026-1-26", "server-memory-2026-7-4", [], withoutHints);
    expect(run.code).toBe(1);
    const tools = driftOf(run).drifts.filter((drift) => drift.type === "tool-changed");
    expect(tools).toHaveLength(9);
    for (const { missedBy } of tools) expect(missedBy).toContain("name+description+inputSchema");
  });
});

describe("server-everything", () => {
  const pinned = async (name: string, alias: string, options: readonly string[], noted = toReview): Promise<number> => {
    const command = ["--", "node", serverScript(installedServer(alias)), "stdio"];
    const run = await workspace.run(["pin", "--name", name, ...options, ...command]);
    expect(run).toMatchObject({ code: 0, stderr: noted });
    return workspace.lock().servers.find((server) => server.name === name)?.tools.length ?? 0;
  };
  const bare = ["--as", "bare"];
  const rich = [...bare, "--capabilities", "sampling,elicitation,roots"];

  test("2026.8.31 offers 13 tools to a bare client and 16 to one with sampling, elicitation and roots", async () => {
    expect(await pinned("bare", "server-everything-2026-8-31", bare)).toBe(13);
    expect(await pinned("rich", "server-everything-2026-8-31", rich)).toBe(16);
    // Each server is visited again with the capabilities with which it was pinned.
    expect(await workspace.run(["check"])).toMatchObject({ code: 0, stderr: "" });
  });

  test("2025.9.25 offers 10 tools to a bare client and 12 to one with sampling, elicitation and roots", async () => {
    expect(await pinned("bare", "server-everything-2025-9-25", bare, withoutHints)).toBe(10);
    expect(await pinned("rich", "server-everything-2025-9-25", rich, withoutHints)).toBe(12);
  });

  test("has the same tools over streamable HTTP as over stdio", async () => {
    await pinned("stdio", "server-everything-2026-8-31", bare);
    const port = await freePort();
    const script = serverScript(installedServer("server-everything-2026-8-31"));
    const server = await startProgram("node", [script, "streamableHttp"], {
      env: { ...process.env, PORT: String(port) },
    });
    try {
      await new Promise((resolve) => server.stderr.on("data", resolve));
      const url = `http://127.0.0.1:${port}/mcp`;
      expect(await workspace.run(["pin", "--name", "http", "--url", url, ...bare])).toMatchObject({
        code: 0,
        stderr: toReview,
      });
      expect(await workspace.run(["check", "http"])).toMatchObject({ code: 0, stderr: "" });
    } finally {
      server.kill();
      await new Promise((resolve) => server.on("exit", resolve));
    }
    const [http, stdio] = workspace.lock().servers;
    expect(http?.toolsDigest).toBe(stdio?.toolsDigest);
    const gone = await workspace.run(["check", "http"]);
    expect(gone.code).toBe(2);
    expect(gone.stderr).toContain("server-unreachable");
  });
});

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer();
    probe.on("error", reject);
    probe.listen(0, "127.0.0.1", () => {
      const address = probe.address();
      probe.close(() => resolve(typeof address === "object" && address ? address.port : 0));
    });
  });
}
