import { manifestOf } from "@agentprint/testing/manifest/manifests";
import { describe, expect, test } from "vitest";
import {
  createArtifactResponse,
  createConsentGate,
  createPendingToolCalls,
  type DecidedToolCall,
  receiveToolCall,
} from "../src/index.ts";
import { callOf, refusal } from "./support/tool-calls.ts";

const MANIFEST = manifestOf();
const PLACE = { device_id: "d", session_id: "s" };

function receive(call: unknown, is_group: boolean): DecidedToolCall {
  return receiveToolCall(call, MANIFEST, createConsentGate({ now: () => 0 }), { ...PLACE, is_group });
}

const THROWING = {
  call_id: "1",
  get arguments(): never {
    throw new Error("read");
  },
};

describe("a call of a group is denied as tool_not_supported_in_group, whatever else is wrong with it", () => {
  test.each<[string, unknown]>([
    ["nothing else", callOf("1")],
    ["a tool that is not declared", callOf("1", { tool_name: "rm" })],
    ["no tool", { ...callOf("1"), tool_name: undefined }],
    ["arguments that its schema rejects", callOf("1", { arguments: { path: 1 } })],
    ["arguments that are too large", callOf("1", { arguments: { path: "a".repeat(70_000) } })],
    ["no arguments", { call_id: "1" }],
    ["arguments that cannot be read", THROWING],
    ["the subtype of a response", { ...callOf("1"), subtype: "tool_response" }],
  ])("%s", async (_name, call) => {
    const { call_id, decision, received } = receive(call, true);
    expect([decision, received]).toEqual([{ decision: "denied", reason: "tool_not_supported_in_group" }, undefined]);
    const calls = createPendingToolCalls({ schedule: () => () => {} });
    const outcome = calls.call(callOf("1"));
    calls.receive(createArtifactResponse(call_id, decision as Extract<typeof decision, { decision: "denied" }>));
    expect(await outcome).toEqual({ status: "denied", reason: "tool_not_supported_in_group" });
  });

  test.each([null, "1", [], {}, { call_id: "" }, { call_id: 1 }, { call_id: "a".repeat(129) }])(
    "but %j has no id that could be answered",
    (call) => expect(refusal(() => receive(call, true))).toBe("INVALID_TOOL_CALL /call_id"),
  );
});

test("a call of two people is checked before the user is asked", () => {
  expect(refusal(() => receive(callOf("1", { tool_name: "rm" }), false))).toBe("UNKNOWN_TOOL /tool_name");
  expect(refusal(() => receive(callOf("1", { arguments: { path: 1 } }), false))).toBe(
    "INVALID_ARGUMENTS /arguments/path",
  );
  const { call_id, decision, received } = receive(callOf("1", { arguments: { path: "a" } }), false);
  expect([call_id, decision.decision, received?.tool.name, received?.timeoutMs]).toEqual([
    "1",
    "prompt",
    "read_file",
    10_000,
  ]);
});
