import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  CONSENT_WINDOW_MS,
  type ConsentDecision,
  type ConsentGate,
  createConsentGate,
  PROMPT_TIMEOUT_MS,
  type Sensitivity,
} from "../src/index.ts";
import { manifestOf, scopeOf, toolOf } from "./support/manifests.ts";

const LEVELS = ["low", "medium", "high"] as const;
const MANIFEST = manifestOf({
  tools: [
    ...LEVELS.map((level) => toolOf(level, { permission_scope: `s:${level}` })),
    toolOf("medium2", { permission_scope: "s:medium" }),
    toolOf("lost", { permission_scope: "none" }),
  ],
  permission_scopes: LEVELS.map((level) => scopeOf(`s:${level}`, level)),
});

/** What the specification says, kept as a plain list of what happened. */
interface Model {
  now: number;
  used: Map<string, number>;
  revoked: Set<string>;
  waiting: Map<string, { asked: number; level: Sensitivity; key: string; scope: string }>;
  calls: number;
}
interface Real {
  gate: ConsentGate;
  clock: { at: number };
}
type Command = fc.Command<Model, Real>;

const always = () => true;

class Request implements Command {
  check = always;
  readonly #call: { level: Sensitivity; device_id: string; session_id: string; is_group: boolean };
  constructor(level: Sensitivity, device_id: string, session_id: string, is_group: boolean) {
    this.#call = { level, device_id, session_id, is_group };
  }
  run(model: Model, { gate }: Real): void {
    const { level, device_id, session_id, is_group } = this.#call;
    const call_id = String(model.calls++);
    const scope = `s:${level}`;
    const key = `${device_id} ${session_id} ${scope}`;
    const last = model.used.get(key);
    const silent = level === "low" || (level === "medium" && last !== undefined && model.now - last < 86_400_000);
    const decision = gate.request(MANIFEST, { call_id, tool_name: level, device_id, session_id, is_group });
    if (is_group) expect(decision).toEqual({ decision: "denied", reason: "tool_not_supported_in_group" });
    else if (model.revoked.has(scope)) expect(decision).toEqual({ decision: "denied", reason: "permission_revoked" });
    else if (silent) {
      expect(decision).toEqual({ decision: "execute" });
      if (level === "medium") model.used.set(key, model.now);
    } else {
      expect(decision).toMatchObject({ decision: "prompt", call_id, scope, sensitivity: level });
      model.waiting.set(call_id, { asked: model.now, level, key, scope });
    }
  }
  toString(): string {
    return `request ${JSON.stringify(this.#call)}`;
  }
}

