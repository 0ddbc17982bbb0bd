import type { LaunchOptions, SpeakerOptions } from "./visit-options.ts";

export interface PinOptions extends LaunchOptions, SpeakerOptions {
  readonly name?: string;
  /** The account with whose login the servers are visited. */
  readonly account?: string;
  /** The name of a server in the MCP registry. */
  readonly registry?: string;
  /** Whether the Agent Skills and instruction files of the project are pinned instead of servers. */
  readonly skills: boolean;
  readonly replace: boolean;
  readonly allowUnstable: readonly string[];
  /** The packages whose install scripts may run. */
  readonly allowScripts: readonly string[];
  readonly vary: readonly string[];
  /** Whether exact versions are written into launches that fetch the newest, without asking. */
  readonly pinVersions: boolean;
  /** Whether servers are pinned although others could not be read. */
  readonly keepGoing: boolean;
  /** A lock file of mcp-pin that has to approve what is pinned. */
  readonly migrate?: string;
  readonly format: "text" | "json";
}
