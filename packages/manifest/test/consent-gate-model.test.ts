import { LEVELS, levelsManifest } from "@agentprint/testing/manifest/manifests";
import { runs } from "@agentprint/testing/property-runs";
import fc from "fast-check";
import { expect, test } from "vitest";
import { type ConsentDecision, type ConsentGate, createConsentGate, type Sensitivity } from "../src/index.ts";

/** Versions of one manifest: the sensitivity of each scope, or its absence. */
const VERSIONS: readonly Readonly<Record<Sensitivity, Sensitivity | undefined>>[] = [
  { low: "low", medium: "medium", high: "high" },
  { low: "low", medium: "medium", high: "high" },
  { low: "low", medium: "low", high: "low" },
  { low: "high", medium: "medium", high: "medium" },
  { low: undefined, medium: "medium", high: "high" },
  { low: "low", medium: undefined, high: "high" },
];

/** The specification as a model that keeps a plain list of events. */
interface Model {
  now: number;
  /** Scope → the sensitivity that the user agreed to. */
  agreed: Map<string, Sensitivity>;
  used: Map<string, number>;
  revoked: Set<string>;
  waiting: Map<string, Waiting>;
  calls: number;
}
interface Waiting {
  readonly asked: number;
  readonly level: Sensitivity;
  readonly key: string;
  readonly scope: string;
  /** Whether the permission has been revoked since then, even if it was restored. */
  withdrawn: boolean;
}
interface Real {
  gate: ConsentGate;
  clock: { at: number };
}
type Command = fc.Command<Model, Real>;

const always = () => true;
const denied = (reason: string): object => ({ decision: "denied", reason });
/** Ends the consents whose time is over. They stay ended at every later reading of the clock. */
function look({ used, now }: Model): void {
  for (const [key, at] of used) if (now < at || now - at >= 86_400_000) used.delete(key);
}

function isLate({ level, asked }: Waiting, now: number): boolean {
  return level === "high" && (now < asked || now - asked >= 30_000);
}

/**
 * Returns the calls that one answer decides: for medium and low, all calls that wait in the same place for the same
 * scope at the same level.
 */
function sharing(
  { waiting }: Model,
  { level, key, withdrawn }: Pick<Waiting, "level" | "key" | "withdrawn">,
): string[] {
  const kind = `${level} ${withdrawn} ${key}`;
  const alike = [...waiting].filter(([, other]) => `${other.level} ${other.withdrawn} ${other.key}` === kind);
  return level === "high" ? [] : alike.map(([id]) => id);
}

/** Ends the consent to a scope that is revoked or that a version lacks, so that waiting calls will be denied. */
function forget(model: Model, scope: string): void {
  model.agreed.delete(scope);
  for (const key of model.used.keys()) if (key.endsWith(scope)) model.used.delete(key);
  for (const prompt of model.waiting.values()) prompt.withdrawn ||= prompt.scope === scope;
}

function meet(model: Model, version: number): (typeof VERSIONS)[number] {
  const declared = VERSIONS[version] ?? VERSIONS[0];
  if (declared === undefined) throw new Error("there is no version");
  for (const level of LEVELS) if (declared[level] === undefined) forget(model, `s:${level}`);
  return declared;
}

