import type { JsonChange } from "@agentprint/canonical-json";
import { createSchemaMixer, type StepBudget } from "@agentprint/schema-diff";
import type { BareVerdict, EditEffect, SchemaVerdict } from "@agentprint/tool-pins/judgement";
import { type ChangedSchema, editsOf, type Steps } from "./break-causes.ts";

/** The maximum number of edits to one schema that are judged one by one. */
const MAX_EDITS = 64;
/** The number of UTF-16 code units in both schemas that cost one reading step. */
const UNITS_A_STEP = 8;

/** The verdicts on all edits to an input schema. */
interface KnownOfEdits {
  /** The verdict on all edits together, except for the breaking ones. */
  readonly whole: BareVerdict;
  /** The pointers of the breaking edits, starting at the tool. */
  readonly breaking: ReadonlySet<string>;
}

/**
 * Determines the effect of each individual edit if the complete input accepts more than before, or if keywords changed
 * that no verdict covers. Returns nothing if the individual edits do not explain the complete change: edits that change
 * nothing individually must also change nothing together.
 */
export function effectsOf(
  changed: ChangedSchema,
  { whole, breaking }: KnownOfEdits,
  steps: Steps,
  budget: StepBudget,
): Pick<SchemaVerdict, "effects"> {
  const { before, after } = changed;
  const edits = editsOf(changed);
  if (edits.length > MAX_EDITS || !(whole.isWider || whole.unjudged)) return {};
  const mix = createSchemaMixer(before, after, edits);
  const cost = (JSON.stringify(before).length + JSON.stringify(after).length) / UNITS_A_STEP;
  const judged = (taken: readonly number[]): BareVerdict | undefined => {
    budget.charge(cost);
    if (budget.isExhausted) return undefined;
    const mixed = mix(taken);
    const said = steps.whole(mixed, steps.verdict(mixed, budget), budget, whole.unjudged !== undefined);
    return budget.isExhausted ? undefined : said;
  };
  const pointerOf = (edit: number): string => `/${changed.name}${(edits[edit] as JsonChange).pointer}`;
  const others = [...edits.keys()].filter((edit) => !breaking.has(pointerOf(edit)));
  if (others.length < 2) return {};
  const alone = new Map<number, BareVerdict>();
  for (const edit of others) {
    const said = judged([edit]);
    if (said === undefined) return {};
    if (said.isWider || said.verdict === "compatible") alone.set(edit, said);
  }
  const harmless = [...alone].filter(([, said]) => isHarmless(said)).map(([edit]) => edit);
  const together = harmless.length > 1 ? judged(harmless) : undefined;
  if (harmless.length > 1 && !(together && isHarmless(together))) for (const edit of harmless) alone.delete(edit);
  const said = [...alone.values()];
  const widens = alone.size < others.length || said.some(({ isWider }) => isWider);
  const unjudged = new Set(said.flatMap((each) => each.unjudged ?? []));
  if ((whole.isWider && !widens) || !(whole.unjudged ?? []).every((keyword) => unjudged.has(keyword))) return {};
  const effects = [...alone].map(([edit, { isWider, unjudged }]): EditEffect => {
    return { pointer: pointerOf(edit), ...(isWider && { isWider }), ...(unjudged && { unjudged }) };
  });
  return effects.length > 0 ? { effects } : {};
}

function isHarmless({ verdict, isWider, unjudged }: BareVerdict): boolean {
  return verdict === "compatible" && !isWider && !unjudged;
}
