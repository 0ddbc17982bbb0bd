import { readdirSync, readFileSync } from "node:fs";
import type { GuardEvent } from "@agentprint/guard";
import { expect, test } from "vitest";
import type { GuardCommandOptions } from "../../src/guard/guard-options.ts";
import { openRecording } from "../../src/guard/record.ts";
import { memoryContext } from "../support/run-cli.ts";
import { Workspace } from "../support/workspace.ts";

const lock = "0".repeat(64);
const event: GuardEvent = {
  kind: "passed",
  server: "files",
  from: "client",
  method: "ping",
  outcome: "passed",
  decision: "pass",
  findings: [],
  digests: { arguments: undefined, result: undefined, tool: undefined, lock },
  correlation: "1",
  time: 0,
};

test("what is recorded behind the calls is there at the end, and what cannot be recorded is told", async () => {
  using space = new Workspace();
  const options = { record: "trail", recordKey: "key", recordMode: "behind" } as GuardCommandOptions;
  const recording = await openRecording(memoryContext([], { cwd: space.folder }), options);
  recording.onEvent(event);
  recording.onEvent({ ...event, outcome: "nonsense" as never });
  recording.onEvent({ ...event, kind: "refused", outcome: "refused" });
  await recording.close();
  expect(() => recording.onEvent(event)).toThrow("closed");
  const [chain = ""] = readdirSync(space.path("trail"));
  const kinds = readFileSync(space.path(`trail/${chain}`), "utf8").matchAll(/\\"kind\\":\\"([^\\]+)/g);
  expect([...kinds].map(([, kind]) => kind)).toEqual(["session-start", "passed", "fault", "refused", "session-end"]);
});
