import { LEVELS, manifestOf, scopeOf, toolOf } from "@agentprint/testing/manifest/manifests";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { createConsentGate, type Sensitivity, sensitivityInEffect } from "../src/index.ts";

/** The specification's table. */
const STANDARD = {
  "notification:send": "low",
  "filesystem:read": "medium",
  "clipboard:read": "medium",
  "location:read": "high",
} as const;

const level = fc.constantFrom(...LEVELS);
const scopeId = fc.constantFrom(...(Object.keys(STANDARD) as (keyof typeof STANDARD)[]), "notes:read", "toString");
const CALL = { tool_name: "t", device_id: "d", session_id: "s" };

function declaring(id: string, sensitivity: Sensitivity) {
  return manifestOf({ tools: [toolOf("t", { permission_scope: id })], permission_scopes: [scopeOf(id, sensitivity)] });
}

function highest(...levels: readonly (Sensitivity | undefined)[]): Sensitivity {
  return LEVELS.findLast((each) => levels.includes(each)) ?? "low";
}

describe("the highest of the declared, the standard and the accepted sensitivity counts", () => {
  test("in the function and in the gate", () => {
    fc.assert(
      fc.property(scopeId, level, fc.option(level, { nil: undefined }), (id, declared, accepted) => {
        const expected = highest(declared, STANDARD[id as keyof typeof STANDARD], accepted);
        expect(sensitivityInEffect(scopeOf(id, declared), accepted)).toBe(expected);
        const gate = createConsentGate({ now: () => 0 });
        if (accepted) gate.accept(declaring(id, accepted));
        const decision = gate.request(declaring(id, declared), { ...CALL, call_id: "1" });
        const isSilent = expected === "low" && accepted !== undefined;
        expect(decision).toMatchObject(
          isSilent ? { decision: "execute" } : { decision: "prompt", sensitivity: expected },
        );
      }),
    );
  });

  test("so that no manifest makes reading the location silent", () => {
    const gate = createConsentGate({ now: () => 0 });
    const manifest = declaring("location:read", "low");
    gate.accept(manifest);
    for (const call_id of ["1", "2"]) {
      expect(gate.request(manifest, { ...CALL, call_id })).toMatchObject({ decision: "prompt", expires_at: 30_000 });
      expect(gate.answer(call_id, true)).toEqual({ decision: "execute" });
    }
  });

  test("and in a prompt and a consent of a state that an earlier gate wrote by the declared sensitivity alone", () => {
    const place = { device_id: "d", session_id: "s", scope: "location:read", at: 0 };
    const prompt = { ...place, call_id: "1", sensitivity: "low" };
    const state = { version: 1, grants: [place], revoked: [], prompts: [prompt] };
    const clock = { at: 0 };
    const gate = createConsentGate({ now: () => clock.at, state });
    expect(gate.request(declaring("location:read", "low"), { ...CALL, call_id: "2" })).toMatchObject({
      decision: "prompt",
      sensitivity: "high",
    });
    clock.at = 30_000;
    expect(gate.answer("1", true)).toEqual({ decision: "denied", reason: "user_timeout" });
  });
});
