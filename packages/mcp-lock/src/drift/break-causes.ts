import type { JsonChange, JsonValue } from "@agentprint/canonical-json";
import { acceptsValue, isolateCauses, SchemaDiffError, type StepBudget } from "@agentprint/schema-diff";
import type { BareVerdict, BreakCause, SchemaVerdict } from "@agentprint/tool-pins/judgement";

/** Two versions of a schema, with the changes between them. */
export interface ChangedSchema {
  readonly name: SchemaVerdict["schema"];
  readonly before: JsonValue;
  readonly after: JsonValue;
  /** Their pointers are from the tool. */
  readonly changes: readonly JsonChange[];
}

/** Whether callers break that keep to the schema before: a call with a parameter that is yet to come is none of theirs. */
export function isBreak({ verdict, isWider }: BareVerdict): boolean {
  return verdict === "breaking" && !isWider;
}

/**
 * Returns the causes of a break, and the verdict on the schema without them; nothing where the causes could not be isolated.
 *
 * @param judge Judges the step from the schema before to another one.
 */
export function causesOf(
  changed: ChangedSchema,
  judge: (schema: JsonValue) => BareVerdict,
  budget: StepBudget,
): Pick<SchemaVerdict, "causes" | "rest"> {
  const { name, before, after } = changed;
  const [root, edits] = [`/${name}`, editsOf(changed)];
  const judged = (schema: JsonValue) => {
    const said = judge(schema);
    // A verdict that was cut short says nothing about its edits.
    if (budget.isExhausted) return undefined;
    return { said, verdict: said.verdict === "breaking" && !isBreak(said) ? ("compatible" as const) : said.verdict };
  };
  try {
    const found = isolateCauses(before, after, edits, judged);
    if (found === undefined) return {};
    const causes = found.causes.map(({ edits: own, alone }): BreakCause => {
      const { counterexample } = alone.said;
      const isShared = counterexample !== undefined && isBrokenBy(name, after, counterexample, budget);
      return { pointers: own.map(({ pointer }) => root + pointer), ...(isShared && { counterexample }) };
    });
    return { causes, rest: found.undone.said };
  } catch (error) {
    if (error instanceof SchemaDiffError) return {};
    throw error;
  }
}

/** The changes of the schema; their pointers are from the schema. */
export function editsOf({ name, changes }: ChangedSchema): JsonChange[] {
  const root = `/${name}`;
  return changes
    .filter(({ pointer }) => pointer === root || pointer.startsWith(`${root}/`))
    .map((change) => ({ ...change, pointer: change.pointer.slice(root.length) }));
}

/** Whether the schema after as a whole rejects a call, or allows a result. */
function isBrokenBy(name: SchemaVerdict["schema"], after: JsonValue, value: JsonValue, budget: StepBudget): boolean {
  return acceptsValue(after, value, { budget }).verdict === (name === "inputSchema" ? "rejects" : "accepts");
}
