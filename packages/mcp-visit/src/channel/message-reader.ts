import { LineBuffer, splitLines } from "@agentprint/canonical-json";
import { ByteBudget } from "./byte-budget.ts";
import type { ChannelEvents } from "./channel.ts";
import { parseMessage } from "./parse-message.ts";

const CARRIAGE_RETURN = 0x0d;

/**
 * Reads the output of a server over stdio: its bytes are counted, and each line is parsed strictly.
 *
 * @example
 * ```ts
 * import { MessageReader } from "@agentprint/mcp-visit";
 *
 * const reader = new MessageReader(1000);
 * const methods: unknown[] = [];
 * for (const text of ['{"jsonrpc":"2.0","method":"ping","id":1}\n{"jsonrpc":"2.0",', '"method":"pong"}\n']) {
 *   reader.push(new TextEncoder().encode(text), (message) => methods.push("method" in message && message.method));
 * }
 * console.log(methods.join()); // ping,pong
 * ```
 */
export class MessageReader {
  readonly #budget: ByteBudget;
  readonly #lines = new LineBuffer();

  /** @param maxBytes The bytes that the server may send in all */
  constructor(maxBytes: number) {
    this.#budget = new ByteBudget(maxBytes);
  }

  /**
   * Reads more bytes, and passes each message on whose line they end.
   *
   * @throws {@link VisitError} `server-limit` when there are more bytes than allowed, `server-garbage` when a line is no message.
   */
  push(bytes: Uint8Array, onMessage: ChannelEvents["message"]): void {
    this.#budget.spend(bytes.length);
    const block = this.#lines.push(bytes);
    if (block === undefined) return;
    for (const line of splitLines(block)) {
      // A line may end with a carriage return; an empty line is no message.
      const text = line.at(-1) === CARRIAGE_RETURN ? line.subarray(0, -1) : line;
      if (text.length > 0) onMessage(parseMessage(text));
    }
  }
}
