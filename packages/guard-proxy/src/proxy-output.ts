import type { Writable } from "node:stream";

/** The messages of a proxy to the person who runs it. */
export interface ProxyOutput {
  /** Gets the standard error of the servers; on a terminal with control characters as escapes. */
  readonly stderr: Writable & { readonly isTTY?: boolean };
  /** Takes a sentence about what the proxy does. */
  readonly notice: (text: string) => void;
  /** Takes the error of a server that could not be started or ended. */
  readonly fail: (error: unknown) => void;
}
