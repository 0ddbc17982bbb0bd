import type { JsonObject, JsonValue } from "@agentprint/canonical-json/json-value";

/**
 * A message in the form that a transport uses: JSON text, its UTF-8 bytes or, within a process, the parsed value. Bytes
 * and text are read strictly; a parsed value is used unchanged, because its text is lost.
 */
export type Message = string | Uint8Array | JsonObject | JsonValue[];

/** A message that a transport must write now. */
export interface Outgoing {
  /**
   * The form to write: the original text, bytes or value or, if the guard created the message, text (a value if the
   * transport passed a value).
   */
  readonly message: Message;
  /** The parsed message. */
  readonly value: JsonObject | JsonValue[];
  /** `guard` if the guard created or changed the message. */
  readonly origin: "forwarded" | "guard";
  /**
   * For a request by the guard, the id of the client's request that waits for it. A transport sends it with the headers
   * of the client's request.
   */
  readonly because?: string | number;
}

/**
 * The outcome for one message, and the messages to write.
 *
 * - `forward`: the message continues unchanged.
 * - `replace`: the message continues with changes.
 * - `answer`: the message does not continue; if it was a request, the guard answers it.
 * - `hold`: the message waits for another message, and is part of a later step.
 */
export interface Step {
  readonly action: "forward" | "replace" | "answer" | "hold";
  /** In this order. */
  readonly toServer: readonly Outgoing[];
  /** In this order. */
  readonly toClient: readonly Outgoing[];
}
