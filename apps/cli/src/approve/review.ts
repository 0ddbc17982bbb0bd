import type { Finding } from "@agentprint/findings";
import type { Context } from "../run/context.ts";
import { CliError } from "../run/errors.ts";
import { printNotices } from "../terminal/notices.ts";
import type { Candidate } from "./candidate.ts";
import type { OtherFix } from "./notice-other-launches.ts";
import { refuseUnreviewed } from "./refuse-unreviewed.ts";

/** A review that took place before the command was run. */
export interface Review {
  /** The servers whose change was reviewed, if the review names them. */
  readonly shown?: readonly string[];
  /** The names of servers and tools that were known in the review. */
  readonly names?: readonly string[];
  /**
   * Returns the error for servers in a state other than the reviewed one, or for an incomplete review.
   *
   * @param found The differences that the command itself found and printed
   * @param otherFix Returns how to approve what a configuration launches differently
   */
  refuse(candidates: readonly Candidate[], found: readonly Finding[], otherFix: OtherFix): CliError | undefined;
}

interface ReviewOptions {
  readonly expect?: string;
  readonly from?: string;
  readonly yes: boolean;
}

/**
 * Returns the review that the options name; `undefined` without one, in which case a person must decide.
 *
 * @throws {@link CliError} as readReviewed does; `not-reviewed` when the report covers no server
 */
export async function reviewOf(context: Context, { expect, from, yes }: ReviewOptions): Promise<Review | undefined> {
  if (from !== undefined) {
    const { readReviewed, refuseLess, refuseOtherStates } = await import("./reviewed-report.ts");
    const { states, unshown, isHeldBack, differences, names } = await readReviewed(context, from);
    if (states.size === 0 && unshown.length > 0) throw showsNothing(from, unshown, isHeldBack);
    if (states.size === 0) printNotices(context, [`${from} shows no change of a pinned server`]);
    else if (unshown.length > 0)
      printNotices(context, [`${from} does not show everything about ${unshown.join(", ")}`]);
    return {
      shown: [...states.keys()],
      names,
      refuse: (candidates, found, otherFix) =>
        refuseOtherStates(states, candidates, from, otherFix) ?? refuseLess(differences, found, from),
    };
  }
  if (expect !== undefined)
    return { refuse: (candidates, _found, otherFix) => refuseUnreviewed(expect, candidates, otherFix) };
  return yes ? { refuse: () => undefined } : undefined;
}

function showsNothing(file: string, unshown: readonly string[], isHeldBack: boolean): CliError {
  return new CliError("not-reviewed", `${file} shows no state to approve; the lock is unchanged`, {
    where: `not read, or left out by a policy: ${unshown.join(", ")}`,
    fix: isHeldBack
      ? "check again with --allow-changed-launch if the changed launch is safe to run, and approve from that report with the configuration as --mcp-config"
      : "check again when these servers can be read, and without a policy that leaves out changes",
  });
}
