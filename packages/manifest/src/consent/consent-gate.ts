import type { CapabilityManifest } from "../capability-manifest.ts";
import { checkArgument } from "../check-argument.ts";
import { ManifestError } from "../errors.ts";
import { CONSENT_WINDOW_MS, MAX_PROMPTS, PROMPT_TIMEOUT_MS } from "../limits.ts";
import { type Sensitivity, sensitivityInEffect } from "../sensitivity.ts";
import { type ConsentPlace, type ConsentState, type PendingPrompt, readConsentState } from "./consent-state.ts";
import type { ConsentDecision, ConsentRequest, DenialReason, PromptDecision } from "./decision.ts";

/** The options for a consent gate. */
export interface ConsentGateOptions {
  /** The clock, in milliseconds since any fixed moment. */
  readonly now: () => number;
  /** The result of an earlier gate's `state()`, from which this gate continues. */
  readonly state?: unknown;
}

/** Decides for each of an agent's tool calls whether it runs, prompts the user, or is denied. */
export interface ConsentGate {
  /**
   * Notifies the gate that the user accepted a manifest, when adding the agent or after a review. The manifest's scopes
   * replace the scopes that were accepted before. A revoked scope stays revoked and is not accepted.
   */
  accept(manifest: CapabilityManifest): void;
  /**
   * Decides about a call. After a `prompt`, the call waits for {@link ConsentGate.answer}. A call that needs the same
   * consent as a waiting prompt gets `wait`, because the answer to that prompt decides this call too.
   */
  request(manifest: CapabilityManifest, request: ConsentRequest): ConsentDecision;
  /**
   * Applies the user's answer to a prompt: only `true` allows the call and the calls in `also`, which waited for the
   * same prompt. Returns `undefined` if no call with that id waits.
   */
  answer(callId: string, allowed: boolean): PromptDecision | undefined;
  /** Removes the prompts that the user did not answer in time, and denies their calls with `user_timeout`. */
  expire(): readonly { readonly call_id: string; readonly reason: "user_timeout" }[];
  /**
   * Revokes a permission: calls that need it are denied until it is restored, and calls that are already waiting are
   * denied even after that.
   */
  revoke(scope: string): void;
  /** Makes a revoked permission available again. The user is asked again before a call uses it. */
  restore(scope: string): void;
  /** Returns everything that the gate knows, as plain JSON. */
  state(): ConsentState;
}

/**
 * Returns a state machine that applies the specification's consent rules for one agent. A call that needs a scope of
 * low sensitivity runs without a prompt. For medium sensitivity, the user is asked first; after that, calls run for 24
 * hours after each use, per device, session and scope. Calls that arrive before the user has answered wait for the same
 * prompt. For high sensitivity, the user is asked every time, and a prompt ends after 30 seconds.
 *
 * For a scope of low sensitivity that the user has not accepted, for example one that an update added, the gate asks
 * once. If an update makes a scope less sensitive, the gate still asks as the accepted sensitivity requires. For a
 * standard scope, it asks at least as its standard sensitivity requires, whatever the manifest declares.
 *
 * The gate reads nothing but the clock that is passed in. If the clock goes backwards, consent ends instead of lasting
 * longer. A user who rejects a prompt also ends the consent. Consent that has ended does not come back.
 *
 * @throws {@link ManifestError} `INVALID_STATE` when `state` is not the result of `state()`.
 *
 * @example
 * ```ts
 * import { createConsentGate } from "@agentprint/manifest";
 *
 * const manifest = {
 *   schema_version: "1.0",
 *   agent_version: "1.0.0",
 *   tools: [
 *     {
 *       name: "read_file",
 *       description_i18n_key: "tools.read_file",
 *       input_schema: { type: "object", additionalProperties: false },
 *       permission_scope: "filesystem:read",
 *     },
 *   ],
 *   permission_scopes: [{ id: "filesystem:read", label_i18n_key: "scopes.read", sensitivity: "medium" }],
 *   capability_flags: {},
 * } as const;
 * const gate = createConsentGate({ now: () => 0 });
 * // The user is shown the manifest and adds the agent.
 * gate.accept(manifest);
 * const call = { tool_name: "read_file", device_id: "phone", session_id: "s" };
 * console.log(gate.request(manifest, { ...call, call_id: "1" }).decision); // "prompt"
 * console.log(gate.answer("1", true)?.decision); // "execute"
 * console.log(gate.request(manifest, { ...call, call_id: "2" }).decision); // "execute"
 * ```
 */
export function createConsentGate(options: ConsentGateOptions): ConsentGate {
  checkArgument("options", options, "object");
  return new Gate(options);
}

