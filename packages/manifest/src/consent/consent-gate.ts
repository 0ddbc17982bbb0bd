import type { CapabilityManifest } from "../capability-manifest.ts";
import { ManifestError } from "../errors.ts";
import { type Sensitivity, stricterSensitivity } from "../sensitivity.ts";
import { type ConsentPlace, type ConsentState, type PendingPrompt, readConsentState } from "./consent-state.ts";
import type { ConsentDecision, ConsentRequest, DenialReason } from "./decision.ts";

/** How long a user's consent to a scope of medium sensitivity holds after its last use: 24 hours. */
export const CONSENT_WINDOW_MS = 86_400_000;

/** How long a prompt for a scope of high sensitivity waits: 30 seconds. */
export const PROMPT_TIMEOUT_MS = 30_000;

/** Most prompts that wait at the same time: those for low and medium sensitivity wait for ever. */
const MAX_PROMPTS = 1000;

/** What a consent gate needs. */
export interface ConsentGateOptions {
  /** The clock, in milliseconds; any epoch. */
  readonly now: () => number;
  /** What an earlier gate's `state()` gave. */
  readonly state?: unknown;
}

/** Decides for each tool call of one agent whether it runs, asks, or is denied. */
export interface ConsentGate {
  /**
   * The user was shown what a manifest declares and accepted it: when the agent was added, or after a review. Its scopes
   * replace those that were accepted before. A revoked scope stays revoked, and is not accepted.
   */
  accept(manifest: CapabilityManifest): void;
  /** Decides about a call; a `prompt` waits for {@link ConsentGate.answer}. */
  request(manifest: CapabilityManifest, request: ConsentRequest): ConsentDecision;
  /** What the user said to a prompt: only `true` allows. `undefined` when no prompt waits under that id. */
  answer(callId: string, allowed: boolean): ConsentDecision | undefined;
  /** Takes away the prompts that nobody answered in time; each is `denied: user_timeout`. */
  expire(): readonly { readonly call_id: string; readonly reason: "user_timeout" }[];
  /** Takes a permission away: calls that need it are denied until it is restored, those that wait even then. */
  revoke(scope: string): void;
  /** Makes a revoked permission available again; users are asked anew. */
  restore(scope: string): void;
  /** Everything the gate knows, as plain JSON. */
  state(): ConsentState;
}

