import type { Launch } from "@agentprint/launch";

/** A server that is started by a command and reached over its standard streams. */
export interface StdioTarget {
  readonly type: "stdio";
  /** The launch as it was written, with its references; it becomes the `launch` of the answers. */
  readonly launch: Launch;
  readonly command: string;
  readonly args: readonly string[];
  readonly cwd?: string;
  /** Variables beside the few that every command inherits. */
  readonly env: Readonly<Record<string, string>>;
}

/** A server that is reached at a URL. */
export interface HttpTarget {
  readonly type: "http";
  /** The launch as it was written, with its references; it becomes the `launch` of the answers. */
  readonly launch: Launch;
  readonly url: string;
  /** Sent with every request to the origin of the URL. */
  readonly headers: Readonly<Record<string, string>>;
}

/** The command or the URL of a server, with every reference filled in. */
export type VisitTarget = StdioTarget | HttpTarget;
