import type { RunningServer } from "@agentprint/mcp-visit";

/** A server that was started as pinned. Its streams are read only after the files of its launch were compared again. */
export interface PinnedServer extends RunningServer {
  /**
   * Fulfilled with the first byte of the standard output: `false` if a file changed since the start; the server is then
   * ended.
   */
  readonly outputChecked: Promise<boolean>;
  /** Fulfilled in the same way with the first byte of standard error. */
  readonly errorsChecked: Promise<boolean>;
}
