import type { Screening } from "@agentprint/guard";

/** How the servers are guarded. */
export interface GuardCommandOptions {
  readonly lock: string;
  /** The configuration of agentprint, which holds the policy. */
  readonly policy?: string;
  readonly http?: string;
  readonly failOpen: boolean;
  readonly dryRun: boolean;
  /** In milliseconds. */
  readonly recheck: number;
  readonly screen: Screening;
  readonly record?: string;
  readonly recordKey?: string;
  readonly recordMode: "behind" | "before";
  readonly checkpointTo?: string;
}
