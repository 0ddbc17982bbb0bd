import { setTimeout as delay } from "node:timers/promises";
import { createParser, type EventSourceMessage } from "eventsource-parser";
import { ResetNewsSchema, StartNewsSchema, VersionNewsSchema } from "./answers/answer-schemas.ts";
import type { Connection } from "./connection.ts";
import { RegistryClientError } from "./errors.ts";
import { HeardVersions } from "./heard-versions.ts";
import { agentPath, checked } from "./names.ts";
import { MAX_ANSWER_BYTES, readJson } from "./read-body.ts";
import type { HearOptions, RegistryClient, RegistryEvent } from "./registry-client.ts";
import { checkUnknown, rememberVersion } from "./remember-version.ts";
import { openStream } from "./request.ts";

const RECONNECT_MS = 1000;
/** Three times as long as a registry is silent at most. */
const SILENCE_MS = 45_000;

/** The events of agents. A connection that is lost is made anew behind the last event. */
export async function* hearVersions(
  client: Pick<RegistryClient, "readAgent">,
  connection: Connection,
  agentIds: readonly string[],
  { lastEventId }: HearOptions,
): AsyncGenerator<RegistryEvent, void> {
  const heard = new HeardVersions(agentIds);
  // Every id is checked, and none of them has a character that a query has to escape.
  const path = `events?${agentIds.map((id) => agentPath(id).replace("agents/", "agent=")).join("&")}`;
  let last = lastEventId;
  let isStarted = false;
  const { signal } = connection;
  while (!signal?.aborted) {
    const ending = new AbortController();
    const end = (): void => ending.abort();
    signal?.addEventListener("abort", end);
    try {
      const headers = { accept: "text/event-stream", ...(last !== undefined && { "last-event-id": last }) };
      const response = await openStream(connection, { method: "GET", path, headers }, ending.signal);
      for await (const message of messagesOf(response, ending)) {
        const event = eventOf(message);
        heard.check(event, lastEventId === undefined);
        if (event.event === "start" && isStarted) continue;
        await remember(client, connection, event);
        isStarted = true;
        last = event.id;
        yield event;
      }
      await delay(RECONNECT_MS, undefined, { ...(signal && { signal }) });
    } catch (error) {
      if (!signal?.aborted) throw error;
    } finally {
      signal?.removeEventListener("abort", end);
      end();
    }
  }
}

/** Compares what an event says with the memory of the client. */
async function remember(
  client: Pick<RegistryClient, "readAgent">,
  connection: Connection,
  event: RegistryEvent,
): Promise<void> {
  if (!connection.memory) return;
  if (event.event === "reset") await rememberVersion(connection, await client.readAgent(event.news.agent_id));
  else if (event.event !== "start") await rememberVersion(connection, event.news);
  else {
    for (const { agent_id, capability_manifest_version: version } of event.news.versions) {
      if (version > 0) await rememberVersion(connection, await client.readAgent(agent_id));
      else await checkUnknown(connection, agent_id);
    }
  }
}

/** The messages of a stream, until it ends, breaks, or is silent for too long. */
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
      // Comments count as well: those of a stream without events reach the limit after more than a year.
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

/** The parts of a body until it ends, breaks off, or `ending` is aborted. */
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
