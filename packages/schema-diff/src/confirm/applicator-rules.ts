import type { JsonObject, JsonValue } from "@agentprint/canonical-json/json-value";
import { ENTRIES_A_STEP } from "../budget.ts";
import {
  type Application,
  expectList,
  expectNumber,
  expectObject,
  onAny,
  onArrays,
  onObjects,
  type Rule,
  SchemaRefused,
  type Target,
  type Validator,
} from "./application.ts";
import { hasAll, namesOf } from "./value-rules.ts";

/** The rules for the keywords that apply schemas to the value itself (2020-12 Core §8.2.3, §10.2). */
export const IN_PLACE: { readonly [keyword: string]: Rule } = {
  allOf: onAny((content, value, { evaluated, validator }) => {
    for (const schema of expectList(content)) if (!validator.apply(schema, value, evaluated)) return false;
    return true;
  }),
  anyOf: onAny((content, value, { evaluated, validator }) => {
    let holds = false;
    for (const schema of expectList(content)) {
      // If a schema depends on the unevaluated parts, every alternative that holds counts.
      if (holds && !evaluated) break;
      if (validator.apply(schema, value, evaluated)) holds = true;
    }
    return holds;
  }),
  oneOf: onAny((content, value, { evaluated, validator }) => {
    let count = 0;
    for (const schema of expectList(content))
      if (validator.apply(schema, value, evaluated) && ++count > 1) return false;
    return count === 1;
  }),
  not: onAny((content, value, { validator }) => !validator.apply(content, value)),
  if: onAny((content, value, { schema, evaluated, validator }) => {
    const branch = schema.keywords.get(validator.apply(content, value, evaluated) ? "then" : "else");
    return branch === undefined || validator.apply(branch, value, evaluated);
  }),
  $ref: referring("$ref"),
  $dynamicRef: referring("$dynamicRef"),
  $recursiveRef: referring("$recursiveRef"),
  dependentRequired: onObjects((content, value, { validator }) => {
    for (const names of demandsOn(value, content, validator)) if (!hasAll(value, names, validator)) return false;
    return true;
  }),
  dependentSchemas: onObjects((content, value, { evaluated, validator }) => {
    for (const schema of demandsOn(value, content, validator))
      if (!validator.apply(schema, value, evaluated)) return false;
    return true;
  }),
  dependencies: onObjects((content, value, { evaluated, validator }) => {
    for (const demand of demandsOn(value, content, validator)) {
      const isList = Array.isArray(demand);
      if (isList ? !hasAll(value, demand, validator) : !validator.apply(demand, value, evaluated)) return false;
    }
    return true;
  }),
};

function referring(keyword: string): Rule {
  return onAny((_, value, application) =>
    application.validator.apply(targetOf(keyword, application), value, application.evaluated),
  );
}

/** Returns the schema to which a reference leads on the path that the validator has taken (2020-12 Core §8.2.3.2). */
function targetOf(keyword: string, { schema, validator }: Application): JsonValue {
  const { schema: target, anchor } = schema.targets.get(keyword) as Target;
  if (anchor === undefined) return target;
  validator.spend(validator.scope.length / ENTRIES_A_STEP);
  return validator.scope.find(({ dynamic }) => dynamic.has(anchor))?.dynamic.get(anchor) ?? target;
}

/** Returns the requirements that follow from an object's members. */
function demandsOn(value: JsonObject, content: JsonValue, validator: Validator): readonly JsonValue[] {
  const demands = expectObject(content);
  return namesOf(demands, validator)
    .filter((name) => Object.hasOwn(value, name))
    .map((name) => demands[name] as JsonValue);
}

