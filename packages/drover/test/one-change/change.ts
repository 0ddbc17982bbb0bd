import type { AgentSpec } from "@agentprint/drover";

/** One thing that changes in an agent between its pause and its resume. */
export interface Change {
  /** The part that changes, as the README names it. */
  readonly what: string;
  /** The field that drifts if the change is seen, or else the JSON Pointer of the warning. */
  readonly outcome: { readonly seen: string } | { readonly warned: string };
  readonly before: () => AgentSpec | Promise<AgentSpec>;
  readonly after: () => AgentSpec | Promise<AgentSpec>;
}

/** The changes of one kind of agent, below its heading in the README. */
export type Table = readonly [heading: string, changes: readonly Change[]];

/** A function that returns the rows for one kind of agent from its specific parts. */
export function changesOf<Special>(describe: (special: Special) => AgentSpec | Promise<AgentSpec>) {
  return (what: string, outcome: Change["outcome"], before: () => Special, after: () => Special): Change => ({
    what,
    outcome,
    before: () => describe(before()),
    after: () => describe(after()),
  });
}
