import { type CanonicalJsonError, canonicalize, type JsonValue } from "@agentprint/canonical-json";
import { type StepBudget, UNITS_A_STEP } from "../budget.ts";
import { type SchemaDiffArgument, SchemaDiffError } from "../errors.ts";
import { MAX_JSON_DEPTH, MAX_JSON_UNITS } from "../limits.ts";

/** A private copy of an untrusted schema or value with sorted keys, and its canonical text. */
export function copyJson(
  schema: unknown,
  which: SchemaDiffArgument,
  budget: StepBudget,
): { text: string; value: JsonValue } {
  let text: string;
  try {
    text = canonicalize(schema, { maxDepth: MAX_JSON_DEPTH });
  } catch (error) {
    const { code, path } = error as CanonicalJsonError;
    const tooDeep = code === "too-deep";
    const message = tooDeep
      ? `expected at most ${MAX_JSON_DEPTH} levels of nesting`
      : `expected JSON: ${String(error)}`;
    throw new SchemaDiffError(tooDeep ? "schema-too-deep" : "not-json", which, path, message, { cause: error });
  }
  if (text.length > MAX_JSON_UNITS) {
    const message = `expected at most ${MAX_JSON_UNITS} characters of canonical text, received ${text.length}`;
    throw new SchemaDiffError("schema-too-large", which, "", message);
  }
  budget.charge(text.length / UNITS_A_STEP);
  return { text, value: readCanonical(text) };
}

/**
 * Returns the value of a text that `canonicalize` wrote, of at most {@link MAX_JSON_DEPTH} levels. `JSON.parse` of Node 24 can misread
 * a name that has an escape (nodejs/node#63785), but no text without one, and no string alone.
 */
export function readCanonical(text: string): JsonValue {
  return text.includes("\\") ? new CanonicalReader(text).value() : JSON.parse(text);
}

class CanonicalReader {
  readonly #text: string;
  #at = 0;

  constructor(text: string) {
    this.#text = text;
  }

  value(): JsonValue {
    switch (this.#text[this.#at]) {
      case "{":
        return Object.fromEntries(this.#parts("}", () => [this.#string(), this.#member()] as const));
      case "[":
        return this.#parts("]", () => this.value());
      case '"':
        return this.#string();
      default:
        return this.#word();
    }
  }

  #parts<T>(end: string, read: () => T): T[] {
    const parts: T[] = [];
    if (this.#text[++this.#at] === end) this.#at++;
    else
      do parts.push(read());
      while (this.#text[this.#at++] === ",");
    return parts;
  }

  #member(): JsonValue {
    this.#at++;
    return this.value();
  }

  #string(): string {
    const start = this.#at;
    let end = start;
    do end = this.#text.indexOf('"', end + 1);
    while (this.#isEscaped(end));
    this.#at = end + 1;
    return JSON.parse(this.#text.slice(start, this.#at));
  }

  #isEscaped(at: number): boolean {
    let first = at;
    while (this.#text[first - 1] === "\\") first--;
    return (at - first) % 2 === 1;
  }

  #word(): JsonValue {
    const start = this.#at;
    while (!",]}".includes(this.#text.charAt(this.#at))) this.#at++;
    return JSON.parse(this.#text.slice(start, this.#at));
  }
}
