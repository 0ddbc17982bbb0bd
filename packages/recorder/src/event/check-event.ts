import { isObject, toPointer } from "@agentprint/canonical-json/json-value";
import { isSha256Hex } from "@agentprint/canonical-json/text";
import { RecorderError } from "../errors.ts";
import type { EventInput, EventMembers, Outcome, OwnKind, RecordedEvent } from "./event.ts";
import { EVENT_KINDS, type KindRule } from "./event-kinds.ts";

type Check = (value: unknown) => boolean;
type Checks = ReadonlyMap<string, Check>;

/** A trace parent by W3C Trace Context, version 00: neither id may be zero. */
const TRACEPARENT = /^00-(?!0{32})[0-9a-f]{32}-(?!0{16})[0-9a-f]{16}-[0-9a-f]{2}$/;

const OWN_KINDS: readonly OwnKind[] = ["gap", "session-end", "session-start"];

const OUTCOMES: readonly Outcome[] = ["ok", "error", "cancelled", "passed", "changed", "refused", "held", "waiting"];

const isText: Check = (value) => typeof value === "string";
const isCount: Check = (value) => Number.isSafeInteger(value) && Number(value) >= 0;
const isScalar: Check = (value) =>
  typeof value === "string" || typeof value === "boolean" || (typeof value === "number" && Number.isFinite(value));

/**
 * The last accepted digests, by names whose digests seldom change. The bench bar "recorder/record" requires this,
 * because checking the digits of a digest takes a fifth of a microsecond.
 */
const ACCEPTED: Map<string, unknown> = new Map([
  ["lock", "0".repeat(64)],
  ["tool", "0".repeat(64)],
]);

const MEMBER_CHECKS: Readonly<Record<keyof EventMembers, Check>> = {
  attributes: (value) => isObject(value) && Object.values(value).every(isScalar),
  by: isText,
  call: isText,
  code: (value) => isText(value) || Number.isSafeInteger(value),
  cut: isCount,
  decision: isText,
  digests: areDigests,
  findings: (value) => Array.isArray(value) && value.every(isText),
  from: isText,
  head: isSha256Hex,
  lost: isCount,
  method: isText,
  of: isText,
  outcome: (value) => OUTCOMES.includes(value as Outcome),
  reason: isText,
  server: isText,
  tool: isText,
  trace: (value) => typeof value === "string" && TRACEPARENT.test(value),
};

const STAMP_CHECKS: Readonly<Record<string, Check>> = {
  agent: (value) => typeof value === "string" && value !== "",
  sequence: isCount,
  session: (value) => typeof value === "string" && value !== "",
};

const STAMP_NAMES: readonly string[] = Object.keys(STAMP_CHECKS);
const MEMBERS: Checks = new Map(Object.entries(MEMBER_CHECKS));
const ALL: Checks = new Map([...MEMBERS, ...Object.entries(STAMP_CHECKS)]);

/** Returns the rule for a kind; `undefined` if there is no such kind. */
export function ruleOf(kind: unknown): KindRule | undefined {
  return typeof kind === "string" && Object.hasOwn(EVENT_KINDS, kind)
    ? EVENT_KINDS[kind as keyof typeof EVENT_KINDS]
    : undefined;
}

/**
 * Checks an event that is passed to the recorder.
 *
 * @throws {@link RecorderError} `invalid-event` with the path of the member that is missing, unknown, or malformed.
 */
export function checkInput(event: object): asserts event is EventInput {
  const isOwn = isObject(event) && OWN_KINDS.includes(event["kind"] as OwnKind);
  refuse(isOwn ? "kind" : badMember(event, MEMBERS, []));
}

/**
 * Checks an event before it is sealed.
 *
 * @throws {@link RecorderError} `invalid-event` with the path of the member that is missing, unknown, or malformed.
 */
export function checkRecordedEvent(event: object): asserts event is RecordedEvent {
  refuse(badMember(event, ALL, STAMP_NAMES));
}

/**
 * Returns whether a sealed value is an event that this version knows. Unknown members belong to a later version, and
 * are kept.
 */
export function isRecordedEvent(value: object): value is RecordedEvent {
  const known = Object.entries(value).filter(([name]) => name === "kind" || ALL.has(name));
  return badMember(Object.fromEntries(known), ALL, STAMP_NAMES) === undefined;
}

/**
 * Returns the name of the first member that is unknown, malformed, or missing. A member that is `undefined` counts as
 * absent.
 */
function badMember(event: object, checks: Checks, required: readonly string[]): string | undefined {
  const members = isObject(event) ? event : {};
  const rule = ruleOf(members["kind"]);
  if (rule === undefined) return "kind";
  for (const name of Object.keys(members)) {
    const value = members[name];
    if (name !== "kind" && value !== undefined && checks.get(name)?.(value) !== true) return name;
  }
  const isMissing = (name: string): boolean => members[name] === undefined;
  return rule.required.find(isMissing) ?? required.find(isMissing);
}

function areDigests(value: unknown): boolean {
  if (!isObject(value)) return false;
  for (const name of Object.keys(value)) {
    const digest = value[name];
    const last = ACCEPTED.get(name);
    if (last !== undefined && digest === last) continue;
    if (!isSha256Hex(digest)) return false;
    if (last !== undefined) ACCEPTED.set(name, digest);
  }
  return true;
}

function refuse(name: string | undefined): void {
  if (name === undefined) return;
  const path = toPointer([name]);
  throw new RecorderError("invalid-event", `not an event: expected another value at ${path}`, { path });
}
