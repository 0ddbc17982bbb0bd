import { escapeJsonText, type JsonValue } from "@agentprint/canonical-json";
import { isJsonObject } from "@agentprint/canonical-json/json-value";
import { MAX_SHOWN_CHARACTERS } from "../limits.ts";
import type { ChangeDirection, ChangeSubject } from "../schema-change.ts";

/** Returns a value as JSON that is safe to print and not too long to read. */
export function show(value: JsonValue | undefined): string {
  const text = value === undefined ? "nothing" : beginningOf(value, 2 * MAX_SHOWN_CHARACTERS + 1);
  const characters = [...text];
  const short =
    characters.length > MAX_SHOWN_CHARACTERS ? `${characters.slice(0, MAX_SHOWN_CHARACTERS).join("")}…` : text;
  return escapeJsonText(short);
}

/**
 * Returns the beginning of a value's canonical text: at least `units` UTF-16 code units, or the complete text if it is
 * shorter.
 */
function beginningOf(value: JsonValue, units: number): string {
  const isList = Array.isArray(value);
  if (!isList && !isJsonObject(value)) return JSON.stringify(typeof value === "string" ? value.slice(0, units) : value);
  let text = isList ? "[" : "{";
  for (const key of isList ? value.keys() : Object.keys(value).sort()) {
    if (text.length > units) return text;
    if (text.length > 1) text += ",";
    if (!isList) text += `${JSON.stringify(String(key).slice(0, units))}:`;
    text += beginningOf(
      (value as { readonly [key: string | number]: JsonValue })[key] as JsonValue,
      units - text.length,
    );
  }
  return text + (isList ? "]" : "}");
}

const NOUNS: Partial<Record<ChangeSubject, string>> = {
  anyOf: "an alternative of anyOf",
  condition: "the condition",
  dependent: "the dependency",
  not: "the exclusion",
  oneOf: "an alternative of oneOf",
  schema: "the schema",
};

/** Returns the sentence for a change without a message from the comparison. */
export function sentence(
  subject: ChangeSubject,
  direction: ChangeDirection,
  before: JsonValue | undefined,
  after: JsonValue | undefined,
): string {
  const noun = NOUNS[subject] ?? subject;
  if (direction === "added") return `${noun} ${show(after)} was added`;
  if (direction === "removed") return `${noun} ${show(before)} was removed`;
  return `${noun} was ${direction} from ${show(before)} to ${show(after)}`;
}

/** Returns a list of values as text for a sentence. */
export function list(values: readonly JsonValue[]): string {
  const shown = values.slice(0, 5).map(show);
  if (values.length > shown.length) shown.push(`${values.length - shown.length} more`);
  return shown.join(", ");
}
