import type { JsonValue } from "@agentprint/canonical-json";
import { EARLIER_SUBSCHEMA_KEYWORDS, SUBSCHEMA_KEYWORDS, type SubschemaPosition } from "@agentprint/schema-diff";
import { McpLockError } from "./errors.ts";
import { isObject, setOwn } from "./json-object.ts";
import { MAX_DEPTH } from "./limits.ts";
import type { JsonObject } from "./snapshot.ts";

/** Keywords that only people and models read (JSON Schema 2020-12 Validation §9.1, §9.5, Core §8.3). */
const PROSE: ReadonlySet<string> = new Set(["title", "description", "$comment", "examples"]);

/** A schema cut in two: merged again at each JSON Pointer, the halves are the schema. */
export interface SplitSchema {
  /** The schema without its prose keywords. */
  readonly contract: JsonValue;
  /** The prose keywords alone, each under its own pointer; objects stand for arrays. `undefined` when there are none. */
  readonly prose: JsonObject | undefined;
}

/** Separates what a JSON Schema says from what it means, in keyword position only. */
export function splitSchema(schema: JsonValue, depth: number): SplitSchema {
  if (!isObject(schema)) return { contract: schema, prose: undefined };
  if (depth > MAX_DEPTH) {
    throw new McpLockError("invalid-definition", "", `A schema is nested deeper than ${MAX_DEPTH} levels`);
  }
  const contract: JsonObject = {};
  const prose: JsonObject = {};
  for (const [keyword, value] of Object.entries(schema)) {
    if (PROSE.has(keyword)) {
      setOwn(prose, keyword, value);
      continue;
    }
    const split = splitKeyword(keyword, value, depth + 1);
    setOwn(contract, keyword, split.contract);
    if (split.prose !== undefined) setOwn(prose, keyword, split.prose);
  }
  return { contract, prose: nonEmpty(prose) };
}

function splitKeyword(keyword: string, value: JsonValue, depth: number): SplitSchema {
  if (Array.isArray(value)) {
    if (!holds(keyword, "list")) return { contract: value, prose: undefined };
    const halves = value.map((item) => splitSchema(item, depth));
    const prose: JsonObject = {};
    for (const [index, half] of halves.entries()) if (half.prose !== undefined) prose[index] = half.prose;
    return { contract: halves.map((half) => half.contract), prose: nonEmpty(prose) };
  }
  if (isObject(value) && holds(keyword, "by-name")) {
    const contract: JsonObject = {};
    const prose: JsonObject = {};
    for (const [name, schema] of Object.entries(value)) {
      const half = splitSchema(schema, depth);
      setOwn(contract, name, half.contract);
      if (half.prose !== undefined) setOwn(prose, name, half.prose);
    }
    return { contract, prose: nonEmpty(prose) };
  }
  return holds(keyword, "schema") ? splitSchema(value, depth) : { contract: value, prose: undefined };
}

function nonEmpty(object: JsonObject): JsonObject | undefined {
  return Object.keys(object).length > 0 ? object : undefined;
}

/** Whether a keyword of any draft holds schemas in that way. */
function holds(keyword: string, position: SubschemaPosition): boolean {
  return SUBSCHEMA_KEYWORDS.get(keyword) === position || EARLIER_SUBSCHEMA_KEYWORDS.get(keyword) === position;
}