class Answer implements Command {
  readonly #which: number;
  readonly #allowed: boolean;
  constructor(which: number, allowed: boolean) {
    this.#which = which;
    this.#allowed = allowed;
  }
  check(model: Readonly<Model>): boolean {
    return model.waiting.size > 0;
  }
  run(model: Model, { gate }: Real): void {
    const [id, prompt] = [...model.waiting][this.#which % model.waiting.size] ?? [];
    if (id === undefined || prompt === undefined) throw new Error("nothing waits");
    model.waiting.delete(id);
    const expected = expectedAnswer(model, prompt, this.#allowed);
    expect(gate.answer(id, this.#allowed)).toEqual(expected);
    expect(gate.answer(id, this.#allowed)).toBeUndefined();
    if (expected.decision === "execute" && prompt.level === "medium") model.used.set(prompt.key, model.now);
  }
  toString(): string {
    return `answer ${this.#which} ${this.#allowed}`;
  }
}

function expectedAnswer(
  model: Model,
  { asked, level, scope }: { asked: number; level: Sensitivity; scope: string },
  allowed: boolean,
): ConsentDecision {
  if (model.revoked.has(scope)) return { decision: "denied", reason: "permission_revoked" };
  if (level === "high" && model.now - asked >= 30_000) return { decision: "denied", reason: "user_timeout" };
  return allowed ? { decision: "execute" } : { decision: "denied", reason: "user_rejected" };
}

class Wait implements Command {
  check = always;
  readonly #ms: number;
  constructor(ms: number) {
    this.#ms = ms;
  }
  run(model: Model, { clock }: Real): void {
    clock.at = model.now += this.#ms;
  }
  toString(): string {
    return `wait ${this.#ms}`;
  }
}

class Expire implements Command {
  check = always;
  run(model: Model, { gate }: Real): void {
    const overdue = [...model.waiting].filter(
      ([, { asked, level }]) => level === "high" && model.now - asked >= 30_000,
    );
    expect(gate.expire()).toEqual(overdue.map(([call_id]) => ({ call_id, reason: "user_timeout" })));
    for (const [id] of overdue) model.waiting.delete(id);
  }
  toString(): string {
    return "expire";
  }
}

class Revoke implements Command {
  check = always;
  readonly #scope: string;
  readonly #restore: boolean;
  constructor(level: Sensitivity, restore: boolean) {
    this.#scope = `s:${level}`;
    this.#restore = restore;
  }
  run(model: Model, { gate }: Real): void {
    if (this.#restore) {
      gate.restore(this.#scope);
      model.revoked.delete(this.#scope);
      return;
    }
    gate.revoke(this.#scope);
    model.revoked.add(this.#scope);
    for (const key of model.used.keys()) if (key.endsWith(this.#scope)) model.used.delete(key);
  }
  toString(): string {
    return `${this.#restore ? "restore" : "revoke"} ${this.#scope}`;
  }
}

/** Goes on with a gate made from the stored state of the one before. */
class Reload implements Command {
  check = always;
  run(_model: Model, real: Real): void {
    const state = JSON.parse(JSON.stringify(real.gate.state()));
    real.gate = createConsentGate({ now: () => real.clock.at, state });
    expect(real.gate.state()).toEqual(state);
  }
  toString(): string {
    return "reload";
  }
}

test("any sequence of calls, answers, waits, revocations and restarts follows the specification", () => {
  const level = fc.constantFrom(...LEVELS);
  const device = fc.constantFrom("phone", "desk");
  const session = fc.constantFrom("s1", "s2");
  const times = [0, 1, 29_999, 30_000, 3_600_000, 86_399_999, 86_400_000];
  const commands = fc.commands(
    [
      fc.tuple(level, device, session, fc.nat(9)).map(([l, d, s, g]) => new Request(l, d, s, g === 0)),
      fc.tuple(fc.nat(), fc.boolean()).map(([which, allowed]) => new Answer(which, allowed)),
      fc.constantFrom(...times).map((ms) => new Wait(ms)),
      fc.tuple(level, fc.boolean()).map(([l, restore]) => new Revoke(l, restore)),
      fc.constant(new Expire()),
      fc.constant(new Reload()),
    ],
    { size: "+1" },
  );
  fc.assert(
    fc.property(commands, (sequence) => {
      const clock = { at: 1_000 };
      fc.modelRun(
        () => ({
          model: { now: clock.at, used: new Map(), revoked: new Set<string>(), waiting: new Map(), calls: 0 },
          real: { gate: createConsentGate({ now: () => clock.at }), clock },
        }),
        sequence,
      );
    }),
    { numRuns: 500 },
  );
});

const CALL = { device_id: "d", session_id: "s" };

describe("limits", () => {
  test("the constants are those of the specification", () => {
    expect([CONSENT_WINDOW_MS, PROMPT_TIMEOUT_MS]).toEqual([24 * 60 * 60 * 1000, 30 * 1000]);
  });

  test("what the manifest does not declare is denied", () => {
    const gate = createConsentGate({ now: () => 0 });
    const ask = (tool_name: string): unknown => gate.request(MANIFEST, { ...CALL, call_id: "1", tool_name });
    expect(ask("nothing")).toEqual({ decision: "denied", reason: "unknown_tool" });
    expect(ask("toString")).toEqual({ decision: "denied", reason: "unknown_tool" });
    expect(ask("lost")).toEqual({ decision: "denied", reason: "unknown_scope" });
  });

  test("a call cannot ask twice under one id, nor a thousand times at once", () => {
    const gate = createConsentGate({ now: () => 0 });
    const ask = (call_id: string): unknown => gate.request(MANIFEST, { ...CALL, call_id, tool_name: "high" });
    expect(ask("0")).toMatchObject({ decision: "prompt", expires_at: 30_000 });
    expect(ask("0")).toEqual({ decision: "denied", reason: "duplicate_call" });
    for (let id = 1; id < 1000; id++) ask(String(id));
    expect(ask("1000")).toEqual({ decision: "denied", reason: "too_many_prompts" });
  });

  test("two tools of one scope share its consent", () => {
    const gate = createConsentGate({ now: () => 0 });
    gate.request(MANIFEST, { ...CALL, call_id: "1", tool_name: "medium" });
    gate.answer("1", true);
    expect(gate.request(MANIFEST, { ...CALL, call_id: "2", tool_name: "medium2" })).toEqual({ decision: "execute" });
  });

  test("a clock that went back ends consent", () => {
    const clock = { at: 1000 };
    const gate = createConsentGate({ now: () => clock.at });
    gate.request(MANIFEST, { ...CALL, call_id: "1", tool_name: "medium" });
    gate.answer("1", true);
    gate.request(MANIFEST, { ...CALL, call_id: "2", tool_name: "high" });
    clock.at = 999;
    expect(gate.request(MANIFEST, { ...CALL, call_id: "3", tool_name: "medium" })).toMatchObject({
      decision: "prompt",
    });
    expect(gate.answer("2", true)).toEqual({ decision: "denied", reason: "user_timeout" });
    clock.at = Number.NaN;
    expect(() => gate.expire()).toThrow(expect.objectContaining({ code: "INVALID_OPTION" }));
  });

  test("consents that ended are forgotten", () => {
    const clock = { at: 0 };
    const gate = createConsentGate({ now: () => clock.at });
    for (let session = 0; session < 2000; session++) {
      clock.at += CONSENT_WINDOW_MS / 10;
      gate.request(MANIFEST, { device_id: "d", session_id: String(session), call_id: "c", tool_name: "medium" });
      gate.answer("c", true);
    }
    expect(gate.state().grants.length).toBeLessThanOrEqual(10);
  });

  test.each([
    [{}, ""],
    [{ version: 2, grants: [], revoked: [], prompts: [] }, "/version"],
    [{ version: 1, grants: [{ device_id: 1 }], revoked: [], prompts: [] }, "/grants/0/device_id"],
  ])("a state that is not one is refused", (state, path) => {
    expect(() => createConsentGate({ now: () => 0, state })).toThrow(
      expect.objectContaining({ code: "INVALID_STATE", path: expect.stringContaining(path) }),
    );
  });
});
