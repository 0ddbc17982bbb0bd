import type { JsonObject } from "@agentprint/canonical-json";
import type { Era } from "@agentprint/mcp";
import type { AnswerServer } from "./client-answers.ts";

export interface SessionOptions {
  readonly era: Era;
  readonly clientInfo: JsonObject;
  readonly capabilities: JsonObject;
  /** Answers the requests of the server. */
  readonly answer: AnswerServer;
  /** Is called with every notification. */
  readonly onNotification?: (method: string, params: JsonObject) => void;
  /** Is called with a sentence about what the protocol does not allow and the official clients take. */
  readonly onNote?: (sentence: string) => void;
  /** Is called with the reason why a stricter reader of messages, such as the guard, refuses one that is taken here. */
  readonly onFault?: (reason: string) => void;
}

export interface RequestOptions {
  /** In milliseconds. */
  readonly timeout: number;
  /** The action of the server, as an error names it. */
  readonly doing?: string;
  /** The setting that raises the timeout. */
  readonly setting?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /**
   * Asked when the time has passed: the request fails once this has an answer, unless its own came before. A busy machine delays both
   * answers, and a server that is silent only one.
   */
  readonly unless?: () => Promise<void>;
  /** Sends the parameters as they are, without the members that each request of the era carries. */
  readonly raw?: boolean;
}