class Gate implements ConsentGate {
  readonly #now: () => number;
  /** The scopes that the user accepted, with the sensitivity that was declared then. */
  readonly #accepted: Map<string, Sensitivity>;
  /**
   * When each consent was last used, in milliseconds of the clock. The consent that has been unused for longest comes
   * first.
   */
  readonly #grants = new Map<string, number>();
  /** The last reading of the clock, in milliseconds. */
  #lastReading = Number.POSITIVE_INFINITY;
  readonly #revoked: Set<string>;
  readonly #prompts: Map<string, PendingPrompt>;

  constructor({ now, state }: ConsentGateOptions) {
    this.#now = () => readClock(now);
    const { accepted, grants, revoked, prompts } = state === undefined ? EMPTY : readConsentState(state);
    this.#accepted = new Map(accepted.map(({ scope, sensitivity }) => [scope, sensitivity]));
    for (const grant of grants.toSorted((a, b) => a.at - b.at)) {
      this.#grants.set(keyOf(grant), grant.at);
      if (!this.#accepted.has(grant.scope)) this.#accepted.set(grant.scope, "medium");
    }
    this.#revoked = new Set(revoked);
    this.#prompts = new Map(prompts.map((prompt) => [prompt.call_id, inEffect(prompt)]));
  }

  accept({ permission_scopes }: CapabilityManifest): void {
    this.#withdrawAllBut(permission_scopes);
    // If several scopes have the same id, a request uses the first. It is set last here, so it replaces the others.
    for (const { id, sensitivity } of permission_scopes.toReversed()) {
      if (!this.#revoked.has(id)) this.#accepted.set(id, sensitivity);
    }
  }

  request(
    manifest: CapabilityManifest,
    { call_id, tool_name, device_id, session_id, is_group }: ConsentRequest,
  ): ConsentDecision {
    const at = this.#readClockAndExpire();
    this.#withdrawAllBut(manifest.permission_scopes);
    if (is_group) return denied("tool_not_supported_in_group");
    const tool = manifest.tools.find(({ name }) => name === tool_name);
    if (!tool) return { decision: "denied", reason: "unknown_tool" };
    const scope = manifest.permission_scopes.find(({ id }) => id === tool.permission_scope);
    if (!scope) return { decision: "denied", reason: "unknown_scope" };
    if (this.#revoked.has(scope.id)) return denied("permission_revoked");
    if (this.#prompts.has(call_id)) return { decision: "denied", reason: "duplicate_call" };
    const accepted = this.#accepted.get(scope.id);
    const sensitivity = sensitivityInEffect(scope, accepted);
    if (sensitivity === "low" && accepted !== undefined) return { decision: "execute" };
    const place = { device_id, session_id, scope: scope.id };
    if (sensitivity === "medium" && this.#grants.has(keyOf(place))) return this.#execute(place, at);
    if (this.#prompts.size >= MAX_PROMPTS) return { decision: "denied", reason: "too_many_prompts" };
    const asked = { ...place, call_id, at, sensitivity };
    const [first] = this.#sharing(asked);
    this.#prompts.set(call_id, asked);
    if (first) return { decision: "wait", call_id, prompt_call_id: first.call_id };
    const prompt = { decision: "prompt", call_id, scope: scope.id, sensitivity } as const;
    return sensitivity === "high" ? { ...prompt, expires_at: at + PROMPT_TIMEOUT_MS } : prompt;
  }

  answer(callId: string, allowed: boolean): PromptDecision | undefined {
    const prompt = this.#prompts.get(callId);
    if (!prompt) return undefined;
    this.#prompts.delete(callId);
    const also = this.#sharing(prompt).map(({ call_id }) => call_id);
    for (const id of also) this.#prompts.delete(id);
    const decision = this.#decide(prompt, allowed);
    return also.length === 0 ? decision : { ...decision, also };
  }

  #decide(prompt: PendingPrompt, allowed: boolean): PromptDecision {
    const at = this.#readClockAndExpire();
    if (prompt.revoked || this.#revoked.has(prompt.scope)) return denied("permission_revoked");
    if (isOverdue(prompt, at)) return denied("user_timeout");
    if (allowed !== true) {
      if (prompt.sensitivity === "low") this.#endConsent(prompt.scope);
      else this.#grants.delete(keyOf(prompt));
      return denied("user_rejected");
    }
    if (!this.#accepted.has(prompt.scope)) this.#accepted.set(prompt.scope, prompt.sensitivity);
    return prompt.sensitivity === "medium" ? this.#execute(prompt, at) : { decision: "execute" };
  }

  expire(): { call_id: string; reason: "user_timeout" }[] {
    const at = this.#readClockAndExpire();
    const overdue = [...this.#prompts.values()].filter((prompt) => isOverdue(prompt, at));
    for (const { call_id } of overdue) this.#prompts.delete(call_id);
    return overdue.map(({ call_id }) => ({ call_id, reason: "user_timeout" }));
  }

  revoke(scope: string): void {
    this.#revoked.add(scope);
    this.#withdraw(scope);
  }

  restore(scope: string): void {
    this.#revoked.delete(scope);
  }

  state(): ConsentState {
    return {
      version: 1,
      accepted: [...this.#accepted].map(([scope, sensitivity]) => ({ scope, sensitivity })),
      grants: [...this.#grants].map(([key, at]) => ({ ...placeOf(key), at })),
      revoked: [...this.#revoked],
      prompts: [...this.#prompts.values()],
    };
  }

  /** Returns the waiting calls that need the same consent as a call, so that one answer decides all of them. */
  #sharing({ sensitivity, revoked, ...place }: PendingPrompt): PendingPrompt[] {
    if (sensitivity === "high") return [];
    const key = keyOf(place);
    return [...this.#prompts.values()].filter(
      (other) => other.sensitivity === sensitivity && other.revoked === revoked && keyOf(other) === key,
    );
  }

  /**
   * Forgets every scope that a manifest does not declare, so that it is a new scope if a later version adds it again.
   */
  #withdrawAllBut(scopes: CapabilityManifest["permission_scopes"]): void {
    const declared = new Set(scopes.map(({ id }) => id));
    const known = [...this.#accepted.keys(), ...Array.from(this.#prompts.values(), ({ scope }) => scope)];
    for (const scope of new Set(known)) if (!declared.has(scope)) this.#withdraw(scope);
  }

  /** Ends all consent to a scope, and marks the waiting prompts for it, so that their calls will be denied. */
  #withdraw(scope: string): void {
    this.#endConsent(scope);
    for (const [id, prompt] of this.#prompts) {
      if (prompt.scope === scope) this.#prompts.set(id, { ...prompt, revoked: true });
    }
  }

  /** Ends all consent to a scope, on all devices and in all sessions. */
  #endConsent(scope: string): void {
    this.#accepted.delete(scope);
    for (const key of this.#grants.keys()) {
      if (placeOf(key).scope === scope) this.#grants.delete(key);
    }
  }

  /** Reads the clock and deletes the consents that have ended. */
  #readClockAndExpire(): number {
    const at = this.#now();
    const wentBack = at < this.#lastReading;
    this.#lastReading = at;
    for (const [key, used] of this.#grants) {
      if (!isWithin(used, at)) this.#grants.delete(key);
      // The consents are in the order of their last use. Unless the clock went backwards, all later ones are valid too.
      else if (!wentBack) break;
    }
    return at;
  }

  /** Allows a call and restarts the 24 hours of its consent. */
  #execute(place: ConsentPlace, at: number): { readonly decision: "execute" } {
    const key = keyOf(place);
    this.#grants.delete(key);
    this.#grants.set(key, at);
    return { decision: "execute" };
  }
}

const EMPTY: ConsentState = { version: 1, accepted: [], grants: [], revoked: [], prompts: [] };

/**
 * Returns a stored prompt with at least the standard sensitivity, because an earlier gate may have used only the
 * declared one.
 */
function inEffect(prompt: PendingPrompt): PendingPrompt {
  return { ...prompt, sensitivity: sensitivityInEffect({ id: prompt.scope, sensitivity: prompt.sensitivity }) };
}

function keyOf({ device_id, session_id, scope }: ConsentPlace): string {
  return JSON.stringify([device_id, session_id, scope]);
}

function placeOf(key: string): ConsentPlace {
  const [device_id, session_id, scope] = JSON.parse(key) as [string, string, string];
  return { device_id, session_id, scope };
}

function isWithin(used: number, at: number): boolean {
  return at >= used && at - used < CONSENT_WINDOW_MS;
}

function isOverdue({ sensitivity, at: asked }: PendingPrompt, at: number): boolean {
  return sensitivity === "high" && (at < asked || at - asked >= PROMPT_TIMEOUT_MS);
}

function denied(reason: DenialReason): { readonly decision: "denied"; readonly reason: DenialReason } {
  return { decision: "denied", reason };
}

function readClock(now: () => number): number {
  const at = now();
  if (Number.isFinite(at)) return at;
  throw new ManifestError("INVALID_OPTION", "/now", `Expected milliseconds from the clock, received ${String(at)}`);
}
