import type { JsonObject, JsonValue } from "@agentprint/canonical-json/json-value";

/**
 * A message as a transport has it: JSON text, its UTF-8 bytes, or, inside a process, the parsed value. Bytes and text are read strictly;
 * a parsed value is taken as it is, because what its text was cannot be seen any more.
 */
export type Message = string | Uint8Array | JsonObject | JsonValue[];

/** A message that a transport writes now. */
export interface Outgoing {
  /**
   * What is written: the very text, bytes or value that came in, or, where the guard made the message, text (a value where the
   * transport gave a value).
   */
  readonly message: Message;
  /** The same, parsed. */
  readonly value: JsonObject | JsonValue[];
  /** `guard` where the guard made or changed the message. */
  readonly origin: "forwarded" | "guard";
  /**
   * Of a request that the guard itself makes: the id of the client's request that waits for it. A transport sends it with what came with that
   * request, such as its headers.
   */
  readonly because?: string | number;
}

/**
 * What happens with one message, and what is written because of it.
 *
 * - `forward`: it goes on as it came.
 * - `replace`: it goes on changed.
 * - `answer`: it does not go on; where it was a request, the guard answers it.
 * - `hold`: it waits for something, and comes out in a later step.
 */
export interface Step {
  readonly action: "forward" | "replace" | "answer" | "hold";
  /** In this order. */
  readonly toServer: readonly Outgoing[];
  /** In this order. */
  readonly toClient: readonly Outgoing[];
}
