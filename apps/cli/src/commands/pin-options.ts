import type { LaunchOptions, SpeakerOptions } from "../visit-options.ts";

export interface PinOptions extends LaunchOptions, SpeakerOptions {
  readonly name?: string;
  readonly replace: boolean;
  readonly allowUnstable: readonly string[];
  /** Whether exact versions are written into launches that fetch the newest, without a question. */
  readonly pinVersions: boolean;
  /** Whether servers are pinned although others could not be read. */
  readonly keepGoing: boolean;
  /** A lock file of mcp-pin that has to approve what is pinned. */
  readonly migrate?: string;
  readonly format: "text" | "json";
}
