import { isJsonObject, type JsonObject, type JsonValue } from "@agentprint/canonical-json/json-value";
import { ENTRIES_A_STEP, UNITS_A_STEP } from "../budget.ts";
import {
  expectList,
  expectNumber,
  expectText,
  onAny,
  onArrays,
  onNumbers,
  onObjects,
  onTexts,
  type Rule,
  SchemaRefused,
  type Validator,
} from "./application.ts";

/** The number of UTF-16 code units of equally long texts that are compared in one step. */
const COMPARED_UNITS_A_STEP = 512;

/** The rules for the keywords without schemas (2020-12 Validation §6). */
export const ASSERTIONS: { readonly [keyword: string]: Rule } = {
  type: onAny(
    (content, value, { schema }) =>
      (Array.isArray(content) ? content : [content]).some((name) => hasType(name, value)) ||
      // OpenAPI 3.0 defines `nullable`; JSON Schema does not know the keyword.
      (value === null && schema.keywords.get("nullable") === true),
  ),
  enum: onAny((content, value, { validator }) => expectList(content).some((each) => isEqual(each, value, validator))),
  const: onAny((content, value, { validator }) => isEqual(content, value, validator)),
  // In draft-04, `exclusiveMinimum` and `exclusiveMaximum` are flags next to the bound (draft-04 Validation §5.1).
  minimum: onNumbers((content, value, { schema }) => {
    const least = expectNumber(content);
    return schema.keywords.get("exclusiveMinimum") === true ? value > least : value >= least;
  }),
  maximum: onNumbers((content, value, { schema }) => {
    const most = expectNumber(content);
    return schema.keywords.get("exclusiveMaximum") === true ? value < most : value <= most;
  }),
  exclusiveMinimum: onNumbers((content, value) => typeof content === "boolean" || value > expectNumber(content)),
  exclusiveMaximum: onNumbers((content, value) => typeof content === "boolean" || value < expectNumber(content)),
  multipleOf: onNumbers((content, value) => Number.isInteger(value / expectNumber(content))),
  minLength: onTexts((content, value, { validator }) => codePoints(value, validator) >= expectNumber(content)),
  maxLength: onTexts((content, value, { validator }) => codePoints(value, validator) <= expectNumber(content)),
  pattern: onTexts((content, value, { validator }) => validator.matches(content, value)),
  minItems: onArrays((content, value) => value.length >= expectNumber(content)),
  maxItems: onArrays((content, value) => value.length <= expectNumber(content)),
  uniqueItems: onArrays((content, value, { validator }) => content !== true || isUnique(value, validator)),
  minProperties: onObjects(
    (content, value, { validator }) => namesOf(value, validator).length >= expectNumber(content),
  ),
  maxProperties: onObjects(
    (content, value, { validator }) => namesOf(value, validator).length <= expectNumber(content),
  ),
  required: onObjects((content, value, { validator }) => hasAll(value, content, validator)),
};

/** Returns the names of an object's own members. */
export function namesOf(value: JsonObject, validator: Validator): readonly string[] {
  const names = Object.keys(value);
  validator.spend(names.length / ENTRIES_A_STEP);
  return names;
}

/** Returns whether an object has an own member for every name in a list. */
export function hasAll(value: JsonObject, names: JsonValue, validator: Validator): boolean {
  const list = expectList(names);
  validator.spend(list.length / ENTRIES_A_STEP);
  return list.every((name) => Object.hasOwn(value, expectText(name)));
}

function hasType(name: JsonValue, value: JsonValue): boolean {
  switch (name) {
    case "null":
      return value === null;
    case "array":
      return Array.isArray(value);
    case "object":
      return isJsonObject(value);
    case "integer":
      return Number.isInteger(value);
    case "boolean":
    case "number":
    case "string":
      return typeof value === name;
    default:
      throw new SchemaRefused();
  }
}

/** Returns the length of a text in characters, not in UTF-16 code units (2020-12 Validation §6.3.1). */
function codePoints(text: string, validator: Validator): number {
  validator.spend(text.length / UNITS_A_STEP);
  let count = 0;
  for (const _ of text) count++;
  return count;
}

function isUnique(items: readonly JsonValue[], validator: Validator): boolean {
  validator.spend(items.length / ENTRIES_A_STEP);
  const flat = items.filter((item) => typeof item !== "object" || item === null);
  if (new Set(flat).size < flat.length) return false;
  const deep = items.filter((item) => typeof item === "object" && item !== null);
  return deep.every((item, i) => !deep.slice(0, i).some((other) => isEqual(item, other, validator)));
}

/** Returns whether two values are equal (2020-12 Core §4.2.2). */
function isEqual(one: JsonValue, other: JsonValue, validator: Validator): boolean {
  const isSameLength = typeof one === "string" && typeof other === "string" && one.length === other.length;
  validator.spend((isSameLength ? 1 + one.length / COMPARED_UNITS_A_STEP : 1) / ENTRIES_A_STEP);
  if (one === other) return true;
  if (Array.isArray(one)) {
    const isSame = (item: JsonValue, i: number) =>
      isEqual(item, (other as readonly JsonValue[])[i] as JsonValue, validator);
    return Array.isArray(other) && one.length === other.length && one.every(isSame);
  }
  if (!isJsonObject(one) || !isJsonObject(other)) return false;
  const names = namesOf(one, validator);
  const isSame = (name: string) =>
    Object.hasOwn(other, name) && isEqual(one[name] as JsonValue, other[name] as JsonValue, validator);
  return names.length === namesOf(other, validator).length && names.every(isSame);
}
