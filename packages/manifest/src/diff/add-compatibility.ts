import { compareSchemas, type SchemaComparison, SchemaDiffError, StepBudget } from "@agentprint/schema-diff";
import { checkArgument } from "../check-argument.ts";
import { MAX_JUDGE_STEPS } from "../limits.ts";
import type { Change, Verdict } from "./change.ts";
import type { ManifestDiff } from "./diff-manifests.ts";

/** A change and, for a changed `input_schema`, its effect on calls to the tool. */
export interface JudgedChange extends Change {
  /** For `input_schema_changed`: whether all calls that were valid still are, each change, and a counterexample. */
  readonly compatibility?: SchemaComparison;
}

/** The result of {@link addCompatibility}. */
export type JudgedManifestDiff = { readonly [verdict in Verdict]: readonly JudgedChange[] };

/**
 * Adds to each changed `input_schema` in a diff whether all calls that were valid still are. The diff's verdicts do not
 * change, because the specification calls every change to an `input_schema` breaking.
 *
 * All schemas in a diff share a number of steps, by default 4,000,000, which take about two seconds. A schema that
 * needs more steps has the verdict `unknown`.
 *
 * @param diff - as returned by {@link diffManifests}
 * @param options - `maxSteps`, which can be lower if the caller must not be blocked for two seconds
 *
 * @example
 * ```ts
 * import { diffManifests, addCompatibility } from "@agentprint/manifest";
 *
 * const withProperties = (properties: object) =>
 *   ({
 *     schema_version: "1.0",
 *     agent_version: "1.0.0",
 *     tools: [
 *       {
 *         name: "read_file",
 *         description_i18n_key: "tools.read_file",
 *         input_schema: { type: "object", properties: { ...properties }, additionalProperties: false },
 *         permission_scope: "filesystem:read",
 *       },
 *     ],
 *     permission_scopes: [{ id: "filesystem:read", label_i18n_key: "scopes.read", sensitivity: "medium" }],
 *     capability_flags: {},
 *   }) as const;
 * const diff = diffManifests(withProperties({}), withProperties({ limit: { type: "integer" } }));
 * const [change] = addCompatibility(diff).breaking;
 * console.log(change?.kind, change?.compatibility?.verdict); // input_schema_changed compatible
 * ```
 */
export function addCompatibility(diff: ManifestDiff, options: { readonly maxSteps?: number } = {}): JudgedManifestDiff {
  checkArgument("diff", diff, { breaking: ["object"] });
  checkArgument("options", options, "object");
  const { maxSteps = MAX_JUDGE_STEPS } = options;
  const budget = new StepBudget(maxSteps);
  const withCompatibility = (change: Change): JudgedChange =>
    change.kind === "input_schema_changed" ? { ...change, compatibility: compare(change, budget) } : change;
  return { ...diff, breaking: diff.breaking.map(withCompatibility) };
}

function compare({ before, after }: Change, budget: StepBudget): SchemaComparison {
  try {
    return compareSchemas(before, after, { direction: "input", values: "objects", budget });
  } catch (error) {
    if (!(error instanceof SchemaDiffError)) throw error;
    const note = { code: "not-proven", path: error.path, message: error.message } as const;
    return { verdict: "unknown", changes: [], notes: [note] };
  }
}
