import { LEVELS_MANIFEST } from "@agentprint/testing/manifest/manifests";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { DENIAL_REASONS } from "../src/consent/decision.ts";
import {
  ArtifactResponseSchema,
  createArtifactResponse,
  createConsentGate,
  createPendingToolCalls,
  type RefusalReason,
  type ToolOutcome,
} from "../src/index.ts";

const BEYOND = [
  "unknown_tool",
  "unknown_scope",
  "duplicate_call",
  "too_many_prompts",
] as const satisfies RefusalReason[];

describe("a denial", () => {
  test.each(DENIAL_REASONS)("%s, which the specification lists, is sent as denied", (reason) => {
    expect(createArtifactResponse("1", { decision: "denied", reason })).toEqual({
      subtype: "tool_response",
      call_id: "1",
      status: "denied",
      reason,
    });
  });

  test.each(BEYOND)("%s, which the specification does not list, is sent as an error", (reason) => {
    expect(createArtifactResponse("1", { decision: "denied", reason })).toMatchObject({ status: "error", reason });
  });

  test("of a real gate ends the call of the agent", async () => {
    const gate = createConsentGate({ now: () => 0 });
    const decision = gate.request(LEVELS_MANIFEST, {
      call_id: "1",
      tool_name: "none",
      device_id: "d",
      session_id: "s",
    });
    if (decision.decision !== "denied") throw new Error("it is not denied");
    const calls = createPendingToolCalls({ schedule: () => () => {} });
    const outcome = calls.call({ subtype: "tool_call", call_id: "1", tool_name: "none", arguments: {} });
    expect(calls.receive(createArtifactResponse("1", decision))).toBe("settled");
    expect(await outcome).toEqual({ status: "error", reason: "unknown_tool" });
  });
});

test("the agent's side accepts a response with any JSON result", () => {
  fc.assert(
    fc.property(fc.jsonValue(), fc.string({ minLength: 1, maxLength: 128 }), (result, callId) => {
      const response = createArtifactResponse(callId, { result: JSON.parse(JSON.stringify(result)) });
      expect(ArtifactResponseSchema.safeParse(JSON.parse(JSON.stringify(response))).success).toBe(true);
    }),
  );
});

test.each<[string, unknown, string]>([
  ["1", { result: Number.NaN }, "/result"],
  ["1", { result: { list: [new Map()] } }, "/result/list/0"],
  ["1", { error: "" }, "/reason"],
  ["", { error: "E" }, "/call_id"],
  ["1", { decision: "prompt" }, "/reason"],
])("%j with %o is refused", (callId, outcome, path) => {
  expect(() => createArtifactResponse(callId, outcome as ToolOutcome)).toThrow(
    expect.objectContaining({ code: "INVALID_RESPONSE", path }),
  );
});

test("an error has a text that says what failed", () => {
  expect(createArtifactResponse("1", { error: "ENOENT" })).toMatchObject({ status: "error", reason: "ENOENT" });
});

test("a tool that returned nothing is ok, without a result", async () => {
  const response = createArtifactResponse("1", { result: undefined });
  expect(JSON.stringify(response)).toBe('{"subtype":"tool_response","call_id":"1","status":"ok"}');
  const calls = createPendingToolCalls({ schedule: () => () => {} });
  const outcome = calls.call({ subtype: "tool_call", call_id: "1", tool_name: "t", arguments: {} });
  expect(calls.receive(response)).toBe("settled");
  expect(await outcome).toStrictEqual({ status: "ok" });
});

test("a reader accepts members that other writers may add, and a writer adds none", () => {
  const members = fc.dictionary(fc.string(), fc.jsonValue());
  const result = fc.option(fc.jsonValue(), { nil: undefined });
  fc.assert(
    fc.property(members, result, fc.option(fc.constant(null), { nil: undefined }), (added, value, reason) => {
      const response = { ...added, subtype: "tool_response", call_id: "1", status: "ok", result: value, reason };
      const read = ArtifactResponseSchema.parse(JSON.parse(JSON.stringify(response)));
      expect(read).toEqual({
        subtype: "tool_response",
        call_id: "1",
        status: "ok",
        ...(value !== undefined && { result: JSON.parse(JSON.stringify(value)) }),
      });
    }),
  );
});
