import { NameIndex, varyingSignals } from "@agentprint/tool-pins/judgement";
import type { LockedServer } from "../lock/lock.ts";
import { pinnedValuesOf } from "../varies/pinned-values.ts";
import type { VaryingHolder } from "../varies/varying-holders.ts";
import { keyOfMember } from "../varies/varying-member.ts";
import type { Drift } from "./drift.ts";

/**
 * Returns the varying members whose value has a signal that the pinned value lacks, each once, with the first such
 * value.
 */
export function findVaryingSignals(
  locked: LockedServer,
  holders: Iterable<VaryingHolder>,
  names: readonly string[],
): Drift[] {
  if (locked.varies === undefined) return [];
  const pinned = pinnedValuesOf(locked);
  const index = new NameIndex(names);
  const drifts = new Map<string, Drift>();
  for (const holder of holders) {
    for (const { member, live, value: before } of pinned.replaced(holder)) {
      const key = keyOfMember(member);
      if (drifts.has(key)) continue;
      const signals = varyingSignals(before, live, index, new Set([locked.name, member.name ?? ""]));
      if (signals.length > 0) drifts.set(key, { type: "varying-signal", member, before, after: live, signals });
    }
  }
  return [...drifts.values()];
}
