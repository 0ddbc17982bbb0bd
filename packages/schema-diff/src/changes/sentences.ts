import { canonicalize, escapeJsonText, type JsonValue } from "@agentprint/canonical-json";
import type { ChangeManner, ChangeSubject } from "./schema-change.ts";

const MAX_LENGTH = 80;

/** A value as JSON that is safe to print and not too long to read. */
export function show(value: JsonValue | undefined): string {
  const text = value === undefined ? "nothing" : canonicalize(value);
  const characters = [...text];
  const short = characters.length > MAX_LENGTH ? `${characters.slice(0, MAX_LENGTH).join("")}…` : text;
  return escapeJsonText(short);
}

const NOUNS: Partial<Record<ChangeSubject, string>> = {
  anyOf: "an alternative of anyOf",
  condition: "the condition",
  dependent: "the dependency",
  not: "the exclusion",
  oneOf: "an alternative of oneOf",
  schema: "the schema",
};

/** The sentence of a change that has no wording of its own. */
export function sentence(
  subject: ChangeSubject,
  manner: ChangeManner,
  before: JsonValue | undefined,
  after: JsonValue | undefined,
): string {
  const noun = NOUNS[subject] ?? subject;
  if (manner === "added") return `${noun} ${show(after)} was added`;
  if (manner === "removed") return `${noun} ${show(before)} was removed`;
  return `${noun} was ${manner} from ${show(before)} to ${show(after)}`;
}

/** A list of values in a sentence. */
export function list(values: readonly JsonValue[]): string {
  const shown = values.slice(0, 5).map(show);
  if (values.length > shown.length) shown.push(`${values.length - shown.length} more`);
  return shown.join(", ");
}
