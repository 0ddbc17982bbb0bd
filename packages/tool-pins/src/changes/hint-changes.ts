import {
  compareCodeUnits,
  diffJson,
  fromPointer,
  isJsonObject,
  isSameJson,
  type JsonChange,
  type JsonObject,
  type JsonValue,
  ownMember,
  setOwnMember,
  toPointer,
} from "@agentprint/canonical-json";

/**
 * The effect of a changed annotation: the tool says that it may do more; the tool says that it does less, so that
 * clients ask users less often; a hint without an effect was written or removed; or the change is not to a standard
 * hint with the value true or false.
 */
export type HintEffect = "more-power" | "less-asking" | "default-written" | "other";

/** A change of one annotation of a tool. */
export interface HintChange extends JsonChange {
  /** At least one. */
  readonly effects: readonly HintEffect[];
}

/** The hints of MCP, each with its default, which is also the value that means more power. */
const HINTS = { readOnlyHint: false, destructiveHint: true, idempotentHint: false, openWorldHint: true } as const;

type Hint = keyof typeof HINTS;

const ANNOTATIONS = "/annotations";

/**
 * Returns the changes of a tool's annotations, sorted by name in code-unit order, each with its effects.
 */
export function hintChanges(before: JsonValue | undefined, after: JsonValue | undefined): HintChange[] {
  const [membersBefore, membersAfter] = [membersOf(before), membersOf(after)];
  const hints = Object.keys(HINTS).flatMap((name) => hintChange(name as Hint, membersBefore, membersAfter));
  const others = otherChanges(membersBefore, membersAfter);
  return [
    ...wholeChange(before, after),
    ...[...hints, ...others].sort((a, b) => compareCodeUnits(annotationOf(a), annotationOf(b))),
  ];
}

function annotationOf({ pointer }: HintChange): string {
  return fromPointer(pointer)[1] ?? "";
}

/** Compares all annotations that are not hints at once, so that their pointers share one limit. */
function otherChanges(before: JsonObject, after: JsonObject): HintChange[] {
  const changes = diffJson({ annotations: withoutHints(before) }, { annotations: withoutHints(after) });
  return changes.map((change) => ({ ...change, effects: ["other"] }));
}

function withoutHints(members: JsonObject): JsonObject {
  const others: JsonObject = {};
  for (const [name, value] of Object.entries(members))
    if (!Object.hasOwn(HINTS, name)) setOwnMember(others, name, value);
  return others;
}

function membersOf(annotations: JsonValue | undefined): JsonObject {
  return isJsonObject(annotations) ? annotations : {};
}

/**
 * Returns a change of the annotations outside their members: to or from an empty object, or a value that is not an
 * object.
 */
function wholeChange(before: JsonValue | undefined, after: JsonValue | undefined): HintChange[] {
  const isOther = [before, after].some((value) => value !== undefined && !isJsonObject(value));
  const isEmpty = [before, after].every((value) => Object.keys(membersOf(value)).length === 0);
  if (isSameJson(before, after) || !(isOther || isEmpty)) return [];
  return [{ ...changeAt(ANNOTATIONS, before, after), effects: [isOther ? "other" : "default-written"] }];
}

function hintChange(name: Hint, before: JsonObject, after: JsonObject): HintChange[] {
  const [valueBefore, valueAfter] = [ownMember(before, name), ownMember(after, name)];
  if (isSameJson(valueBefore, valueAfter)) return [];
  const effect = effectOf(name, before, after);
  const isBoolean = [valueBefore, valueAfter].every((value) => value === undefined || typeof value === "boolean");
  // Some clients read a value that is not a boolean as true, others as absent; the second reading can have a separate
  // effect.
  const effects = isBoolean ? [effect] : ["other" as const, ...(effect === "default-written" ? [] : [effect])];
  return [{ ...changeAt(ANNOTATIONS + toPointer([name]), valueBefore, valueAfter), effects }];
}

function effectOf(name: Hint, before: JsonObject, after: JsonObject): HintEffect {
  const effective = effectiveValue(name, after);
  if (effective === effectiveValue(name, before)) return "default-written";
  return effective === HINTS[name] ? "more-power" : "less-asking";
}

/** Returns the effective value of a hint: a read-only tool counts as idempotent and not destructive. */
function effectiveValue(name: Hint, annotations: JsonObject): boolean {
  const isAlways = name === "readOnlyHint" || name === "openWorldHint";
  return !isAlways && booleanOf("readOnlyHint", annotations) ? !HINTS[name] : booleanOf(name, annotations);
}

/** Returns the value of a hint, or its default if the value is neither true nor false. */
function booleanOf(name: Hint, annotations: JsonObject): boolean {
  const value = ownMember(annotations, name);
  return typeof value === "boolean" ? value : HINTS[name];
}

function changeAt(pointer: string, before: JsonValue | undefined, after: JsonValue | undefined): JsonChange {
  return { pointer, ...(before !== undefined && { before }), ...(after !== undefined && { after }) };
}
