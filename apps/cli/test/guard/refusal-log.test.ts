import { readFileSync, statSync } from "node:fs";
import { Writable } from "node:stream";
import type { GuardEvent } from "@agentprint/guard";
import { expect, test } from "vitest";
import { RefusalLog } from "../../src/guard/refusal-log.ts";
import { Collector, memoryContext } from "../support/run-cli.ts";
import { Workspace } from "../support/workspace.ts";

const MIB = 1024 * 1024;
const FLOOD = 30_000;

const refused: GuardEvent = {
  kind: "refused",
  server: "files",
  from: "server",
  outcome: "refused",
  decision: "block",
  findings: [],
  reason: "it answers no request",
  digests: { arguments: undefined, result: undefined, tool: undefined, listing: undefined, lock: "0".repeat(64) },
  contents: { arguments: undefined, result: undefined },
  correlation: "1",
  time: 0,
};

function logIn(space: Workspace, stderr: Writable): RefusalLog {
  const env = { XDG_STATE_HOME: space.path("state") };
  return new RefusalLog(memoryContext([], { env }, new Collector(), stderr), { dryRun: false });
}

test("a flood of refusals takes little memory and little of the disk", async () => {
  using space = new Workspace();
  const stderr = new Collector();
  const log = logIn(space, stderr);
  for (let round = 0; round < 3; round++) {
    for (let count = 0; count < FLOOD; count++) log.onEvent(refused);
    await log.close();
  }
  const file = space.path("state/agentprint/refusals.jsonl");
  const sizes = [file, `${file}.old`].map((each) => statSync(each).size);
  expect(sizes.every((size) => size > 0 && size <= MIB)).toBe(true);
  const lines = readFileSync(file, "utf8").trim().split("\n");
  expect(new Set(lines.map((line) => JSON.parse(line).reason))).toEqual(new Set(["it answers no request"]));
  expect(stderr.text.match(/refused a message/g)).toHaveLength(3 * FLOOD);
  expect(stderr.text.match(/a refusal is not kept for guard log: too many come at once/g)).toHaveLength(1);
});

test("refusals are not printed while nobody reads standard error, but are kept", async () => {
  using space = new Workspace();
  const stderr = new Writable({ write: () => undefined });
  const log = logIn(space, stderr);
  for (let count = 0; count < FLOOD; count++) log.onEvent({ ...refused, reason: "x".repeat(count % 2 ? 10 : 1000) });
  expect(stderr.writableLength).toBeLessThan(MIB + 10_000);
  await log.close();
  expect(statSync(space.path("state/agentprint/refusals.jsonl")).size).toBeGreaterThan(MIB / 2);
});
