import type { JsonValue } from "@agentprint/canonical-json";
import { SUBSCHEMA_KEYWORDS, type SubschemaPosition } from "@agentprint/schema-diff";
import { isObject } from "../json.ts";

type Check = (value: JsonValue | undefined) => boolean;

const TYPES: ReadonlySet<unknown> = new Set(["array", "boolean", "integer", "null", "number", "object", "string"]);

const isText: Check = (value) => typeof value === "string";
const isBoolean: Check = (value) => typeof value === "boolean";
const isNumber: Check = (value) => typeof value === "number";
const isPositive: Check = (value) => typeof value === "number" && value > 0;
const isCount: Check = (value) => typeof value === "number" && Number.isInteger(value) && value >= 0;
const isAnchor: Check = (value) => typeof value === "string" && /^[A-Za-z_][-A-Za-z0-9._]*$/.test(value);
const isIdentifier: Check = (value) => typeof value === "string" && /^[^#]*#?$/.test(value);
const isSet: Check = (value) => Array.isArray(value) && value.every(isText) && new Set(value).size === value.length;
const isType: Check = (value) =>
  Array.isArray(value) ? value.length > 0 && value.every((each) => TYPES.has(each)) && isSet(value) : TYPES.has(value);
const isList: Check = (value) => Array.isArray(value) && value.length > 0 && value.every(isSchema);
const isSchemaOrSet: Check = (value) => isSchema(value) || isSet(value);

/** An object of which each member passes. */
function each(check: Check): Check {
  return (value) => {
    if (!isObject(value)) return false;
    for (const name in value) if (!check(value[name])) return false;
    return true;
  };
}

const SUBSCHEMAS: Readonly<Record<SubschemaPosition, Check>> = {
  schema: isSchema,
  list: isList,
  "by-name": each(isSchema),
};

/** What the meta-schema of Draft 2020-12 and its vocabularies say of each keyword; of any other they say nothing. */
const KEYWORDS: ReadonlyMap<string, Check> = new Map([
  ...Array.from(SUBSCHEMA_KEYWORDS, ([keyword, position]): [string, Check] => [keyword, SUBSCHEMAS[position]]),
  ...all(isAnchor, "$anchor $dynamicAnchor $recursiveAnchor"),
  ...all(isBoolean, "deprecated readOnly uniqueItems writeOnly"),
  ...all(isCount, "maxContains maxItems maxLength maxProperties minContains minItems minLength minProperties"),
  ...all(isIdentifier, "$id"),
  ...all(Array.isArray, "enum examples"),
  ...all(isNumber, "exclusiveMaximum exclusiveMinimum maximum minimum"),
  ...all(isPositive, "multipleOf"),
  ...all(isSet, "required"),
  ...all(isText, "$comment $dynamicRef $recursiveRef $ref $schema contentEncoding contentMediaType"),
  ...all(isText, "description format pattern title"),
  ...all(isType, "type"),
  ...all(each(isBoolean), "$vocabulary"),
  ...all(each(isSchema), "definitions"),
  ...all(each(isSchemaOrSet), "dependencies"),
  ...all(each(isSet), "dependentRequired"),
]);

function all(check: Check, keywords: string): [string, Check][] {
  return keywords.split(" ").map((keyword) => [keyword, check]);
}

/**
 * Whether a value is a schema by the meta-schema of Draft 2020-12: what ajv says, in a fraction of its time. Recursive:
 * only for values whose depth is bounded.
 */
export function isSchema(value: JsonValue | undefined): boolean {
  if (!isObject(value)) return typeof value === "boolean";
  for (const keyword in value) {
    const check = KEYWORDS.get(keyword);
    if (check !== undefined && !check(value[keyword])) return false;
  }
  return true;
}
