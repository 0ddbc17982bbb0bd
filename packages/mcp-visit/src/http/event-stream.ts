import { createParser } from "eventsource-parser";
import { VisitError } from "../errors.ts";
import type { ByteBudget } from "../session/byte-budget.ts";
import { chunksOf } from "./http-client.ts";

/** The position and the delay with which a broken stream is continued. */
export interface StreamPosition {
  /** Id of the last event; absent when no event had one. */
  lastEventId?: string;
  /** The delay that the server requests before the client reconnects, in milliseconds. */
  retry?: number;
}

/**
 * Reads a stream of server-sent events to its end and notes its position.
 *
 * @param onEvent - Is called with the type of each event that has data (`message` where it names none), and the data.
 */
export async function readEvents(
  response: Response,
  budget: ByteBudget,
  position: StreamPosition,
  onEvent: (type: string, data: string) => void,
): Promise<void> {
  const decoder = new TextDecoder("utf-8", { fatal: true });
  const parser = createParser({
    onEvent: ({ id, event, data }) => {
      if (id !== undefined) position.lastEventId = id;
      if (data !== "") onEvent(event ?? "message", data);
    },
    onRetry: (retry) => {
      position.retry = retry;
    },
  });
  for await (const chunk of chunksOf(response, budget)) parser.feed(decode(decoder, chunk));
}

function decode(decoder: InstanceType<typeof TextDecoder>, chunk: Uint8Array): string {
  try {
    return decoder.decode(chunk, { stream: true });
  } catch {
    throw new VisitError("server-garbage", "the server sent an event stream that is not UTF-8", {
      expected: "server-sent events in UTF-8",
    });
  }
}
