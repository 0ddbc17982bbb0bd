import type { Writable } from "node:stream";
import type { SecretStream } from "@agentprint/mcp-visit/secrets";

/** The messages of a proxy to the person who runs it. */
export interface ProxyOutput {
  /** Gets the servers' standard error; on a terminal, control characters are escaped. */
  readonly stderr: Writable & { readonly isTTY?: boolean };
  /** Returns a stream that replaces the values that standard error must not show; `undefined` if there are none. */
  readonly secrets?: () => SecretStream | undefined;
  /** Takes a sentence about what the proxy does. */
  readonly notice: (text: string) => void;
  /** Takes the error about a server that could not be started or stopped. */
  readonly fail: (error: unknown) => void;
}
