import { LEVELS_MANIFEST } from "@agentprint/testing/manifest/manifests";
import { describe, expect, test } from "vitest";
import { createConsentGate } from "../src/index.ts";
import { CONSENT_WINDOW_MS, PROMPT_TIMEOUT_MS } from "../src/limits.ts";

const CALL = { device_id: "d", session_id: "s" };

describe("limits", () => {
  test("the constants are those of the specification", () => {
    expect([CONSENT_WINDOW_MS, PROMPT_TIMEOUT_MS]).toEqual([24 * 60 * 60 * 1000, 30 * 1000]);
  });

  test("a tool or scope that the manifest does not declare is denied", () => {
    const gate = createConsentGate({ now: () => 0 });
    const ask = (tool_name: string): unknown => gate.request(LEVELS_MANIFEST, { ...CALL, call_id: "1", tool_name });
    expect(ask("nothing")).toEqual({ decision: "denied", reason: "unknown_tool" });
    expect(ask("toString")).toEqual({ decision: "denied", reason: "unknown_tool" });
    expect(ask("lost")).toEqual({ decision: "denied", reason: "unknown_scope" });
  });

  test("a second prompt with the id of a waiting one is denied, and so is prompt 1001", () => {
    const gate = createConsentGate({ now: () => 0 });
    const ask = (call_id: string): unknown => gate.request(LEVELS_MANIFEST, { ...CALL, call_id, tool_name: "high" });
    expect(ask("0")).toMatchObject({ decision: "prompt", expires_at: 30_000 });
    expect(ask("0")).toEqual({ decision: "denied", reason: "duplicate_call" });
    for (let id = 1; id < 1000; id++) ask(String(id));
    expect(ask("1000")).toEqual({ decision: "denied", reason: "too_many_prompts" });
  });

  test("two tools of one scope share its consent", () => {
    const gate = createConsentGate({ now: () => 0 });
    gate.request(LEVELS_MANIFEST, { ...CALL, call_id: "1", tool_name: "medium" });
    gate.answer("1", true);
    expect(gate.request(LEVELS_MANIFEST, { ...CALL, call_id: "2", tool_name: "medium2" })).toEqual({
      decision: "execute",
    });
  });

  test("a consent ends if the clock is set back", () => {
    const clock = { at: 1000 };
    const gate = createConsentGate({ now: () => clock.at });
    gate.request(LEVELS_MANIFEST, { ...CALL, call_id: "1", tool_name: "medium" });
    gate.answer("1", true);
    gate.request(LEVELS_MANIFEST, { ...CALL, call_id: "2", tool_name: "high" });
    clock.at = 999;
    expect(gate.request(LEVELS_MANIFEST, { ...CALL, call_id: "3", tool_name: "medium" })).toMatchObject({
      decision: "prompt",
    });
    expect(gate.answer("2", true)).toEqual({ decision: "denied", reason: "user_timeout" });
    clock.at = Number.NaN;
    expect(() => gate.expire()).toThrow(expect.objectContaining({ code: "INVALID_OPTION" }));
  });

  test("a consent that the clock or the user ended does not come back", () => {
    const clock = { at: 1000 };
    const gate = createConsentGate({ now: () => clock.at });
    const ask = (call_id: string, session_id = "s"): string =>
      gate.request(LEVELS_MANIFEST, { ...CALL, session_id, call_id, tool_name: "medium" }).decision;
    for (const [session, at] of [
      ["early", 100],
      ["s", 1000],
      ["other", 1000],
    ] as const) {
      clock.at = at;
      ask(session, session);
      gate.answer(session, true);
    }
    clock.at = 500;
    expect(ask("1")).toBe("prompt");
    clock.at = 1500;
    expect([ask("2"), ask("3", "other"), ask("4", "early")]).toEqual(["wait", "prompt", "execute"]);
    expect([gate.answer("1", true)?.decision, ask("5")]).toEqual(["execute", "execute"]);
  });

  test("simultaneous calls of one medium scope cause one prompt, whose answer counts for all", () => {
    for (const answered of ["1", "2", "3"]) {
      for (const allowed of [true, false]) {
        const gate = createConsentGate({ now: () => 0 });
        const ask = (call_id: string, tool_name = "medium") =>
          gate.request(LEVELS_MANIFEST, { ...CALL, call_id, tool_name });
        expect(ask("1").decision).toBe("prompt");
        const wait = { decision: "wait", prompt_call_id: "1" };
        expect([ask("2"), ask("3", "medium2")]).toEqual([
          { ...wait, call_id: "2" },
          { ...wait, call_id: "3" },
        ]);
        expect(ask("2")).toEqual({ decision: "denied", reason: "duplicate_call" });
        const also = ["1", "2", "3"].filter((id) => id !== answered);
        const decided = allowed ? { decision: "execute" } : { decision: "denied", reason: "user_rejected" };
        expect(gate.answer(answered, allowed)).toEqual({ ...decided, also });
        expect(also.map((id) => gate.answer(id, true))).toEqual([undefined, undefined]);
        expect(ask("4").decision).toBe(allowed ? "execute" : "prompt");
      }
    }
  });

  test("a call that waits for a prompt has to ask when that prompt is no longer the one to answer", () => {
    const gate = createConsentGate({ now: () => 0 });
    const ask = (call_id: string): string =>
      gate.request(LEVELS_MANIFEST, { ...CALL, call_id, tool_name: "medium" }).decision;
    expect([ask("1"), ask("2")]).toEqual(["prompt", "wait"]);
    gate.revoke("s:medium");
    gate.restore("s:medium");
    expect([ask("3"), ask("4")]).toEqual(["prompt", "wait"]);
    expect(gate.answer("1", true)).toEqual({ decision: "denied", reason: "permission_revoked", also: ["2"] });
    expect(gate.answer("3", true)).toEqual({ decision: "execute", also: ["4"] });
  });

  test("the user is asked again for a restored permission, also by calls that waited", () => {
    let gate = createConsentGate({ now: () => 0 });
    const ask = (call_id: string): string =>
      gate.request(LEVELS_MANIFEST, { ...CALL, call_id, tool_name: "medium" }).decision;
    ask("1");
    gate.restore("s:medium");
    gate.revoke("s:medium");
    gate.restore("s:medium");
    ask("2");
    gate = createConsentGate({ now: () => 0, state: JSON.parse(JSON.stringify(gate.state())) });
    expect(gate.answer("1", true)).toEqual({ decision: "denied", reason: "permission_revoked" });
    expect(ask("3")).toBe("wait");
    expect(gate.answer("2", true)).toEqual({ decision: "execute", also: ["3"] });
  });

  test("the consents of a state count in any order", () => {
    const at = (session_id: string, used: number): object => ({ ...CALL, session_id, scope: "s:medium", at: used });
    const state = { version: 1, grants: [at("later", 1), at("earlier", 0)], revoked: [], prompts: [] };
    const clock = { at: 1 };
    const gate = createConsentGate({ now: () => clock.at, state });
    gate.expire();
    clock.at = CONSENT_WINDOW_MS;
    const ask = (session_id: string): string =>
      gate.request(LEVELS_MANIFEST, { ...CALL, session_id, call_id: session_id, tool_name: "medium" }).decision;
    expect(["earlier", "later"].map(ask)).toEqual(["prompt", "execute"]);
  });

  test("a consent that has ended is not in the state", () => {
    const clock = { at: 0 };
    const gate = createConsentGate({ now: () => clock.at });
    for (let session = 0; session < 2000; session++) {
      clock.at += CONSENT_WINDOW_MS / 10;
      gate.request(LEVELS_MANIFEST, { device_id: "d", session_id: String(session), call_id: "c", tool_name: "medium" });
      gate.answer("c", true);
    }
    expect(gate.state().grants.length).toBeLessThanOrEqual(10);
  });

  test.each([
    [{}, ""],
    [{ version: 2, grants: [], revoked: [], prompts: [] }, "/version"],
    [{ version: 1, grants: [{ device_id: 1 }], revoked: [], prompts: [] }, "/grants/0/device_id"],
  ])("an invalid state is refused", (state, path) => {
    expect(() => createConsentGate({ now: () => 0, state })).toThrow(
      expect.objectContaining({ code: "INVALID_STATE", path: expect.stringContaining(path) }),
    );
  });
});
