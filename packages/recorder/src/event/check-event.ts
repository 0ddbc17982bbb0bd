import { isObject, ownMember, toPointer } from "@agentprint/canonical-json/json-value";
import { isSha256Hex } from "@agentprint/canonical-json/text";
import { RecorderError } from "../errors.ts";
import type { EventInput, EventMembers, OwnKind, RecordedEvent } from "./event.ts";
import { EVENT_KINDS, type KindRule } from "./event-kinds.ts";

type Check = (value: unknown) => boolean;

/** W3C Trace Context, version 00: neither id is zero. */
const TRACEPARENT = /^00-(?!0{32})[0-9a-f]{32}-(?!0{16})[0-9a-f]{16}-[0-9a-f]{2}$/;

const OWN_KINDS: readonly OwnKind[] = ["gap", "session-end", "session-start"];

const isText: Check = (value) => typeof value === "string";
const isCount: Check = (value) => Number.isSafeInteger(value) && Number(value) >= 0;
const isScalar: Check = (value) =>
  typeof value === "string" || typeof value === "boolean" || (typeof value === "number" && Number.isFinite(value));

const MEMBERS: Readonly<Record<keyof EventMembers, Check>> = {
  attributes: (value) => isObject(value) && Object.values(value).every(isScalar),
  by: isText,
  call: isText,
  code: (value) => isText(value) || Number.isSafeInteger(value),
  cut: isCount,
  decision: isText,
  digests: (value) => isObject(value) && Object.values(value).every(isSha256Hex),
  findings: (value) => Array.isArray(value) && value.every(isText),
  head: isSha256Hex,
  lost: isCount,
  method: isText,
  of: isText,
  outcome: (value) => value === "ok" || value === "error" || value === "cancelled",
  reason: isText,
  server: isText,
  tool: isText,
  trace: (value) => typeof value === "string" && TRACEPARENT.test(value),
};

const STAMP: Readonly<Record<"agent" | "sequence" | "session", Check>> = {
  agent: (value) => typeof value === "string" && value !== "",
  sequence: isCount,
  session: (value) => typeof value === "string" && value !== "",
};

/** The rule of a kind; `undefined` where there is no such kind. */
export function ruleOf(kind: unknown): KindRule | undefined {
  return typeof kind === "string" && Object.hasOwn(EVENT_KINDS, kind)
    ? EVENT_KINDS[kind as keyof typeof EVENT_KINDS]
    : undefined;
}

/**
 * Checks an event that the recorder is given.
 *
 * @throws {@link RecorderError} `invalid-event` with the path of the member that is missing, not known, or of another form.
 */
export function checkInput(event: object): asserts event is EventInput {
  const name = inputProblem(event);
  if (name === undefined) return;
  const path = toPointer([name]);
  throw new RecorderError("invalid-event", `not an event: expected another value at ${path}`, { path });
}

function inputProblem(event: object): string | undefined {
  const { kind } = event as { kind?: unknown };
  const rule = ruleOf(kind);
  if (rule === undefined || OWN_KINDS.includes(kind as OwnKind)) return "kind";
  for (const [name, value] of Object.entries(event)) {
    if (name === "kind" || value === undefined) continue;
    if (!Object.hasOwn(MEMBERS, name) || !MEMBERS[name as keyof EventMembers](value)) return name;
  }
  return rule.required.find((name) => (event as EventMembers)[name] === undefined);
}

/**
 * Whether a sealed value is an event that this version knows. Members that it does not know are those of a later version,
 * and are left as they are.
 */
export function isRecordedEvent(value: object): value is RecordedEvent {
  const members = value as Readonly<Record<string, unknown>>;
  const rule = ruleOf(ownMember(members, "kind"));
  if (rule === undefined || !rule.required.every((name) => Object.hasOwn(members, name))) return false;
  const isGood = (checks: Readonly<Record<string, Check>>, name: string): boolean =>
    !Object.hasOwn(checks, name) || (checks[name] as Check)(members[name]);
  return (
    Object.keys(STAMP).every((name) => Object.hasOwn(members, name)) &&
    Object.keys(members).every((name) => isGood(MEMBERS, name) && isGood(STAMP, name))
  );
}
