export { GuardError, type GuardErrorCode } from "./errors.ts";
export type { EventContents, EventDigests, EventRequest, GuardEvent, GuardEventKind, GuardOutcome } from "./events.ts";
export { type Connection, createGuard, type Guard } from "./guard.ts";
export type { Limits } from "./limits.ts";
export type { Clock, ConnectionOptions, GuardOptions, Question } from "./options.ts";
export { parseGuardPolicy } from "./parse-guard-policy.ts";
export { seemingIds } from "./read/seeming-ids.ts";
export { GUARD_RULES, type GuardRuleId } from "./rules.ts";
export type { Message, Outgoing, Step } from "./step.ts";
