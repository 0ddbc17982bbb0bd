import { answersOf } from "@agentprint/testing/lock/offer";
import { expect, test } from "vitest";
import { approvedByMcpPin, parseMcpPinLock } from "../src/foreign/mcp-pin.ts";
import { createLock, McpLockError, toolDefinitionHashV1 } from "../src/index.ts";

function refusal(run: () => unknown): string {
  try {
    run();
  } catch (error) {
    if (!(error instanceof McpLockError)) throw error;
    return `${error.code} ${error.path}`;
  }
  return "none";
}

const fileOf = (definition: object): string => {
  const item = {
    name: (definition as { name?: string }).name,
    hash: toolDefinitionHashV1(definition as never),
    definition,
  };
  return JSON.stringify({ lockfileVersion: 1, servers: { a: { tools: [item], setHash: "" } } });
};

test("what a file of mcp-pin cannot say is an error of this package", () => {
  expect(refusal(() => parseMcpPinLock('{"servers":1,"servers":1}'))).toBe("invalid-json /servers");
  expect(refusal(() => parseMcpPinLock(fileOf({ title: "A" })))).toBe("invalid-definition /servers/a/tools/0/name");
  const [visited] = createLock({ a: answersOf([]) }).servers;
  const tools = [{ name: "a", title: "\ud800" }];
  expect(refusal(() => approvedByMcpPin(visited as never, { tools }))).toBe("invalid-definition /title");
});
