import type { Ignore, Policy } from "../apply/policy.ts";
import { type Weakening, weakening } from "./weakening.ts";

/** Returns the weakenings for ignores that are new, broader than before, or valid longer. */
export function weakenedIgnores(before: Policy, after: Policy): Weakening[] {
  return after.ignores.flatMap((ignore, index) => {
    const wider = before.ignores.filter((other) => leavesOutAllOf(other, ignore));
    if (wider.some(({ until }) => until >= ignore.until)) return [];
    const [shorter] = wider;
    const what = shorter
      ? `an ignore counts until ${ignore.until} instead of ${shorter.until}`
      : `an ignore of ${ignore.rule} is new, or leaves more out`;
    return [weakening(`/ignores/${index}`, what, shorter, ignore)];
  });
}

/**
 * Returns whether the wider ignore covers every finding that the other ignore covers, regardless of their last days.
 */
function leavesOutAllOf(wider: Ignore, { rule, server, tool, path }: Ignore): boolean {
  return (
    wider.rule === rule &&
    (wider.server === undefined || wider.server === server) &&
    (wider.tool === undefined || wider.tool === tool) &&
    (wider.path === undefined || wider.path === path)
  );
}