/** The user accepts a version of the manifest. */
class Accept implements Command {
  check = always;
  readonly #version: number;
  constructor(version: number) {
    this.#version = version;
  }
  run(model: Model, { gate }: Real): void {
    const declared = meet(model, this.#version);
    gate.accept(levelsManifest(declared));
    for (const level of LEVELS) {
      const is = declared[level];
      if (is !== undefined && !model.revoked.has(`s:${level}`)) model.agreed.set(`s:${level}`, is);
    }
  }
  toString(): string {
    return `accept ${this.#version}`;
  }
}

class Request implements Command {
  check = always;
  readonly #call: {
    level: Sensitivity;
    device_id: string;
    session_id: string;
    is_group: boolean;
    version: number;
  };
  readonly #repeated: number | undefined;
  constructor(
    level: Sensitivity,
    device_id: string,
    session_id: string,
    is_group: boolean,
    version: number,
    repeated: number | undefined,
  ) {
    this.#call = { level, device_id, session_id, is_group, version };
    this.#repeated = repeated;
  }
  run(model: Model, { gate }: Real): void {
    const { level, device_id, session_id, is_group, version } = this.#call;
    const again = this.#repeated === undefined ? undefined : [...model.waiting.keys()][this.#repeated];
    const call_id = again ?? String(model.calls++);
    const scope = `s:${level}`;
    const key = `${device_id} ${session_id} ${scope}`;
    look(model);
    const declared = meet(model, version);
    const call = { call_id, tool_name: level, device_id, session_id, is_group };
    const decision = gate.request(levelsManifest(declared), call);
    const is = declared[level];
    const was = model.agreed.get(scope);
    // The stricter of the two, because levels are in ascending order.
    const asked = LEVELS.findLast((each) => each === is || each === was);
    if (is_group) expect(decision).toEqual(denied("tool_not_supported_in_group"));
    else if (is === undefined) expect(decision).toEqual(denied("unknown_tool"));
    else if (model.revoked.has(scope)) expect(decision).toEqual(denied("permission_revoked"));
    else if (again !== undefined) expect(decision).toEqual(denied("duplicate_call"));
    else if ((asked === "low" && was !== undefined) || (asked === "medium" && model.used.has(key))) {
      expect(decision).toEqual({ decision: "execute" });
      if (asked === "medium") model.used.set(key, model.now);
    } else {
      const [shown] = sharing(model, { level: asked ?? "high", key, withdrawn: false });
      if (shown) expect(decision).toEqual({ decision: "wait", call_id, prompt_call_id: shown });
      else expect(decision).toMatchObject({ decision: "prompt", call_id, scope, sensitivity: asked });
      model.waiting.set(call_id, { asked: model.now, level: asked ?? "high", key, scope, withdrawn: false });
    }
  }
  toString(): string {
    return `request ${JSON.stringify(this.#call)} ${this.#repeated ?? "anew"}`;
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
    const also = sharing(model, prompt).filter((other) => other !== id);
    for (const each of [id, ...also]) model.waiting.delete(each);
    look(model);
    const expected = expectedAnswer(model, prompt, this.#allowed);
    expect(gate.answer(id, this.#allowed)).toEqual({ ...expected, also: also.length > 0 ? also : undefined });
    for (const each of [id, ...also]) expect(gate.answer(each, this.#allowed)).toBeUndefined();
    if (expected.decision === "execute") {
      if (prompt.level === "medium") model.used.set(prompt.key, model.now);
      if (!model.agreed.has(prompt.scope)) model.agreed.set(prompt.scope, prompt.level);
    }
    if (expected.decision === "denied" && expected.reason === "user_rejected") {
      model.used.delete(prompt.key);
      if (prompt.level !== "low") return;
      model.agreed.delete(prompt.scope);
      for (const key of model.used.keys()) if (key.endsWith(prompt.scope)) model.used.delete(key);
    }
  }
  toString(): string {
    return `answer ${this.#which} ${this.#allowed}`;
  }
}

function expectedAnswer(model: Model, prompt: Waiting, allowed: boolean): ConsentDecision {
  if (prompt.withdrawn) return { decision: "denied", reason: "permission_revoked" };
  if (isLate(prompt, model.now)) return { decision: "denied", reason: "user_timeout" };
  return allowed ? { decision: "execute" } : { decision: "denied", reason: "user_rejected" };
}

/** Time passes, or the clock is set back. */
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
    look(model);
    const overdue = [...model.waiting].filter(([, prompt]) => isLate(prompt, model.now));
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
    forget(model, this.#scope);
  }
  toString(): string {
    return `${this.#restore ? "restore" : "revoke"} ${this.#scope}`;
  }
}

/** Continues with a gate made from the stored state of the previous gate. */
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
  const level = fc.constantFrom(...LEVELS, "medium" as const, "medium" as const);
  const device = fc.constantFrom("phone", "desk");
  const session = fc.constantFrom("s1", "s1", "s1", "s2");
  const times = [-86_400_000, -500, -1, 0, 1, 500, 29_999, 30_000, 3_600_000, 86_399_999, 86_400_000];
  // Most calls use the first version, so that consents last for a while.
  const version = fc.oneof(
    { weight: 9, arbitrary: fc.constant(0) },
    { weight: 1, arbitrary: fc.nat(VERSIONS.length - 1) },
  );
  const repeated = fc.option(fc.nat(3), { nil: undefined });
  const commands = fc.commands(
    [
      fc
        .tuple(level, device, session, fc.nat(9), version, repeated)
        .map(([l, d, s, g, v, r]) => new Request(l, d, s, g === 0, v, r)),
      fc.nat(VERSIONS.length - 1).map((accepted) => new Accept(accepted)),
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
          model: {
            now: clock.at,
            agreed: new Map(),
            used: new Map(),
            revoked: new Set<string>(),
            waiting: new Map(),
            calls: 0,
          },
          real: { gate: createConsentGate({ now: () => clock.at }), clock },
        }),
        sequence,
      );
    }),
    { numRuns: runs(150) },
  );
});
