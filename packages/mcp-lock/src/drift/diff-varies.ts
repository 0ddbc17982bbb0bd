import type { JsonChange } from "@agentprint/canonical-json";
import { checkArgument } from "../check-argument.ts";
import type { VaryingMember } from "../varies/varying-member.ts";
import type { Drift } from "./drift.ts";
import { partChanged } from "./part-changed.ts";

/**
 * Returns the members that only one of two entries allows to vary, each as one change.
 *
 * @example
 * ```ts
 * import { diffVaries } from "@agentprint/mcp-lock";
 *
 * console.log(diffVaries([], [])); // []
 * ```
 */
export function diffVaries(before: readonly VaryingMember[] = [], after: readonly VaryingMember[] = []): Drift[] {
  checkArgument("before", before, ["object"]);
  checkArgument("after", after, ["object"]);
  const only = (some: readonly VaryingMember[], others: readonly VaryingMember[]): VaryingMember[] => {
    const known = new Set(others.map(keyOf));
    return some.filter((member) => !known.has(keyOf(member)));
  };
  const changes: JsonChange[] = [
    ...only(before, after).map((member) => ({ pointer: "", before: { ...member } })),
    ...only(after, before).map((member) => ({ pointer: "", after: { ...member } })),
  ];
  return partChanged("varies", changes);
}

function keyOf({ kind, name, pointer, as }: VaryingMember): string {
  return JSON.stringify([kind, name, pointer, as]);
}
