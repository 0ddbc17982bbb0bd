import {
  checkLock,
  createLock,
  fingerprintTool,
  McpLockError,
  parseLock,
  redactLaunch,
  toolLayers,
} from "@agentprint/mcp-lock";
import { expect, test } from "vitest";
import { snapshotOf } from "./arbitraries.ts";

test("the examples of the reference do what they say", () => {
  const before = fingerprintTool({ name: "move_file", annotations: { destructiveHint: false } });
  const after = fingerprintTool({ name: "move_file", annotations: { destructiveHint: true } });
  expect([before.contract === after.contract, before.hints === after.hints]).toEqual([true, false]);

  const { contract, prose } = toolLayers({
    inputSchema: { properties: { description: { description: "What it is" } } },
  });
  expect(JSON.stringify(contract)).toBe('{"inputSchema":{"properties":{"description":{}}}}');
  expect(JSON.stringify(prose)).toBe('{"inputSchema":{"properties":{"description":{"description":"What it is"}}}}');

  const launch = redactLaunch({ type: "stdio", command: "npx", args: ["server", "--api-key", "hunter2"], env: [] });
  expect(launch).toMatchObject({ args: ["server", "--api-key", "<redacted>"] });

  expect(() => parseLock('{"lockVersion": 3, "servers": []}')).toThrow(
    expect.objectContaining({ constructor: McpLockError, code: "unsupported-lock-version", path: "/lockVersion" }),
  );

  const snapshot = snapshotOf([]);
  const lock = createLock({ filesystem: snapshot, memory: snapshot });
  const drift = checkLock(lock, {
    filesystem: snapshot,
    memory: { failure: { code: "timeout", message: "no answer" } },
  });
  expect(drift.outcome).toBe("unknown");
});
