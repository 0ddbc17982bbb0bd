import { manifestOf, scopeOf, toolOf } from "@agentprint/testing/manifest/manifests";
import { describe, expect, test } from "vitest";
import { type CapabilityManifest, type ConsentGate, createConsentGate, type Sensitivity } from "../src/index.ts";

const CALL = { device_id: "d", session_id: "s" };
let calls = 0;

/** Returns a manifest with one tool `t` that needs one scope; a later version may declare another sensitivity. */
function version(sensitivity: Sensitivity, id = "a:a", more: CapabilityManifest["permission_scopes"] = []) {
  return manifestOf({
    tools: [toolOf("t", { permission_scope: id })],
    permission_scopes: [scopeOf(id, sensitivity), ...more],
  });
}

/**
 * Returns `execute`, the sensitivity of the prompt for which the call waits (which is then answered), or the reason for
 * a denial.
 */
function call(gate: ConsentGate, manifest: CapabilityManifest, answer?: unknown): string {
  const call_id = String(calls++);
  const decision = gate.request(manifest, { ...CALL, call_id, tool_name: "t" });
  if (decision.decision === "denied") return decision.reason;
  if (decision.decision === "execute") return "execute";
  const asked = sensitivityOf(gate, call_id);
  if (answer !== undefined) gate.answer(call_id, answer as boolean);
  return asked;
}

/** Returns the sensitivity in a waiting call's prompt. */
function sensitivityOf(gate: ConsentGate, callId: string): string {
  return gate.state().prompts.find(({ call_id }) => call_id === callId)?.sensitivity ?? "nothing waits";
}

function gateFor(manifest?: CapabilityManifest): ConsentGate {
  const gate = createConsentGate({ now: () => 0 });
  if (manifest) gate.accept(manifest);
  return gate;
}

function reloaded(gate: ConsentGate): ConsentGate {
  return createConsentGate({ now: () => 0, state: JSON.parse(JSON.stringify(gate.state())) });
}

describe("a scope of low sensitivity", () => {
  test("runs without a prompt once the user accepted the manifest that declares it, also after a restart", () => {
    const gate = gateFor(version("low"));
    expect([call(gate, version("low")), call(reloaded(gate), version("low"))]).toEqual(["execute", "execute"]);
  });

  test("that an update adds causes one prompt, and runs without one after the user allows it", () => {
    const update = version("low", "b:b", [scopeOf("a:a", "low")]);
    const gate = gateFor(version("low"));
    expect([call(gate, update), call(gate, update, true), call(gate, update)]).toEqual(["low", "low", "execute"]);
    expect(call(reloaded(gate), update)).toBe("execute");
    const accepting = gateFor(version("low"));
    accepting.accept(update);
    expect(call(accepting, update)).toBe("execute");
  });

  test("is asked for again until the user allows it", () => {
    const gate = gateFor();
    const answers = [false, undefined, null, "no", "true", 1, {}, [true], Object(true)];
    expect(answers.map((answer) => call(gate, version("low"), answer))).toEqual(answers.map(() => "low"));
    expect(gate.state().accepted).toEqual([]);
  });

  test("has prompts without a time limit", () => {
    const clock = { at: 0 };
    const gate = createConsentGate({ now: () => clock.at });
    const prompt = gate.request(version("low"), { ...CALL, call_id: "1", tool_name: "t" });
    expect(prompt).toEqual({ decision: "prompt", call_id: "1", scope: "a:a", sensitivity: "low" });
    clock.at = 1e12;
    expect([gate.expire(), gate.answer("1", true)]).toEqual([[], { decision: "execute" }]);
  });

  test("is asked for again after the user rejected a waiting call", () => {
    const gate = gateFor();
    for (const id of ["x", "y"]) gate.request(version("low"), { ...CALL, session_id: id, call_id: id, tool_name: "t" });
    gate.answer("x", true);
    expect(call(gate, version("low"))).toBe("execute");
    gate.answer("y", false);
    expect(call(gate, version("low"))).toBe("low");
  });
});

