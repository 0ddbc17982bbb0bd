import type { JsonObject, JsonValue } from "@agentprint/canonical-json/json-value";
import { ENTRIES_A_STEP } from "../budget.ts";
import { type Application, onAny, onObjects, type Rule, type Target, type Validator } from "./application.ts";
import { expectList, expectObject } from "./refused.ts";
import { hasAll, namesOf } from "./value-rules.ts";

/** The rules of the keywords that apply schemas to the value itself (2020-12 Core §8.2.3, §10.2). */
export const IN_PLACE: { readonly [keyword: string]: Rule } = {
  allOf: onAny((content, value, { evaluated, validator }) => {
    for (const schema of expectList(content)) if (!validator.apply(schema, value, evaluated)) return false;
    return true;
  }),
  anyOf: onAny((content, value, { evaluated, validator }) => {
    let holds = false;
    for (const schema of expectList(content)) {
      // Where a schema asks what is left over, each alternative that holds counts.
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

/** The schema to which a reference leads on the way that the validator has taken (2020-12 Core §8.2.3.2). */
function targetOf(keyword: string, { schema, validator }: Application): JsonValue {
  const { schema: target, anchor } = schema.targets.get(keyword) as Target;
  if (anchor === undefined) return target;
  validator.spend(validator.scope.length / ENTRIES_A_STEP);
  return validator.scope.find(({ dynamic }) => dynamic.has(anchor))?.dynamic.get(anchor) ?? target;
}

/** What is demanded of an object because of the members that it has. */
function demandsOn(value: JsonObject, content: JsonValue, validator: Validator): readonly JsonValue[] {
  const demands = expectObject(content);
  return namesOf(demands, validator)
    .filter((name) => Object.hasOwn(value, name))
    .map((name) => demands[name] as JsonValue);
}
