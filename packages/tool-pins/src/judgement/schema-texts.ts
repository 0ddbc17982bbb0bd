import { compareCodeUnits, isJsonObject, type JsonObject, type JsonValue, toPointer } from "@agentprint/canonical-json";
import { contentOf, formOf, isKeyword } from "@agentprint/json-schema";

/** A text in a schema's contract: a property name, a default, an element of an enum, an undefined keyword. */
export interface SchemaText {
  /** RFC 6901 JSON Pointer from the schema. */
  readonly pointer: string;
  readonly text: string;
}

/**
 * Returns whether a text is the address of a JSON Schema draft. A schema that names another draft says nothing new to a
 * model.
 */
export function isDraft(text: string): boolean {
  return /^https?:\/\/json-schema\.org\/draft(?:-0[3-7]|\/20\d\d-\d\d)\/schema#?$/.test(text);
}

interface Step {
  readonly value: JsonValue;
  readonly pointer: string;
  /** A schema, or several in a list or by name; `text`: every string and name is read as prose. */
  readonly as: "schema" | "list" | "by-name" | "text";
}

/** Returns all texts in a schema's contract, in no particular order. A model reads each of them like prose. */
function schemaTexts(schema: JsonValue): SchemaText[] {
  const texts: SchemaText[] = [];
  const open: Step[] = [{ value: schema, pointer: "", as: "schema" }];
  for (let step = open.pop(); step !== undefined; step = open.pop()) {
    const { value, pointer, as } = step;
    if (as === "text" && typeof value === "string") texts.push({ pointer, text: value });
    if (typeof value !== "object" || value === null) continue;
    for (const [key, member] of Object.entries(value)) {
      const below = pointer + toPointer([key]);
      const isUnknown = as === "schema" && !isKeyword(key);
      if (as === "by-name" || isUnknown || (as === "text" && isJsonObject(value)))
        texts.push({ pointer: below, text: key });
      const next = as === "text" ? "text" : as === "schema" ? readingOf(key, member) : "schema";
      if (next !== undefined) open.push({ value: member, pointer: below, as: next });
    }
  }
  return texts;
}

/** Returns how a keyword's value is read, or `undefined` if a model does not read its text. */
function readingOf(keyword: string, value: JsonValue): Step["as"] | undefined {
  const isDialect = keyword === "$schema" && typeof value === "string" && isDraft(value);
  return formOf(contentOf(keyword), value) ?? (isDialect ? undefined : "text");
}

/**
 * The maximum total length, in UTF-16 code units, of the pointers to a schema's new texts. Below a name of one
 * megabyte, each pointer would be as long as the name.
 */
const MAX_POINTERS_LENGTH = 1_048_576;

/**
 * Returns the texts in a contract's schemas that the old schemas did not have anywhere; pointers are from the tool. If
 * a schema's pointers would be too long together, all its texts have the schema's pointer.
 */
export function newContractTexts(before: JsonObject, after: JsonObject): SchemaText[] {
  return ["inputSchema", "outputSchema"].flatMap((schema) => {
    const texts = newSchemaTexts(before[schema], after[schema]);
    const isTooLong = texts.reduce((length, { pointer }) => length + pointer.length, 0) > MAX_POINTERS_LENGTH;
    if (isTooLong) texts.sort((a, b) => compareCodeUnits(a.text, b.text));
    return texts.map(({ pointer, text }) => ({ pointer: `/${schema}${isTooLong ? "" : pointer}`, text }));
  });
}

/** Returns the texts of a schema that the old schema did not have anywhere. */
function newSchemaTexts(before: JsonValue | undefined, after: JsonValue | undefined): SchemaText[] {
  if (after === undefined) return [];
  const known = new Set(before === undefined ? [] : schemaTexts(before).map(({ text }) => text));
  return schemaTexts(after).filter(({ text }) => !known.has(text));
}
