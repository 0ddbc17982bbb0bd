import { StepBudget } from "@agentprint/schema-diff";
import { knownDigest } from "../known-digests.ts";
import type { CapabilityManifest } from "../manifest-schema.ts";
import { type Change, type Fact, VERDICTS, type Verdict } from "./change.ts";
import { diffFlags } from "./diff-flags.ts";
import { diffScopes } from "./diff-scopes.ts";
import { diffTools } from "./diff-tools.ts";
import { DIFF_STEPS, judgeSchema } from "./judge-schema.ts";
import { describeChange } from "./sentences.ts";

/** Every difference between two manifests, by verdict. */
export type ManifestDiff = { readonly [verdict in Verdict]: readonly Change[] };

/** How {@link diffManifests} compares. */
export interface DiffManifestsOptions {
  /** Whether each change of an `input_schema` is judged beyond the specification. Default `true`. */
  readonly compatibility?: boolean;
}

/**
 * Compares two manifests by the two lists of the specification; what it names in neither is `unclassified`.
 *
 * The specification calls every change of an `input_schema` breaking. Its `compatibility` says whether it really is;
 * that takes up to a few seconds for hostile schemas, all of them together, so that `compatibility: false` leaves it out.
 *
 * Empty exactly when both have the same hash. The order is fixed: version, tools, scopes, flags; within tools and
 * scopes what was there before comes first, in its order.
 *
 * @param before - as {@link parseManifest} returned it
 * @param after - as {@link parseManifest} returned it
 *
 * @example
 * ```ts
 * import { diffManifests } from "@agentprint/manifest";
 *
 * const before = { schema_version: "1.0", agent_version: "1.0.0", tools: [], permission_scopes: [], capability_flags: { supports_voice: true } } as const;
 * const after = { ...before, capability_flags: {} };
 * const { breaking } = diffManifests(before, after);
 * console.log(breaking[0]?.kind); // "capability_flag_revoked"
 * console.log(breaking[0]?.path); // "/capability_flags/supports_voice"
 * ```
 */
export function diffManifests(
  before: CapabilityManifest,
  after: CapabilityManifest,
  options: DiffManifestsOptions = {},
): ManifestDiff {
  const { compatibility = true } = options;
  const known = knownDigest(before);
  if (known !== undefined && known === knownDigest(after)) return { breaking: [], nonBreaking: [], unclassified: [] };
  const { facts, attributed } = diffTools(before, after);
  const all = [
    ...diffVersion(before, after),
    ...facts,
    ...diffScopes(before, after, attributed),
    ...diffFlags(before, after),
  ];
  const budget = new StepBudget(DIFF_STEPS);
  const changes = all.map((fact) => describeChange(compatibility ? judgeSchema(fact, budget) : fact));
  const of = (verdict: Verdict): Change[] => changes.filter(({ kind }) => VERDICTS[kind] === verdict);
  return { breaking: of("breaking"), nonBreaking: of("nonBreaking"), unclassified: of("unclassified") };
}

function diffVersion(
  { agent_version: before }: CapabilityManifest,
  { agent_version: after }: CapabilityManifest,
): Fact[] {
  return before === after ? [] : [{ kind: "agent_version_changed", path: "/agent_version", before, after }];
}
