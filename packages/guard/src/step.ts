import type { JsonObject, JsonValue } from "@agentprint/canonical-json/json-value";

/**
 * A transport's form of a message: JSON text, its UTF-8 bytes, or, inside a process, the parsed value. Bytes and text
 * are read strictly; a parsed value is used unchanged, because its text is lost.
 */
export type Message = string | Uint8Array | JsonObject | JsonValue[];

/** A message that a transport writes now. */
export interface Outgoing {
  /**
   * The form to write: the original text, bytes or value or, if the guard made the message, text (a value if the
   * transport passed a value).
   */
  readonly message: Message;
  /** The parsed message. */
  readonly value: JsonObject | JsonValue[];
  /** `guard` if the guard made or changed the message. */
  readonly origin: "forwarded" | "guard";
  /**
   * For a request of the guard: the id of the client's request that waits for it. A transport sends it with the headers
   * of that request.
   */
  readonly because?: string | number;
}

/**
 * The outcome for one message, and the messages to write.
 *
 * - `forward`: it continues unchanged.
 * - `replace`: it continues changed.
 * - `answer`: it does not continue; if it was a request, the guard answers it.
 * - `hold`: it waits for another message, and is part of a later step.
 */
export interface Step {
  readonly action: "forward" | "replace" | "answer" | "hold";
  /** In this order. */
  readonly toServer: readonly Outgoing[];
  /** In this order. */
  readonly toClient: readonly Outgoing[];
}
