import type { Launch } from "@agentprint/mcp-lock";

/** A server that is started as a command and spoken to over its standard streams. */
export interface StdioTarget {
  readonly type: "stdio";
  /** The launch as it was written, with its references: what answers are named by. */
  readonly launch: Launch;
  readonly command: string;
  readonly args: readonly string[];
  readonly cwd?: string;
  /** Added to the few variables that every command inherits. */
  readonly env: Readonly<Record<string, string>>;
}

/** A server that is reached at a URL. */
export interface HttpTarget {
  readonly type: "http";
  /** The launch as it was written, with its references: what answers are named by. */
  readonly launch: Launch;
  readonly url: string;
  /** Sent with every request to the origin of the URL. */
  readonly headers: Readonly<Record<string, string>>;
}

/** How a server is started or reached, with every reference filled in. */
export type VisitTarget = StdioTarget | HttpTarget;
