import type { RunningServer } from "@agentprint/mcp-visit";

/**
 * A server that was started as pinned. Its streams are read only after the files of its launch have been compared
 * again.
 */
export interface PinnedServer extends RunningServer {
  /**
   * Fulfilled with the first byte of standard output: `false` if a file has changed since the start, in which case the
   * server is stopped.
   */
  readonly outputChecked: Promise<boolean>;
  /** Fulfilled in the same way with the first byte of standard error. */
  readonly errorsChecked: Promise<boolean>;
}
