import { untypedRefusals } from "@agentprint/testing/wrong-arguments";
import { expect, test } from "vitest";
import * as checkEntry from "../src/drift/check-lock-lazily.ts";
import * as rules from "../src/findings/index.ts";
import * as mcpPin from "../src/foreign/mcp-pin.ts";
import * as root from "../src/index.ts";
import * as lockEntry from "../src/lock/index.ts";

test("no exported function answers a wrong argument with an error without a code", async () => {
  expect(await untypedRefusals([root, checkEntry, lockEntry, mcpPin, rules])).toEqual([]);
}, 60_000);

const session = {
  ...{ era: "modern", view: "client", protocolVersion: "2026-07-28", contents: [] },
  greetings: [{ capabilities: {}, supportedVersions: ["2026-07-28"] }],
  lists: { tools: [[{ tools: [] }]] },
};
const answers = {
  ...{ client: "claude-code", clientCapabilities: {}, sessions: [session] },
  launch: { type: "stdio", command: "node", args: [], env: [] },
};
const { era: _era, ...withoutEra } = session;

const wrong: readonly [string, unknown, string][] = [
  ["a list of tools", [{ name: "a" }], "servers.a: expected an object, received array"],
  ["null", null, "servers.a: expected an object, received null"],
  ["an answer of tools/list", { tools: [] }, "servers.a.sessions: expected an array, received undefined"],
  ["no launch", { ...answers, launch: undefined }, "servers.a.launch: expected an object, received undefined"],
  [
    "a launch without its command",
    { ...answers, launch: { type: "stdio" } },
    "servers.a.launch.command: expected a string",
  ],
  ["a launch without its address", { ...answers, launch: { type: "http" } }, "servers.a.launch.url: expected a string"],
  [
    "a session without era",
    { ...answers, sessions: [withoutEra] },
    'servers.a.sessions[0].era: expected "modern" or "legacy"',
  ],
  [
    "a session of another era",
    { ...answers, sessions: [{ ...session, era: "new" }] },
    'servers.a.sessions[0].era: expected "modern" or "legacy", received "new"',
  ],
  [
    "a greeting that is null",
    { ...answers, sessions: [{ ...session, greetings: [null] }] },
    "servers.a.sessions[0].greetings[0]: expected an object, received null",
  ],
  [
    "a page that is null",
    { ...answers, sessions: [{ ...session, lists: { tools: [[null]] } }] },
    "servers.a.sessions[0].lists.tools[0][0]: expected an object, received null",
  ],
  [
    "a reading without its pages",
    { ...answers, sessions: [{ ...session, lists: { tools: [{ tools: [] }] } }] },
    "servers.a.sessions[0].lists.tools[0]: expected an array, received object",
  ],
  [
    "a content without results",
    { ...answers, sessions: [{ ...session, contents: [{}] }] },
    "servers.a.sessions[0].contents[0].results: expected an array, received undefined",
  ],
];

test.each(wrong)("createLock refuses %s in place of the answers of a visit", (_name, given, message) => {
  expect(() => root.createLock({ a: given as never })).toThrow(
    expect.objectContaining({ code: "invalid-argument", message: expect.stringContaining(message) }),
  );
});

test("createLock takes answers that have all of it", () => {
  expect(root.createLock({ a: answers as never }).servers[0]?.sessions).toHaveLength(1);
});

test.each([
  ["answers that are null", null, "servers.a: expected an object"],
  ["a session that is null", { ...answers, sessions: [null] }, "servers.a.sessions[0]: expected an object"],
])("checkLock refuses %s", (_name, found, message) => {
  const lock = root.createLock({ a: answers as never });
  expect(() => root.checkLock(lock, { a: found as never })).toThrow(
    expect.objectContaining({ code: "invalid-argument", message: expect.stringContaining(message) }),
  );
});
