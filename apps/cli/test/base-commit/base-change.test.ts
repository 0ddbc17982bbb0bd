import { readFileSync } from "node:fs";
import type { VisitAnswers } from "@agentprint/mcp";
import { lockServer, withPolicy, withServer } from "@agentprint/mcp-lock";
import { FORMATS } from "@agentprint/report";
import { answersOf } from "@agentprint/testing/lock/offer";
import { afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import { after, ChangeWorkspace, pinBoth } from "../support/change-workspace.ts";

let locks: Awaited<ReturnType<typeof pinBoth>>;
beforeAll(async () => {
  locks = await pinBoth();
});

let workspace: ChangeWorkspace;
beforeEach(() => {
  workspace = new ChangeWorkspace();
});
afterEach(() => workspace[Symbol.dispose]());

const answers = (tools: number): VisitAnswers =>
  answersOf(
    Array.from({ length: tools }, (_, index) => ({
      name: `tool${index}`,
      description: `${index} ${"x".repeat(200)}`,
      inputSchema: { type: "object" },
    })),
    { launch: { type: "stdio", command: "none", args: [], env: [] } },
  );

test("every format counts what the change approves, removes, adds and weakens, and names the commit that judges", async () => {
  const was = withServer(withServer(locks.was, lockServer("gone", answers(1))), lockServer("big", answers(1)));
  workspace.writeLock(withPolicy(was, {}));
  workspace.configure({});
  const id = workspace.commitBase();
  const is = withServer(withServer(locks.is, lockServer("big", answers(400))), lockServer("new", answers(1)));
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
