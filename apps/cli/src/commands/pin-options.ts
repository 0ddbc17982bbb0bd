import type { VisitOptions } from "../visit-options.ts";

export interface PinOptions extends VisitOptions {
  readonly name?: string;
  readonly replace: boolean;
  readonly allowUnstable: readonly string[];
  /** Whether servers are pinned although others could not be read. */
  readonly keepGoing: boolean;
  /** A lock file of mcp-pin that has to approve what is pinned. */
  readonly migrate?: string;
  readonly concurrency: number;
  readonly format: "text" | "json";
}
