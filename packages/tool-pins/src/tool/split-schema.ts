import { isJsonObject, type JsonObject, type JsonValue, setOwnMember } from "@agentprint/canonical-json";
import { contentOf, formOf, isProse } from "@agentprint/json-schema";
import { ToolPinsError } from "../errors.ts";
import { MAX_DEPTH } from "../limits.ts";

/** A schema in two parts. Each value keeps its JSON Pointer, so that merging the two parts gives the schema again. */
export interface SplitSchema {
  /** The schema without its prose keywords. */
  readonly contract: JsonValue;
  /**
   * Only the prose keywords, each under its own pointer; an object replaces an array. `undefined` when the schema has
   * no prose keyword.
   */
  readonly prose: JsonObject | undefined;
}

/** Separates the prose keywords of a JSON Schema, such as `description`, from all other keywords; data is left as it is. */
export function splitSchema(schema: JsonValue, depth: number): SplitSchema {
  if (!isJsonObject(schema)) return { contract: schema, prose: undefined };
  if (depth > MAX_DEPTH) {
    throw new ToolPinsError("invalid-definition", "", `A schema is nested deeper than ${MAX_DEPTH} levels`);
  }
  const contract: JsonObject = {};
  const prose: JsonObject = {};
  for (const [keyword, value] of Object.entries(schema)) {
    if (isProse(keyword)) {
      setOwnMember(prose, keyword, value);
      continue;
    }
    const split = splitKeyword(keyword, value, depth + 1);
    setOwnMember(contract, keyword, split.contract);
    if (split.prose !== undefined) setOwnMember(prose, keyword, split.prose);
  }
  return { contract, prose: nonEmpty(prose) };
}

function splitKeyword(keyword: string, value: JsonValue, depth: number): SplitSchema {
  switch (formOf(contentOf(keyword), value)) {
    case "schema":
      return splitSchema(value, depth);
    case "list": {
      const { contract, prose } = splitMembers(value as JsonObject, depth);
      return { contract: Object.values(contract), prose };
    }
    case "by-name":
      return splitMembers(value as JsonObject, depth);
    default:
      return { contract: value, prose: undefined };
  }
}

/** Splits each schema in an object or a list. */
function splitMembers(schemas: JsonObject, depth: number): SplitSchema & { readonly contract: JsonObject } {
  const contract: JsonObject = {};
  const prose: JsonObject = {};
  for (const [name, schema] of Object.entries(schemas)) {
    const half = splitSchema(schema, depth);
    setOwnMember(contract, name, half.contract);
    if (half.prose !== undefined) setOwnMember(prose, name, half.prose);
  }
  return { contract, prose: nonEmpty(prose) };
}

function nonEmpty(object: JsonObject): JsonObject | undefined {
  return Object.keys(object).length > 0 ? object : undefined;
}
