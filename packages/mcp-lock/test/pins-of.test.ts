import { page, session, visit } from "@agentprint/testing/lock/visit-answers";
import { pinTools } from "@agentprint/tool-pins";
import { expect, test } from "vitest";
import { lockServer, lockTools, McpLockError, pinsOf } from "../src/index.ts";

const TOOLS = [
  { name: "b", description: "B" },
  { name: "a", inputSchema: { type: "object" } },
];

const shown = (tools: object[]) => ({ lists: { tools: [[page("tools", tools as never)]] } });

function refusal(run: () => unknown): unknown {
  try {
    run();
  } catch (error) {
    if (error instanceof McpLockError) return `${error.code}: ${error.reason}`;
    throw error;
  }
  return undefined;
}

test("an entry whose sessions were shown the same tools has their pins", () => {
  const [entry] = lockTools("own", TOOLS).servers;
  if (entry === undefined) throw new Error("a lock of one server");
  expect(pinsOf(entry)).toEqual(pinTools(TOOLS, { definitions: true }));
  expect(pinsOf(entry, "legacy/bare")).toEqual(pinsOf(entry));
});

test("an entry whose sessions differ has the pins of the session that is named", () => {
  const [one] = TOOLS;
  const entry = lockServer(
    "own",
    visit(session("legacy/client", shown(TOOLS)), session("modern/client", shown([one as object]))),
  );
  expect(pinsOf(entry, "legacy/client")).toEqual(pinTools(TOOLS, { definitions: true }));
  expect(pinsOf(entry, "modern/client")).toEqual(pinTools([one], { definitions: true }));
  expect(refusal(() => pinsOf(entry))).toBe(
    'invalid-argument: session: expected one of "legacy/client", "modern/client", received none, but they saw different tools',
  );
  expect(refusal(() => pinsOf(entry, "legacy/bare"))).toBe(
    'invalid-argument: session: expected one of "legacy/client", "modern/client", received legacy/bare',
  );
});
