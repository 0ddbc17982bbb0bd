import { createParser, type EventSourceMessage } from "eventsource-parser";
import { ResetNewsSchema, StartNewsSchema, VersionNewsSchema } from "./answers/answer-schemas.ts";
import { RegistryClientError } from "./errors.ts";
import { checked } from "./names.ts";
import { MAX_ANSWER_BYTES, readJson } from "./read-body.ts";
import type { RegistryEvent } from "./registry-client.ts";

/** Three times a registry's longest silence. */
const SILENCE_MS = 45_000;

/** Yields the events of a stream, until it ends, breaks, or is silent for too long; then `ending` is aborted. */
export async function* eventsOf(response: Response, ending: AbortController): AsyncGenerator<RegistryEvent, void> {
  for await (const message of messagesOf(response, ending)) yield eventOf(message);
}

/** Yields the messages of a stream, until it ends, breaks, or is silent for too long. */
async function* messagesOf(response: Response, ending: AbortController): AsyncGenerator<EventSourceMessage, void> {
  if (!/^text\/event-stream\b/.test(response.headers.get("content-type") ?? "")) {
    throw new RegistryClientError("invalid-answer", "expected a stream of events from the registry");
  }
  const messages: EventSourceMessage[] = [];
  const parser = createParser({ onEvent: (message) => void messages.push(message) });
  /** Bytes since the last event. */
  let unread = 0;
  const decoder = new TextDecoder();
  const silence = setTimeout(() => ending.abort(), SILENCE_MS);
  try {
    for await (const chunk of chunksOf(response, ending.signal)) {
      silence.refresh();
      parser.feed(decoder.decode(chunk, { stream: true }));
      // Comments count as well: in a stream without events, they reach the limit only after more than a year.
      unread = messages.length > 0 ? 0 : unread + chunk.length;
      if (unread > MAX_ANSWER_BYTES) {
        throw new RegistryClientError("invalid-answer", `expected events of at most ${MAX_ANSWER_BYTES} bytes`);
      }
      yield* messages.splice(0);
    }
  } finally {
    clearTimeout(silence);
  }
}

/** Yields the parts of a body until it ends, breaks off, or `ending` is aborted. */
async function* chunksOf({ body }: Response, ending: AbortSignal): AsyncGenerator<Uint8Array, void> {
  const reader = body?.getReader();
  ending.addEventListener("abort", () => void reader?.cancel().catch(() => {}));
  for (;;) {
    const part = await reader?.read().catch(() => undefined);
    if (!part || part.done) return;
    yield part.value;
  }
}

function eventOf({ event, id = "", data }: EventSourceMessage): RegistryEvent {
  const news = readJson(data);
  switch (event) {
    case "start":
      return { event, id, news: checked(StartNewsSchema, news) };
    case "version":
    case "breaking":
      return { event, id, news: checked(VersionNewsSchema, news) };
    case "reset":
      return { event, id, news: checked(ResetNewsSchema, news) };
    default:
      throw new RegistryClientError("invalid-answer", `expected an event of a registry, received ${event}`);
  }
}
