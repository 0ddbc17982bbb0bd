import type { AgentSpec } from "@agentprint/drover";

/** One thing that changes in an agent between its pause and its resume. */
export interface Change {
  /** The part that changes, as the README names it. */
  readonly what: string;
  /** A change that is seen drifts this field; one that is not causes a warning at this JSON Pointer. */
  readonly outcome: { readonly seen: string } | { readonly warned: string };
  readonly before: () => AgentSpec | Promise<AgentSpec>;
  readonly after: () => AgentSpec | Promise<AgentSpec>;
}

/** The changes of one kind of agent, below its heading in the README. */
export type Table = readonly [heading: string, changes: readonly Change[]];

/** Rows for one kind of agent, made by a function that takes its specific parts. */
export function changesOf<Special>(describe: (special: Special) => AgentSpec | Promise<AgentSpec>) {
  return (what: string, outcome: Change["outcome"], before: () => Special, after: () => Special): Change => ({
    what,
    outcome,
    before: () => describe(before()),
    after: () => describe(after()),
  });
}
