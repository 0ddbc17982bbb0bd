import { toPointer } from "@agentprint/canonical-json";
import { CAPABILITY_FLAGS, type CapabilityManifest } from "../capability-manifest.ts";
import type { ChangeKind, RawChange } from "./change.ts";

/** Every change of the capability flags, in the order of the specification. An absent flag counts as `false`. */
export function diffFlags(
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
