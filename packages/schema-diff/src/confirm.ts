import type { JsonValue } from "@agentprint/canonical-json";
import { Ajv, type Options, type ValidateFunction } from "ajv";
import { Ajv2019 } from "ajv/dist/2019.js";
import { Ajv2020 } from "ajv/dist/2020.js";
import { StepBudget } from "./budget.ts";
import { dialectOf } from "./compile/dialect.ts";
import { isObject } from "./compile/json.ts";
import { estimateWork } from "./estimate-work.ts";
import { compilePattern } from "./regex/compile-pattern.ts";

/** Steps that the patterns of one confirmation may take. */
const PATTERN_STEPS = 5_000_000;

/** Times that ajv may apply a schema, which remembers nothing and counts nothing itself. */
const APPLICATIONS = 200_000;

/**
 * Whether ajv, reading the schema as it was written, judges the value as expected.
 * Where that would take too long, where ajv cannot compile the schema, or where a page forbids code generation,
 * nothing is confirmed.
 */
export function confirms(schema: JsonValue, value: JsonValue, expected: boolean, total?: StepBudget): boolean {
  try {
    const work = estimateWork(schema, value, APPLICATIONS);
    if (work >= APPLICATIONS) return false;
    total?.charge(work);
    // ajv generates other code for each mode, and they do not always agree: `contains` beside `prefixItems`.
    return [true, false].every((allErrors) => {
      return compile(validatorFor(schema, allErrors, total), schema as object | boolean)(value) === expected;
    });
  } catch {
    return false;
  }
}

/** Compiles with every schema that would have to be fetched read as one that accepts anything. */
function compile(ajv: Ajv, schema: object | boolean): ValidateFunction {
  for (;;) {
    try {
      return ajv.compile(schema);
    } catch (error) {
      const { missingSchema } = error as Partial<InstanceType<typeof Ajv.MissingRefError>>;
      // Throws when nothing is missing, and when it is there already: the reference leads into it.
      ajv.addSchema({}, String(missingSchema));
    }
  }
}

function validatorFor(schema: JsonValue, allErrors: boolean, total: StepBudget | undefined): Ajv {
  const budget = new StepBudget(PATTERN_STEPS, total);
  // ajv only ever gets this engine: a pattern of an untrusted schema never reaches the backtracking one.
  const regExp = (source: string) => {
    const automaton = compilePattern(source);
    // ajv keeps one pattern for all that have the same text; the flags are the same for all of a validator.
    return { test: (text: string) => automaton?.test(text, budget) ?? true, toString: () => source };
  };
  const options: Options = {
    addUsedSchema: false,
    allErrors,
    code: { regExp: Object.assign(regExp, { code: "new RegExp" }) },
    inlineRefs: false,
    logger: false,
    meta: false,
    ownProperties: true,
    strict: false,
    validateFormats: false,
    validateSchema: false,
  };
  const dialect = isObject(schema) ? dialectOf(schema) : undefined;
  if (dialect === 2019) return new Ajv2019(options);
  return dialect === 2020 || (dialect === undefined && !hasItemLists(schema)) ? new Ajv2020(options) : new Ajv(options);
}

/** Without `$schema`, a list of `items` says that a draft before 2020-12 is meant. */
function hasItemLists(schema: JsonValue): boolean {
  const queue: JsonValue[] = [schema];
  for (const value of queue) {
    if (Array.isArray(value)) for (const item of value) queue.push(item);
    if (!isObject(value)) continue;
    if (Array.isArray(value["items"])) return true;
    for (const item of Object.values(value)) queue.push(item);
  }
  return false;
}
