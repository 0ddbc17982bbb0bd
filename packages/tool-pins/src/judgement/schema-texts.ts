import { isJsonObject, type JsonObject, type JsonValue, toPointer } from "@agentprint/canonical-json";
import { contentOf, formOf, isKeyword } from "@agentprint/json-schema";

/** A text in the contract of a schema: a property name, a default, an element of an enum, an undefined keyword. */
export interface SchemaText {
  /** RFC 6901 JSON Pointer from the schema. */
  readonly pointer: string;
  readonly text: string;
}

const DRAFT = /^https?:\/\/json-schema\.org\/(?:draft-0[3-7]|draft\/20\d\d-\d\d)\/schema#?$/;

/** Whether a text is the address of a draft of JSON Schema: a schema that names another draft says nothing to a model. */
export function isDraft(text: string): boolean {
  return DRAFT.test(text);
}

interface Step {
  readonly value: JsonValue;
  readonly pointer: string;
  /** `names`: the keys are names, the values are schemas; `text`: every string and name is read as prose. */
  readonly as: "schema" | "schemas" | "names" | "text";
}

/** All texts in the contract of a schema, because a model reads each as it reads prose, in no particular order. */
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
      if (as === "names" || isUnknown || (as === "text" && isJsonObject(value)))
        texts.push({ pointer: below, text: key });
      const next = as === "text" ? "text" : as === "schema" ? readingOf(key, member) : "schema";
      if (next !== undefined) open.push({ value: member, pointer: below, as: next });
    }
  }
  return texts;
}

/** Returns how the value of a keyword is read, or `undefined` if a model does not read its text. */
function readingOf(keyword: string, value: JsonValue): Step["as"] | undefined {
  switch (formOf(contentOf(keyword), value)) {
    case "schema":
      return "schema";
    case "list":
      return "schemas";
    case "by-name":
      return "names";
    default:
      return keyword === "$schema" && typeof value === "string" && isDraft(value) ? undefined : "text";
  }
}

/** The texts in the schemas of a contract that the schemas before did not have anywhere; pointers are from the tool. */
export function newContractTexts(before: JsonObject, after: JsonObject): SchemaText[] {
  return ["inputSchema", "outputSchema"].flatMap((schema) =>
    newSchemaTexts(before[schema], after[schema]).map(({ pointer, text }) => ({
      pointer: `/${schema}${pointer}`,
      text,
    })),
  );
}

/** The texts of a schema that the schema before did not have anywhere. */
function newSchemaTexts(before: JsonValue | undefined, after: JsonValue | undefined): SchemaText[] {
  if (after === undefined) return [];
  const known = new Set(before === undefined ? [] : schemaTexts(before).map(({ text }) => text));
  return schemaTexts(after).filter(({ text }) => !known.has(text));
}
