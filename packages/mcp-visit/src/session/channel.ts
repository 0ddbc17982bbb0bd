import type { VisitError } from "../errors.ts";
import type { Survivor } from "../process/survivor.ts";
import type { RpcId, RpcMessage } from "./rpc-message.ts";

/** What a channel tells the session that uses it. */
export interface ChannelEvents {
  message(message: RpcMessage): void;
  /** The channel can no longer be used. */
  failure(error: VisitError): void;
}

/** A way on which messages go to a server and come from it: a process, or a URL. */
export interface Channel {
  /** Starts the process; nothing is sent yet. */
  open(events: ChannelEvents): Promise<void>;
  /**
   * Hands a message over. Over HTTP it rejects when the server refuses the message, or ends its response without an
   * answer to a request.
   */
  send(message: RpcMessage, headers?: Readonly<Record<string, string>>): Promise<void>;
  /** Opens the stream on which a server of the handshake versions tells what it was not asked, where there is one. */
  listen(): Promise<void>;
  /** Tells the channel the version that the handshake agreed on. */
  agreeOn(version: string): void;
  /** Takes back a request that is still open. */
  cancel(id: RpcId): void;
  /** Leaves the server, and says which of its processes could not be ended. */
  close(): Promise<readonly Survivor[]>;
  /** What the server last wrote to stderr; empty over HTTP. */
  stderrTail(): string;
}
