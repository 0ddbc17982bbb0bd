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
  digests: { arguments: undefined, result: undefined, tool: undefined, listing: undefined, lock },
  contents: { arguments: undefined, result: undefined },
  correlation: "1",
  time: 0,
};

test("events recorded behind the calls are there at the end, and an unrecordable event is reported", async () => {
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

test("arguments and results are recorded under a key of the session, and erased with it", async () => {
  using space = new Workspace();
  const options = { record: "trail", recordKey: "key", recordMode: "behind", contentKeys: "keys" };
  const recording = await openRecording(
    memoryContext([], { cwd: space.folder }),
    options as unknown as GuardCommandOptions,
  );
  const call = { ...event, kind: "call", tool: "find", digests: { ...event.digests, arguments: lock } } as const;
  const args = '{"name":"Ada Lovelace"}';
  recording.onEvent({ ...call, contents: { arguments: args, result: undefined } });
  recording.onEvent({
    ...event,
    kind: "result",
    contents: { arguments: undefined, result: "\u{1f600}".repeat(2 ** 16) },
  });
  recording.onEvent({ ...event, kind: "result", contents: { arguments: undefined, result: "x".repeat(2 ** 17 + 1) } });
  await recording.close();
  const [chain = ""] = readdirSync(space.path("trail"));
  const text = readFileSync(space.path(`trail/${chain}`), "utf8");
  const said = ["Ada Lovelace", "gen_ai", "arguments"].filter((secret) => text.includes(secret));
  expect(said).toEqual([]);

  const log = ["guard", "log", "--record", "trail", "--record-key", "key", "--format", "json"];
  const logged = async (...more: string[]) =>
    (await space.run([...log, ...more])).stdout.trim().split("\n").map(parsed);
  const [, called, long, tooLong] = await logged("--content-keys", "keys");
  expect(called).toMatchObject({ content: "decrypted", event: { digests: { arguments: lock } } });
  expect(called?.event.attributes).toEqual({ "gen_ai.tool.call.arguments": args });
  expect(long?.event.attributes?.["gen_ai.tool.call.result"]).toHaveLength(2 ** 17);
  expect(tooLong?.event).not.toHaveProperty("attributes");
  expect((await logged())[1]).toMatchObject({ content: "encrypted" });

  const session = chain.replace(/\.jsonl$/, "");
  expect((await space.run(["trail", "erase", "keys", session])).code).toBe(0);
  const show = ["trail", "show", `trail/${chain}`, "--event-key", "key", "--content-keys", "keys"];
  const { code, stdout } = await space.run(show);
  expect(code).toBe(0);
  expect(stdout).toMatch(/call +files › find .*contents erased: their key is deleted/);
  expect(stdout).toContain("all intact");
});

test("the log of a session that lost an event exits with 1", async () => {
  using space = new Workspace();
  const options = { record: "trail", recordKey: "key", recordMode: "behind" } as GuardCommandOptions;
  const recording = await openRecording(memoryContext([], { cwd: space.folder }), options);
  recording.onEvent({ ...event, method: "x".repeat(2 ** 21) });
  recording.onEvent(event);
  await recording.close();
  const { code, stdout } = await space.run(["guard", "log", "--record", "trail", "--record-key", "key"]);
  expect(stdout).toMatch(/gap +1 event lost · too-large/);
  expect(code).toBe(1);
});

test("keys of contents without a record are refused", async () => {
  const options = { contentKeys: "keys" } as GuardCommandOptions;
  await expect(openRecording(memoryContext([]), options)).rejects.toMatchObject({ code: "usage" });
});

function parsed(line: string): { content?: string; event: { attributes?: Record<string, string> } } {
  return JSON.parse(line);
}

test.runIf(process.platform === "linux").each([
  ["unwritable-output", { record: "/proc/agentprint" }],
  ["unreadable-input", { record: "trail", recordKey: "/proc/agentprint/key" }],
])("a place where the system makes no folder is %s", async (code, options) => {
  using space = new Workspace();
  const context = memoryContext([], { cwd: space.folder });
  const all = { recordKey: "key", recordMode: "behind", ...options } as GuardCommandOptions;
  await expect(openRecording(context, all)).rejects.toMatchObject({ code });
});
