import { LineBuffer, printable, splitLines } from "@agentprint/canonical-json";
import { isLogLine, type RpcMessage } from "@agentprint/mcp";
import { VisitError } from "../errors.ts";
import { MAX_MESSAGE_QUOTED } from "../limits.ts";
import { ByteBudget } from "./byte-budget.ts";
import type { ChannelEvents, LoggedLines } from "./channel.ts";
import { parseMessage } from "./parse-message.ts";

const CARRIAGE_RETURN = 0x0d;

/**
 * Reads a stdio server's output: counts its bytes, and parses each line strictly. Log output is skipped.
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
  #logged: LoggedLines | undefined;

  /** @param maxBytes The maximum number of bytes that the server may send */
  constructor(maxBytes: number) {
    this.#budget = new ByteBudget(maxBytes);
  }

  /** Returns the skipped log output; `undefined` if there was none. */
  get logged(): LoggedLines | undefined {
    return this.#logged;
  }

  /**
   * Reads more bytes, and passes on each message whose line they complete.
   *
   * @throws {@link VisitError} `server-limit` if there are more bytes than allowed; `server-garbage` if a line is not a
   * message.
   */
  push(bytes: Uint8Array, onMessage: ChannelEvents["message"]): void {
    this.#budget.spend(bytes.length);
    const block = this.#lines.push(bytes);
    if (block === undefined) return;
    for (const line of splitLines(block)) {
      // A line may end with a carriage return; an empty line is not a message.
      const text = line.at(-1) === CARRIAGE_RETURN ? line.subarray(0, -1) : line;
      const message = text.length > 0 ? this.#read(text) : undefined;
      if (message) onMessage(message);
    }
  }

  #read(line: Uint8Array): RpcMessage | undefined {
    try {
      return parseMessage(line);
    } catch (error) {
      if (!(error instanceof VisitError) || error.code !== "server-garbage" || !isLogLine(line)) throw error;
      const first = this.#logged?.first ?? printable(Buffer.from(line).toString(), MAX_MESSAGE_QUOTED);
      this.#logged = { count: (this.#logged?.count ?? 0) + 1, first };
      return undefined;
    }
  }
}
