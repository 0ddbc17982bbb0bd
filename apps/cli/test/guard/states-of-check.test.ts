import { checkLock, createLock, driftFindings } from "@agentprint/mcp-lock";
import { DEFAULT_POLICY } from "@agentprint/policy";
import { answersOf } from "@agentprint/testing/lock/offer";
import { expect, test } from "vitest";
import { statesOfCheck } from "../../src/guard/state-file.ts";

const tool = (name: string, count: object) => ({
  name,
  inputSchema: { type: "object", properties: { count: { ...count } }, additionalProperties: false },
});

test("a finding on the server that lists tools decides only about these tools", () => {
  const [free, bounded] = [
    { type: "integer" },
    { type: "integer", minimum: Number.MIN_SAFE_INTEGER, maximum: Number.MAX_SAFE_INTEGER },
  ];
  const lock = createLock({ shop: answersOf([tool("buy", free), tool("look", free)]) });
  const states = (after: Parameters<typeof answersOf>[0], instructions?: string) => {
    const drift = checkLock(lock, { shop: answersOf(after, instructions === undefined ? {} : { instructions }) });
    return statesOfCheck(drift, driftFindings(drift), lock, DEFAULT_POLICY, new Date(0))["shop"]?.tools;
  };
  expect(states([tool("buy", bounded), tool("look", free)])).toEqual({ buy: "block", look: "pass" });
  expect(states([tool("buy", free), tool("look", free)], "Buy more")).toEqual({ buy: "block", look: "block" });
});
