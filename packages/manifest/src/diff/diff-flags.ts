import { toPointer } from "@agentprint/canonical-json";
import { CAPABILITY_FLAGS, type CapabilityManifest } from "../manifest-schema.ts";
import type { ChangeKind, Fact } from "./change.ts";

/** What changed in the capability flags; an absent flag counts as `false`. */
export function diffFlags(old: CapabilityManifest, young: CapabilityManifest): Fact[] {
  return CAPABILITY_FLAGS.flatMap((flag): Fact[] => {
    const [before, after] = [old.capability_flags[flag], young.capability_flags[flag]];
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
