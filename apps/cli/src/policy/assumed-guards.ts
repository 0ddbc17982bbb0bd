import type { Report } from "@agentprint/findings";
import { isFrozenByPreset, type Policy } from "@agentprint/policy/apply";

/** The servers that clients start through a guard, and those that they start without one. */
export interface AssumedGuards {
  readonly guarded: readonly string[];
  readonly notGuarded: readonly string[];
}

/** Returns what a report assumes of the servers whose findings have another level behind a guard; `undefined` without any. */
export function assumedGuards(
  { findings }: Report,
  policy: Policy,
  guarded: ReadonlySet<string>,
): AssumedGuards | undefined {
  const kept = findings.filter((finding) => isFrozenByPreset(finding, policy));
  const servers = [...new Set(kept.flatMap(({ place }) => place.server ?? []))].sort();
  if (servers.length === 0) return undefined;
  return {
    guarded: servers.filter((server) => guarded.has(server)),
    notGuarded: servers.filter((server) => !guarded.has(server)),
  };
}

/** The assumption in one sentence. */
export function assumptionInWords({ guarded, notGuarded }: AssumedGuards): string {
  const behind = `${guarded.join(", ")} behind the guard, which keeps texts and schemas as they were locked`;
  const open = `${notGuarded.join(", ")} without a guard, so that models read what changed`;
  const parts = [...(guarded.length > 0 ? [behind] : []), ...(notGuarded.length > 0 ? [open] : [])];
  return `Levels assume that clients start ${parts.join("; and ")}`;
}
