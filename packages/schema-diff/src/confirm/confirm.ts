import type { JsonValue } from "@agentprint/canonical-json";
import { dialectOf, someMember } from "@agentprint/json-schema";
import { Ajv, type Options, type ValidateFunction } from "ajv";
import { Ajv2019 } from "ajv/dist/2019.js";
import { Ajv2020 } from "ajv/dist/2020.js";
import { StepBudget } from "../budget.ts";
import { MAX_CONFIRM_STEPS } from "../limits.ts";
import { compilePattern } from "../regex/compile-pattern.ts";
import { estimateCompile } from "./estimate-compile.ts";
import { estimateRun } from "./estimate-run.ts";

/**
 * Whether ajv, with the schema as written, has the expected verdict on the value. The answer is `false` when ajv may take
 * too long, when it cannot compile the schema, and when a page forbids code generation. A running ajv cannot be stopped. Its
 * work is therefore estimated before; only the steps of its patterns are counted while it runs.
 */
export function confirms(schema: JsonValue, value: JsonValue, expected: boolean, total: StepBudget): boolean {
  const budget = new StepBudget(MAX_CONFIRM_STEPS, total);
  try {
    const compiling = estimateCompile(schema, budget);
    const running = estimateRun(schema, value, MAX_CONFIRM_STEPS, budget);
    // ajv generates different code for the two modes, and the results can differ, as for `contains` beside `prefixItems`.
    if (!budget.affords(2 * (compiling + running))) return false;
    budget.charge(2 * running);
    return [true, false].every((allErrors) => {
      const ajv = validatorFor(schema, allErrors, budget);
      return compile(ajv, schema as object | boolean, compiling, budget)(value) === expected;
    });
  } catch {
    return false;
  }
}

/** Compiles a schema. Every schema that ajv would have to fetch is replaced by a schema that accepts anything. */
function compile(ajv: Ajv, schema: object | boolean, steps: number, budget: StepBudget): ValidateFunction {
  for (;;) {
    budget.spend(steps);
    try {
      return ajv.compile(schema);
    } catch (error) {
      const { missingSchema } = error as Partial<InstanceType<typeof Ajv.MissingRefError>>;
      // Another error, or a reference that still leads nowhere, adds the same name twice; the second `addSchema` throws.
      ajv.addSchema({}, String(missingSchema));
    }
  }
}

function validatorFor(schema: JsonValue, allErrors: boolean, budget: StepBudget): Ajv {
  // ajv always gets this engine, so that a pattern of an untrusted schema never reaches the engine of JavaScript, which
  // backtracks.
  const regExp = (source: string) => {
    const automaton = compilePattern(source, budget);
    // ajv caches patterns by `toString()` and the flags, which are the same for all patterns of one validator.
    return { test: (text: string) => automaton?.test(text, budget) ?? true, toString: () => source };
  };
  const options: Options = {
    allErrors,
    // The code runs once. Optimizing it would take most of the time.
    code: { optimize: false, regExp: Object.assign(regExp, { code: "new RegExp" }) },
    inlineRefs: false,
    logger: false,
    meta: false,
    ownProperties: true,
    strict: false,
    validateFormats: false,
    validateSchema: false,
  };
  const dialect = dialectOf(schema);
  if (dialect === 2019) return new Ajv2019(options);
  return dialect === 2020 || (dialect === undefined && !hasItemLists(schema)) ? new Ajv2020(options) : new Ajv(options);
}

/** Without `$schema`, a list of `items` says that a draft before 2020-12 is meant. */
function hasItemLists(schema: JsonValue): boolean {
  return someMember(schema, (name, value) => name === "items" && Array.isArray(value));
}
