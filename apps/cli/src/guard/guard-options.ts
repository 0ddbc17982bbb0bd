import type { Screening } from "@agentprint/policy";

/** The options of a guard. */
export interface GuardCommandOptions {
  readonly lock: string;
  /** The configuration of agentprint, which holds the policy. */
  readonly policy?: string;
  readonly http?: string;
  /** Whether servers at an address are reached with the logins of this user. */
  readonly login: boolean;
  /** The names of the servers that get the `Authorization` of their clients. */
  readonly passThrough: readonly string[];
  readonly failOpen: boolean;
  readonly dryRun: boolean;
  /** In milliseconds. */
  readonly recheck: number;
  /** Overrides the policy. */
  readonly screen?: Screening;
  /** A folder or the URL of a store; `true`: the folder of this user. */
  readonly record?: string | true;
  /** The file with the secret of the recorder. */
  readonly recordKey?: string;
  /** The folder with the keys under which contents are recorded. */
  readonly contentKeys?: string;
  readonly recordMode: "behind" | "before";
  readonly checkpointTo?: string;
  /** The name of the log whose checkpoints are signed, and the file with its key. */
  readonly origin?: string;
  readonly keyFile?: string;
  /** Whether a span for each request is sent to an OpenTelemetry collector. */
  readonly otel: boolean;
  /** The format of the printed log. */
  readonly format: "text" | "json";
}
