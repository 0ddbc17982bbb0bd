import { readFileSync } from "node:fs";
import { lockServer, type ServerSnapshot, withPolicy, withServer } from "@agentprint/mcp-lock";
import { FORMATS } from "@agentprint/report";
import { afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import { after, ChangeWorkspace, pinBoth } from "./support/change-workspace.ts";

let locks: Awaited<ReturnType<typeof pinBoth>>;
beforeAll(async () => {
  locks = await pinBoth();
});

let workspace: ChangeWorkspace;
beforeEach(() => {
  workspace = new ChangeWorkspace();
});
afterEach(() => workspace[Symbol.dispose]());

const snapshot = (parameters: number): ServerSnapshot => ({
  launch: { type: "stdio", command: "none", args: [], env: [] },
  clientCapabilities: {},
  protocolVersion: "2025-11-25",
  serverInfo: { name: "server", version: "1.0.0" },
  capabilities: {},
  tools: Array.from({ length: parameters }, (_, index) => ({
    name: `tool${index}`,
    description: `${index} ${"x".repeat(200)}`,
    inputSchema: { type: "object" },
  })),
  prompts: [],
  resources: [],
  resourceTemplates: [],
});

test("every format counts what the change approves, removes, adds and weakens, and names the commit that judges", async () => {
  const was = withServer(withServer(locks.was, lockServer("gone", snapshot(1))), lockServer("big", snapshot(1)));
  workspace.writeLock(withPolicy(was, {}));
  workspace.configure({});
  const id = workspace.commitBase();
  const is = withServer(withServer(locks.is, lockServer("big", snapshot(400))), lockServer("new", snapshot(1)));
  workspace.writeLock(withPolicy(is, { preset: "breaking" }));
  workspace.configure({ preset: "breaking" });
  const also = FORMATS.flatMap((format) => ["--also", `${format}=report.${format}`]);
  const run = await workspace.check(also, after);
  expect(run.code).toBe(2);
  const texts = FORMATS.map((format) => [format, readFileSync(workspace.path(`report.${format}`), "utf8")] as const);
  for (const [format, text] of [["stdout", run.stdout] as const, ...texts]) {
    const plain = text.replaceAll("\\", "");
    expect(plain, format).toContain(`Judged by the base ${id}`);
    expect(plain, format).toMatch(
      /This change removes 1 server from the lock, adds 1 server to the lock, approves 40\d findings \((?:[\w/-]+ \d+(?:, )?)+\), weakens the policy in 2 places \(policy\/weakened 2\)/,
    );
  }
});
