import type { ThoughtType } from "@agentprint/trail/record";
import type { EventKind, EventMembers } from "./event.ts";

/** The members that the events of a kind have. */
export interface KindRule {
  /**
   * The type of the record: `plan` for an action that is about to happen, `analysis` for an observation, `decision` or
   * `reflection`.
   */
  readonly type: ThoughtType;
  /** The members that an event of the kind must have. */
  readonly required: readonly (keyof EventMembers)[];
}

function rule(type: ThoughtType, ...required: readonly (keyof EventMembers)[]): KindRule {
  return Object.freeze({ type, required: Object.freeze(required) });
}

/**
 * The type and the required members of each kind of event. A record always has the type of its event's kind: `plan`
 * announces an action whose outcome is not known yet, `analysis` reports an observation, `decision` reports a
 * permission, a change or a refusal, and `reflection` is about the recording itself.
 *
 * @example
 * ```ts
 * import { EVENT_KINDS } from "@agentprint/recorder/events";
 *
 * console.log(EVENT_KINDS.call.type, EVENT_KINDS.result.type, EVENT_KINDS.refused.type); // plan analysis decision
 * ```
 */
export const EVENT_KINDS: Readonly<Record<EventKind, KindRule>> = /* @__PURE__ */ Object.freeze({
  answered: rule("decision", "decision"),
  asked: rule("plan"),
  call: rule("plan", "call"),
  capabilities: rule("decision"),
  fault: rule("reflection", "reason"),
  gap: rule("reflection", "lost", "reason"),
  link: rule("analysis", "digests"),
  listing: rule("analysis"),
  "model-call": rule("plan", "call"),
  "model-result": rule("analysis", "call", "outcome"),
  passed: rule("decision"),
  refused: rule("decision"),
  replaced: rule("decision"),
  request: rule("plan", "method"),
  result: rule("analysis", "call", "outcome"),
  "session-end": rule("reflection", "lost"),
  "session-start": rule("reflection"),
});
