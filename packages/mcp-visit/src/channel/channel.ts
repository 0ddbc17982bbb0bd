import type { RequestId, RpcMessage } from "@agentprint/mcp";
import type { VisitError } from "../errors.ts";
import type { Survivor } from "../survivor.ts";

/** A channel's events, which are handled by the session that uses the channel. */
export interface ChannelEvents {
  message(message: RpcMessage): void;
  /** Called when the channel can no longer be used. */
  failure(error: VisitError): void;
}

/** Log output that a server wrote to stdout, which clients skip. */
export interface LoggedLines {
  readonly count: number;
  /** The first, escaped. */
  readonly first: string;
}

/** A transport of messages to and from a server: the streams of a process, or a URL. */
export interface Channel {
  /** Starts the process, without sending anything yet. */
  open(events: ChannelEvents): Promise<void>;
  /**
   * Sends a message. Over HTTP, the promise rejects if the server refuses the message, or ends its response without an
   * answer to a request.
   */
  send(message: RpcMessage, headers?: Readonly<Record<string, string>>): Promise<void>;
  /** Opens the notification stream that a server with a handshake version may have. */
  listen(): Promise<void>;
  /** Sets the protocol version that was agreed on in the handshake. */
  agreeOn(version: string): void;
  /** Cancels a request that has no answer yet. */
  cancel(id: RequestId): void;
  /** Ends the connection and the server, and returns the processes that could not be ended. */
  close(): Promise<readonly Survivor[]>;
  /** Returns the end of the server's output to stderr; empty over HTTP. */
  stderrTail(): string;
  /**
   * Returns the skipped log output from the server's stdout; `undefined` if there is none, as is always the case over
   * HTTP.
   */
  logged(): LoggedLines | undefined;
}
