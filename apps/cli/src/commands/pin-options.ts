import type { VisitOptions } from "../visit-options.ts";

export interface PinOptions extends VisitOptions {
  readonly name?: string;
  /** The account by whose login the servers are visited. */
  readonly account?: string;
  /** The name of a server in the registry of MCP. */
  readonly registry?: string;
  readonly replace: boolean;
  readonly allowUnstable: readonly string[];
  /** Whether servers are pinned although others could not be read. */
  readonly keepGoing: boolean;
  readonly concurrency: number;
  readonly format: "text" | "json";
}
