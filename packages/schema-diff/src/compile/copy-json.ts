import { type CanonicalJsonError, canonicalize, type JsonValue } from "@agentprint/canonical-json";
import { readCanonical } from "@agentprint/canonical-json/json-value";
import { type StepBudget, UNITS_A_STEP } from "../budget.ts";
import { type SchemaDiffArgument, SchemaDiffError } from "../errors.ts";
import { MAX_JSON_DEPTH, MAX_JSON_UNITS } from "../limits.ts";

/** Returns a private copy of an untrusted schema or value with sorted keys, and its canonical text. */
export function copyJson(
  schema: unknown,
  which: SchemaDiffArgument,
  budget: StepBudget,
): { text: string; value: JsonValue } {
  let text: string;
  try {
    text = canonicalize(schema, { maxDepth: MAX_JSON_DEPTH });
  } catch (error) {
    const { code, path } = error as CanonicalJsonError;
    const tooDeep = code === "too-deep";
    const message = tooDeep
      ? `expected at most ${MAX_JSON_DEPTH} levels of nesting`
      : `expected JSON: ${String(error)}`;
    throw new SchemaDiffError(tooDeep ? "schema-too-deep" : "not-json", which, path, message, { cause: error });
  }
  if (text.length > MAX_JSON_UNITS) {
    const message = `expected at most ${MAX_JSON_UNITS} characters of canonical text, received ${text.length}`;
    throw new SchemaDiffError("schema-too-large", which, "", message);
  }
  budget.charge(text.length / UNITS_A_STEP);
  return { text, value: readCanonical(text) };
}
