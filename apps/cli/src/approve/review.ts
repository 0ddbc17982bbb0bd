import type { Context } from "../context.ts";
import type { CliError } from "../errors.ts";
import type { Candidate } from "./candidate.ts";
import { refuseUnreviewed } from "./refuse-unreviewed.ts";

/** A review that took place before the command was run. */
export interface Review {
  /** The servers whose change was reviewed, where the review names them. */
  readonly shown?: readonly string[];
  /** The error when the servers are in another state than the one that was reviewed. */
  refuse(candidates: readonly Candidate[]): CliError | undefined;
}

interface ReviewOptions {
  readonly expect?: string;
  readonly from?: string;
  readonly yes: boolean;
}

/** The review that the options tell of; `undefined` where there was none, so that a person has to be asked. */
export async function reviewOf(context: Context, { expect, from, yes }: ReviewOptions): Promise<Review | undefined> {
  if (from !== undefined) {
    const { readReviewed, refuseOtherStates } = await import("./reviewed-report.ts");
    const states = await readReviewed(context, from);
    return { shown: [...states.keys()], refuse: (candidates) => refuseOtherStates(states, candidates, from) };
  }
  if (expect !== undefined) return { refuse: (candidates) => refuseUnreviewed(expect, candidates) };
  return yes ? { refuse: () => undefined } : undefined;
}