test.each(["no", "true", 1, {}, [true], Object(true), null])("the answer %j does not allow a call", (answer) => {
  for (const level of ["medium", "high"] as const) {
    const gate = gateFor();
    gate.request(version(level), { ...CALL, call_id: "1", tool_name: "t" });
    expect(gate.answer("1", answer as never)).toEqual({ decision: "denied", reason: "user_rejected" });
    expect(call(gate, version(level))).toBe(level);
  }
});

describe("a scope that an update changes", () => {
  test.each<[Sensitivity, Sensitivity]>([
    ["high", "low"],
    ["high", "medium"],
    ["medium", "low"],
  ])("from %s to %s is asked for by the accepted sensitivity", (before, after) => {
    const gate = gateFor(version(before));
    expect(call(gate, version(after))).toBe(before);
    expect(call(reloaded(gate), version(after))).toBe(before);
    gate.accept(version(after));
    expect(call(gate, version(after))).toBe(after === "low" ? "execute" : after);
  });

  test.each<[Sensitivity, Sensitivity]>([
    ["low", "medium"],
    ["low", "high"],
    ["medium", "high"],
  ])("from %s to %s is asked for by the declared sensitivity", (before, after) => {
    expect(call(gateFor(version(before)), version(after))).toBe(after);
  });

  test("is asked for by the sensitivity that the user allowed, also without an accepted manifest", () => {
    const gate = gateFor();
    expect([call(gate, version("high"), true), call(gate, version("low"))]).toEqual(["high", "high"]);
  });
});

describe("a scope that an update removes and a later update adds again is a new scope", () => {
  const without = version("low", "b:b");

  test.each(["accepted", "requested"])("when the update was %s", (how) => {
    const gate = gateFor(version("low"));
    if (how === "accepted") gate.accept(without);
    else call(gate, without);
    expect(call(gate, version("low"))).toBe("low");
  });

  test("if the user had consented to it, and if a call waited for it", () => {
    const gate = gateFor();
    call(gate, version("medium"), true);
    gate.request(version("high", "c:c", [scopeOf("a:a", "medium")]), { ...CALL, call_id: "waits", tool_name: "t" });
    expect(call(gate, version("medium"))).toBe("execute");
    call(gate, without);
    expect(gate.answer("waits", true)).toEqual({ decision: "denied", reason: "permission_revoked" });
    expect(call(gate, version("medium"))).toBe("medium");
  });
});

describe("a permission that was revoked", () => {
  test("is asked for again after it is restored, at every sensitivity", () => {
    const gate = gateFor(version("low"));
    gate.revoke("a:a");
    expect(call(gate, version("low"))).toBe("permission_revoked");
    gate.restore("a:a");
    expect(call(gate, version("low"))).toBe("low");
  });

  test("stays revoked when the user accepts a manifest", () => {
    const gate = gateFor(version("low"));
    gate.revoke("a:a");
    gate.accept(version("low"));
    expect(call(gate, version("low"))).toBe("permission_revoked");
    gate.restore("a:a");
    expect(call(gate, version("low"))).toBe("low");
  });
});

test("the first of two scopes with one id counts, although no parsed manifest has two", () => {
  const twice = version("high", "a:a", [scopeOf("a:a", "low")]);
  expect(call(gateFor(twice), version("low"))).toBe("high");
});

test("the scopes of all grants count as accepted in a state that lists no accepted scopes", () => {
  const state = { version: 1, grants: [{ ...CALL, scope: "a:a", at: 0 }], revoked: [], prompts: [] };
  const gate = createConsentGate({ now: () => 0, state });
  expect(gate.state().accepted).toEqual([{ scope: "a:a", sensitivity: "medium" }]);
  expect([call(gate, version("medium")), call(gate, version("low"))]).toEqual(["execute", "execute"]);
  expect(call(gate, version("low", "b:b"))).toBe("low");
  expect(call(gate, version("medium"))).toBe("medium");
});
