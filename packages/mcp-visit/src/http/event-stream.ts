import { EventStreamReader } from "@agentprint/mcp/event-stream";
import type { ByteBudget } from "../channel/byte-budget.ts";
import { VisitError } from "../errors.ts";
import { chunksOf } from "./http-client.ts";

/** The position at which a broken stream is continued, and the delay before that. */
export interface StreamPosition {
  /** The id of the last event; absent if no event had one. */
  lastEventId?: string;
  /** The delay that the server requests before the client reconnects, in milliseconds. */
  retry?: number;
}

/**
 * Reads a stream of server-sent events to its end and notes its position.
 *
 * @param onEvent - Called with the type of each event that has data (`message` if the event has no type), and the data.
 */
export async function readEvents(
  response: Response,
  budget: ByteBudget,
  position: StreamPosition,
  onEvent: (type: string, data: string) => void,
): Promise<void> {
  // The budget already limits the bytes.
  const reader = new EventStreamReader({ maxBytes: Number.POSITIVE_INFINITY });
  for await (const chunk of chunksOf(response, budget)) {
    for (const { type, data, id, retry } of reader.push(chunk)) {
      if (retry !== undefined) position.retry = Number(retry);
      if (data === undefined) continue;
      if (id !== undefined) position.lastEventId = id;
      if (data.length > 0) onEvent(type, decode(data));
    }
  }
}

function decode(data: Uint8Array): string {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(data);
  } catch {
    throw new VisitError("server-garbage", "the server sent an event stream that is not UTF-8", {
      expected: "server-sent events in UTF-8",
    });
  }
}
