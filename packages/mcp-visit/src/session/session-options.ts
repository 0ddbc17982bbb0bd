import type { JsonObject } from "@agentprint/canonical-json";
import type { Era } from "@agentprint/mcp";
import type { AnswerServer } from "./client-answers.ts";

export interface SessionOptions {
  readonly era: Era;
  readonly clientInfo: JsonObject;
  readonly capabilities: JsonObject;
  /** Answers the server's requests. */
  readonly answer: AnswerServer;
  /** Called with every notification. */
  readonly onNotification?: (method: string, params: JsonObject) => void;
  /** Called with a sentence about something that the protocol does not allow but the official clients accept. */
  readonly onNote?: (sentence: string) => void;
  /** Called with the reason why a stricter reader, such as the guard, refuses a message accepted here. */
  readonly onFault?: (reason: string) => void;
}

export interface RequestOptions {
  /** In milliseconds. */
  readonly timeout: number;
  /** The server's action, as named in an error. */
  readonly doing?: string;
  /** The setting that raises the timeout. */
  readonly setting?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /**
   * Called when the time has passed. The request fails once the returned promise has settled, unless its own answer
   * arrived first. A busy machine delays both answers; a server that is silent about this request delays only one of
   * them.
   */
  readonly unless?: () => Promise<void>;
  /** Sends the parameters unchanged, without the members that every request in the era carries. */
  readonly raw?: boolean;
}
