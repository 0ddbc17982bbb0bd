export { type Clock, systemClock } from "./clock.ts";
export { GuardError, type GuardErrorCode } from "./errors.ts";
export type { EventContents, EventDigests, EventRequest, GuardEvent, GuardEventKind, GuardOutcome } from "./events.ts";
export { type Connection, createGuard, type Guard } from "./guard.ts";
export { DEFAULT_LIMITS, type Limits } from "./limits.ts";
export type { ConnectionOptions, GuardOptions, Question } from "./options.ts";
export { type EventStreamOptions, EventStreamReader, type StreamEvent } from "./read/event-stream.ts";
export { GUARD_RULES, type GuardRule, type GuardRuleId } from "./rules.ts";
export type { Message, Outgoing, Step } from "./step.ts";
