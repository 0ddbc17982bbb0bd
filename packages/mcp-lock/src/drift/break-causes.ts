import type { JsonChange, JsonValue } from "@agentprint/canonical-json";
import { createValueJudge, isolateCauses, SchemaDiffError, type StepBudget } from "@agentprint/schema-diff";
import type { BareVerdict, BreakCause, SchemaVerdict } from "@agentprint/tool-pins/judgement";

/** Two versions of a schema, with the changes between them. */
export interface ChangedSchema {
  readonly name: SchemaVerdict["schema"];
  readonly before: JsonValue;
  readonly after: JsonValue;
  /** Their pointers start at the tool. */
  readonly changes: readonly JsonChange[];
}

/** The steps from the old schema to other schemas. */
export interface Steps {
  /**
   * Returns the verdict on a step, and for a breaking step, whether it concerns only parameters that do not exist yet.
   */
  verdict(after: JsonValue, budget: StepBudget): BareVerdict;
  /**
   * Returns everything known about a step, given its verdict.
   *
   * @param withUnjudged Whether keywords that no verdict covers are compared. Default `true`.
   */
  whole(after: JsonValue, said: BareVerdict, budget: StepBudget, withUnjudged?: boolean): BareVerdict;
}

/** Returns whether a step breaks callers that follow the old schema; they send no parameters that do not exist yet. */
export function isBreak({ verdict, isWider }: BareVerdict): boolean {
  return verdict === "breaking" && !isWider;
}

/**
 * Returns the causes of a break, and the verdict on the schema without them; empty if the causes could not be isolated.
 */
export function causesOf(
  changed: ChangedSchema,
  steps: Steps,
  budget: StepBudget,
): Pick<SchemaVerdict, "causes" | "rest"> {
  const { name, before, after } = changed;
  const [root, edits] = [`/${name}`, editsOf(changed)];
  const judged = (schema: JsonValue) => {
    const said = steps.verdict(schema, budget);
    // A truncated verdict does not describe its edits.
    if (budget.isExhausted) return undefined;
    const verdict = said.verdict === "breaking" && !isBreak(said) ? ("compatible" as const) : said.verdict;
    return { schema, said, verdict };
  };
  try {
    const found = isolateCauses(before, after, edits, judged);
    if (found === undefined) return {};
    const isBrokenBy = breaking(name, after, budget);
    const causes = found.causes.map(({ edits: own, alone }): BreakCause => {
      const { counterexample } = alone.said;
      const isShared = counterexample !== undefined && isBrokenBy(counterexample);
      return { pointers: own.map(({ pointer }) => root + pointer), ...(isShared && { counterexample }) };
    });
    const { undone } = found;
    const rest = steps.whole(undone.schema, undone.said, budget);
    return budget.isExhausted ? {} : { causes, rest };
  } catch (error) {
    if (error instanceof SchemaDiffError) return {};
    throw error;
  }
}

/** Returns the changes within the schema, with pointers that start at the schema. */
export function editsOf({ name, changes }: ChangedSchema): JsonChange[] {
  const root = `/${name}`;
  return changes
    .filter(({ pointer }) => pointer === root || pointer.startsWith(`${root}/`))
    .map((change) => ({ ...change, pointer: change.pointer.slice(root.length) }));
}

/** Returns a function that reports whether the complete new schema rejects a call or allows a result. */
function breaking(name: SchemaVerdict["schema"], after: JsonValue, budget: StepBudget): (value: JsonValue) => boolean {
  const judge = createValueJudge(after, budget);
  return (value) => judge(value) === (name === "inputSchema" ? "rejects" : "accepts");
}
