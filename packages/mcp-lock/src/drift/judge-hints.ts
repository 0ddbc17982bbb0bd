import {
  diffJson,
  isJsonObject,
  isSameJson,
  type JsonChange,
  type JsonObject,
  type JsonValue,
  ownMember,
  toPointer,
} from "@agentprint/canonical-json";

/**
 * The effect of a changed annotation: the tool says that it may do more; the tool says that it does less, so that clients
 * ask less; a hint that says nothing was written or removed; or no standard hint with the value true or false changed.
 */
export type HintEffect = "more-power" | "less-asking" | "default-written" | "other";

/** A change of one annotation of a tool. */
export interface HintChange extends JsonChange {
  /** At least one. */
  readonly effects: readonly HintEffect[];
}

/** The hints of MCP, each with its default and the value that means more power. */
const HINTS = {
  readOnlyHint: { default: false, powerful: false },
  destructiveHint: { default: true, powerful: true },
  idempotentHint: { default: false, powerful: false },
  openWorldHint: { default: true, powerful: true },
} as const;

type Hint = keyof typeof HINTS;

const ANNOTATIONS = toPointer(["annotations"]);

/** The changes of the annotations of a tool, annotation by annotation, each with its effects. */
export function judgeHints(before: JsonValue | undefined, after: JsonValue | undefined): HintChange[] {
  const [membersBefore, membersAfter] = [membersOf(before), membersOf(after)];
  const names = new Set([membersBefore, membersAfter].flatMap((members) => Object.keys(members)));
  return [
    ...judgeWhole(before, after),
    ...[...names].flatMap((name) => judgeAnnotation(name, membersBefore, membersAfter)),
  ];
}

function membersOf(annotations: JsonValue | undefined): JsonObject {
  return isJsonObject(annotations) ? annotations : {};
}

/** The change of the annotations that no member shows: an empty object, or a value that is no object. */
function judgeWhole(before: JsonValue | undefined, after: JsonValue | undefined): HintChange[] {
  const isOther = [before, after].some((value) => value !== undefined && !isJsonObject(value));
  const isEmpty = [before, after].every((value) => Object.keys(membersOf(value)).length === 0);
  if (isSameJson(before, after) || !(isOther || isEmpty)) return [];
  return [{ ...changeAt(ANNOTATIONS, before, after), effects: [isOther ? "other" : "default-written"] }];
}

function judgeAnnotation(name: string, before: JsonObject, after: JsonObject): HintChange[] {
  const [valueBefore, valueAfter] = [ownMember(before, name), ownMember(after, name)];
  const at = ANNOTATIONS + toPointer([name]);
  if (!isHint(name)) {
    return diffJson(valueBefore, valueAfter).map((change) => ({
      ...change,
      pointer: at + change.pointer,
      effects: ["other"],
    }));
  }
  if (isSameJson(valueBefore, valueAfter)) return [];
  const effect = effectOf(name, before, after);
  const isBoolean = [valueBefore, valueAfter].every((value) => value === undefined || typeof value === "boolean");
  // Some clients read another value as true, others as absent: the second reading can have its own effect.
  const effects = isBoolean ? [effect] : ["other" as const, ...(effect === "default-written" ? [] : [effect])];
  return [{ ...changeAt(at, valueBefore, valueAfter), effects }];
}

function effectOf(name: Hint, before: JsonObject, after: JsonObject): HintEffect {
  const effective = effectiveValue(name, after);
  if (effective === effectiveValue(name, before)) return "default-written";
  return effective === HINTS[name].powerful ? "more-power" : "less-asking";
}

/** Returns the effective value of a hint: a read-only tool counts as idempotent and not destructive. */
function effectiveValue(name: Hint, annotations: JsonObject): boolean {
  const isAlways = name === "readOnlyHint" || name === "openWorldHint";
  return !isAlways && booleanOf("readOnlyHint", annotations) ? !HINTS[name].powerful : booleanOf(name, annotations);
}

/** The value of a hint, or its default where it has none that is true or false. */
function booleanOf(name: Hint, annotations: JsonObject): boolean {
  const value = ownMember(annotations, name);
  return typeof value === "boolean" ? value : HINTS[name].default;
}

function isHint(name: string): name is Hint {
  return Object.hasOwn(HINTS, name);
}

function changeAt(pointer: string, before: JsonValue | undefined, after: JsonValue | undefined): JsonChange {
  return { pointer, ...(before !== undefined && { before }), ...(after !== undefined && { after }) };
}
