import { toPointer } from "@agentprint/canonical-json";
import { CAPABILITY_FLAGS, type CapabilityManifest } from "../capability-manifest.ts";
import { checkArgument, MANIFEST } from "../check-argument.ts";
import { type Change, type ChangeKind, type RawChange, VERDICTS, type Verdict } from "./change.ts";
import { describeChange } from "./describe-change.ts";
import { diffScopes } from "./diff-scopes.ts";
import { diffTools } from "./diff-tools.ts";

/** Every difference between two manifests, by verdict. */
export type ManifestDiff = { readonly [verdict in Verdict]: readonly Change[] };

/**
 * Compares two manifests according to the specification's two lists; a change that is in neither list is
 * `unclassified`.
 *
 * The result has no change if and only if both manifests have the same hash. Its order is fixed: version, tools,
 * scopes, flags. Tools and scopes in the earlier manifest come first, in their order.
 *
 * According to the specification, every change to an `input_schema` is breaking. {@link addCompatibility} adds whether
 * valid calls stay valid.
 *
 * @param before - as {@link parseManifest} returned it
 * @param after - as {@link parseManifest} returned it
 * @see Capability Manifest, "Diff 引擎"
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
export function diffManifests(before: CapabilityManifest, after: CapabilityManifest): ManifestDiff {
  checkArgument("before", before, MANIFEST);
  checkArgument("after", after, MANIFEST);
  const changes = [
    ...diffVersion(before, after),
    ...diffTools(before, after),
    ...diffScopes(before, after),
    ...diffFlags(before, after),
  ].map(describeChange);
  const withVerdict = (verdict: Verdict): Change[] => changes.filter(({ kind }) => VERDICTS[kind] === verdict);
  return {
    breaking: withVerdict("breaking"),
    nonBreaking: withVerdict("nonBreaking"),
    unclassified: withVerdict("unclassified"),
  };
}

function diffVersion(
  { agent_version: before }: CapabilityManifest,
  { agent_version: after }: CapabilityManifest,
): RawChange[] {
  return before === after ? [] : [{ kind: "agent_version_changed", path: "/agent_version", before, after }];
}

/** Returns every change to the capability flags, in the specification's order. An absent flag counts as `false`. */
function diffFlags(
  { capability_flags: flagsBefore }: CapabilityManifest,
  { capability_flags: flagsAfter }: CapabilityManifest,
): RawChange[] {
  return CAPABILITY_FLAGS.flatMap((flag): RawChange[] => {
    const [before, after] = [flagsBefore[flag], flagsAfter[flag]];
    if (before === after) return [];
    const path = toPointer(["capability_flags", flag]);
    return [
      {
        kind: kindOf(before, after),
        path,
        ...(before !== undefined && { before }),
        ...(after !== undefined && { after }),
        flag,
      },
    ];
  });
}

function kindOf(before: boolean | undefined, after: boolean | undefined): ChangeKind {
  if (before) return "capability_flag_revoked";
  return after ? "capability_flag_enabled" : "capability_flag_shape_changed";
}