/** The rules for the keywords that apply schemas to parts of the value (2020-12 Core §10.3, §11). */
export const PARTS: { readonly [keyword: string]: Rule } = {
  properties: onObjects((content, value, { evaluated, validator }) => {
    const schemas = expectObject(content);
    for (const name of namesOf(value, validator)) {
      if (!Object.hasOwn(schemas, name)) continue;
      if (!validator.apply(schemas[name] as JsonValue, value[name] as JsonValue)) return false;
      evaluated?.add(name);
    }
    return true;
  }),
  patternProperties: onObjects((content, value, { evaluated, validator }) => {
    const schemas = expectObject(content);
    for (const pattern of namesOf(schemas, validator)) {
      for (const name of namesOf(value, validator)) {
        if (!validator.matches(pattern, name)) continue;
        if (!validator.apply(schemas[pattern] as JsonValue, value[name] as JsonValue)) return false;
        evaluated?.add(name);
      }
    }
    return true;
  }),
  additionalProperties: onObjects((content, value, { schema: { keywords }, evaluated, validator }) => {
    const declared = expectObject(keywords.get("properties") ?? {});
    const patterns = namesOf(expectObject(keywords.get("patternProperties") ?? {}), validator);
    for (const name of namesOf(value, validator)) {
      if (Object.hasOwn(declared, name) || patterns.some((pattern) => validator.matches(pattern, name))) continue;
      if (!validator.apply(content, value[name] as JsonValue)) return false;
    }
    evaluated?.addAll();
    return true;
  }),
  propertyNames: onObjects((content, value, { validator }) => {
    for (const name of namesOf(value, validator)) if (!validator.apply(content, name)) return false;
    return true;
  }),
  unevaluatedProperties: onObjects((content, value, { evaluated, validator }) => {
    for (const name of namesOf(value, validator)) {
      if (!evaluated?.has(name) && !validator.apply(content, value[name] as JsonValue)) return false;
    }
    evaluated?.addAll();
    return true;
  }),
  prefixItems: onArrays((content, value, application) => isPrefix(content, value, application)),
  items: onArrays((content, value, application) => {
    const { draft, keywords } = application.schema;
    if (!Array.isArray(content)) {
      return isRest(content, value, expectList(keywords.get("prefixItems") ?? []).length, application);
    }
    if (draft === 2020) throw new SchemaRefused();
    return isPrefix(content, value, application);
  }),
  additionalItems: onArrays((content, value, application) => {
    const items = application.schema.keywords.get("items");
    return !Array.isArray(items) || isRest(content, value, items.length, application);
  }),
  contains: onArrays((content, value, { schema: { draft, keywords }, evaluated, validator }) => {
    const least = expectNumber(keywords.get("minContains") ?? 1);
    const most = expectNumber(keywords.get("maxContains") ?? Number.POSITIVE_INFINITY);
    let count = 0;
    for (const [i, item] of value.entries()) {
      if (!validator.apply(content, item)) continue;
      count++;
      // In 2019-09, `unevaluatedItems` ignores the elements that `contains` has matched.
      if (draft === 2020) evaluated?.add(i);
    }
    return least <= count && count <= most;
  }),
  unevaluatedItems: onArrays((content, value, { evaluated, validator }) => {
    for (const [i, item] of value.entries()) if (!evaluated?.has(i) && !validator.apply(content, item)) return false;
    evaluated?.addAll();
    return true;
  }),
};

/** Returns whether each of the first elements satisfies the schema at its position in a list. */
function isPrefix(content: JsonValue, value: readonly JsonValue[], { evaluated, validator }: Application): boolean {
  const schemas = expectList(content);
  const count = Math.min(schemas.length, value.length);
  for (let i = 0; i < count; i++) {
    if (!validator.apply(schemas[i] as JsonValue, value[i] as JsonValue)) return false;
    evaluated?.add(i);
  }
  return true;
}

/** Returns whether all elements from an index on fulfil one schema. */
function isRest(
  schema: JsonValue,
  value: readonly JsonValue[],
  from: number,
  { evaluated, validator }: Application,
): boolean {
  for (let i = from; i < value.length; i++) if (!validator.apply(schema, value[i] as JsonValue)) return false;
  evaluated?.addAll();
  return true;
}