/**
 * The consent rules of the specification as a state machine of one agent: low runs silently; medium asks first and is
 * then silent for 24 hours after each use, per device, session and scope; high asks every time and gives up after 30 seconds.
 *
 * Only a scope that the user accepted runs silently: another one of low sensitivity, which an update may have added, is
 * asked for once. A scope that an update made less sensitive is asked for as it was accepted.
 *
 * Pure but for the clock that is passed in. A clock that went back ends consent instead of prolonging it, and so does a
 * user who rejects; a consent that has ended does not come back.
 *
 * @throws {@link ManifestError} `INVALID_STATE` when the state is not one
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
  return new Gate(options);
}

class Gate implements ConsentGate {
  readonly #now: () => number;
  /** The scopes that the user accepted, with the sensitivity that was declared then. */
  readonly #accepted: Map<string, Sensitivity>;
  /** When each consent was last used, the longest unused first. */
  readonly #grants = new Map<string, number>();
  /** What the clock said last. */
  #last = Number.POSITIVE_INFINITY;
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
    this.#prompts = new Map(prompts.map((prompt) => [prompt.call_id, prompt]));
  }

  accept({ permission_scopes }: CapabilityManifest): void {
    this.#withdrawAllBut(permission_scopes);
    // As in a request, the first of several scopes with one id counts.
    for (const { id, sensitivity } of permission_scopes.toReversed()) {
      if (!this.#revoked.has(id)) this.#accepted.set(id, sensitivity);
    }
  }

  request(
    manifest: CapabilityManifest,
    { call_id, tool_name, device_id, session_id, is_group }: ConsentRequest,
  ): ConsentDecision {
    const at = this.#look();
    this.#withdrawAllBut(manifest.permission_scopes);
    if (is_group) return denied("tool_not_supported_in_group");
    const tool = manifest.tools.find(({ name }) => name === tool_name);
    if (!tool) return { decision: "denied", reason: "unknown_tool" };
    const scope = manifest.permission_scopes.find(({ id }) => id === tool.permission_scope);
    if (!scope) return { decision: "denied", reason: "unknown_scope" };
    if (this.#revoked.has(scope.id)) return denied("permission_revoked");
    if (this.#prompts.has(call_id)) return { decision: "denied", reason: "duplicate_call" };
    const accepted = this.#accepted.get(scope.id);
    const sensitivity = stricterSensitivity(scope.sensitivity, accepted ?? "low");
    if (sensitivity === "low" && accepted !== undefined) return { decision: "execute" };
    const place = { device_id, session_id, scope: scope.id };
    if (sensitivity === "medium" && this.#grants.has(keyOf(place))) return this.#execute(place, at);
    if (this.#prompts.size >= MAX_PROMPTS) return { decision: "denied", reason: "too_many_prompts" };
    this.#prompts.set(call_id, { ...place, call_id, at, sensitivity });
    const prompt = { decision: "prompt", call_id, scope: scope.id, sensitivity } as const;
    return sensitivity === "high" ? { ...prompt, expires_at: at + PROMPT_TIMEOUT_MS } : prompt;
  }

  answer(callId: string, allowed: boolean): ConsentDecision | undefined {
    const prompt = this.#prompts.get(callId);
    if (!prompt) return undefined;
    this.#prompts.delete(callId);
    const at = this.#look();
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
    const at = this.#look();
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

  /** Forgets every scope that a manifest does not declare: if a later version adds it again, it is a new one. */
  #withdrawAllBut(scopes: CapabilityManifest["permission_scopes"]): void {
    const declared = new Set(scopes.map(({ id }) => id));
    const known = [...this.#accepted.keys(), ...Array.from(this.#prompts.values(), ({ scope }) => scope)];
    for (const scope of new Set(known)) if (!declared.has(scope)) this.#withdraw(scope);
  }

  /** Ends every consent to a scope; calls that wait for one will be denied. */
  #withdraw(scope: string): void {
    this.#endConsent(scope);
    for (const [id, prompt] of this.#prompts) {
      if (prompt.scope === scope) this.#prompts.set(id, { ...prompt, revoked: true });
    }
  }

  /** Ends every consent to a scope, on all devices and in all sessions. */
  #endConsent(scope: string): void {
    this.#accepted.delete(scope);
    for (const key of this.#grants.keys()) {
      if (placeOf(key).scope === scope) this.#grants.delete(key);
    }
  }

  /** Reads the clock, and forgets the consents whose window it is not in. */
  #look(): number {
    const at = this.#now();
    const wentBack = at < this.#last;
    this.#last = at;
    for (const [key, used] of this.#grants) {
      if (!isWithin(used, at)) this.#grants.delete(key);
      else if (!wentBack) break;
    }
    return at;
  }

  /** Starts the window of a consent anew. */
  #execute(place: ConsentPlace, at: number): ConsentDecision {
    const key = keyOf(place);
    this.#grants.delete(key);
    this.#grants.set(key, at);
    return { decision: "execute" };
  }
}

const EMPTY: ConsentState = { version: 1, accepted: [], grants: [], revoked: [], prompts: [] };

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

function denied(reason: DenialReason): ConsentDecision {
  return { decision: "denied", reason };
}

function readClock(now: () => number): number {
  const at = now();
  if (Number.isFinite(at)) return at;
  throw new ManifestError("INVALID_OPTION", "/now", `Expected milliseconds from the clock, received ${String(at)}`);
}
