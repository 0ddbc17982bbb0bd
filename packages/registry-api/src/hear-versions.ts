import type { Connection } from "./connection.ts";
import { RegistryClientError } from "./errors.ts";
import { eventsOf } from "./event-messages.ts";
import { HeardVersions, namedIn } from "./heard-versions.ts";
import { GENERATION, readHeard, writeHeard } from "./memory.ts";
import { agentPath } from "./names.ts";
import { Outage } from "./outage.ts";
import type { HearOptions, RegistryClient, RegistryEvent } from "./registry-client.ts";
import { checkUnknown, followVersion, recall, rememberVersion } from "./remember-version.ts";
import { openStream } from "./request.ts";

type Reader = Pick<RegistryClient, "readAgent">;

/**
 * Yields the events of agents. A stream begins after `lastEventId`, or after the last event that was heard according to
 * the memory. Whenever the stream is lost, it is opened again after its last event, however long the registry does not
 * answer.
 */
export async function* hearVersions(
  reader: Reader,
  connection: Connection,
  agentIds: readonly string[],
  { lastEventId, onWait }: HearOptions,
): AsyncGenerator<RegistryEvent, void> {
  const { signal } = connection;
  // Every id was checked, so none has a character that must be escaped in a query.
  const path = `events?${agentIds.map((id) => agentPath(id).replace("agents/", "agent=")).join("&")}`;
  const heard = new HeardVersions(agentIds);
  const outage = new Outage(connection, onWait);
  let last = lastEventId;
  let isOwnStart: boolean | undefined;
  let isStarted = false;
  while (!signal?.aborted) {
    const ending = new AbortController();
    const end = (): void => ending.abort();
    signal?.addEventListener("abort", end);
    try {
      last ??= await rememberedStart(reader, connection, agentIds);
      isOwnStart ??= last === undefined;
      const headers = { accept: "text/event-stream", ...(last !== undefined && { "last-event-id": last }) };
      const response = await openStream(connection, { method: "GET", path, headers }, ending);
      for await (const event of eventsOf(response, ending)) {
        const isAgain = event.event === "start" && isStarted;
        heard.check(event, isOwnStart);
        if (!isAgain) await compare(reader, connection, event, last);
        outage.end();
        heard.advance(event, isOwnStart);
        if (isAgain) continue;
        last = event.id;
        isStarted = true;
        yield event;
        // The reader asks for the next event, so it has taken this one.
        await keep(connection, event);
      }
      await outage.pause();
    } catch (error) {
      if (!signal?.aborted) await outage.wait(error, isStarted);
    } finally {
      signal?.removeEventListener("abort", end);
      end();
    }
  }
}

/**
 * Returns where a stream with a memory begins: after the heard versions, and at the current versions of agents that are
 * not remembered.
 */
async function rememberedStart(
  reader: Reader,
  { memory, base }: Connection,
  agentIds: readonly string[],
): Promise<string | undefined> {
  if (!memory) return undefined;
  const heard = await readHeard(memory, base);
  if (!agentIds.some((agentId) => heard.has(agentId))) return undefined;
  const cursor = new URLSearchParams();
  const generation = heard.get(GENERATION);
  for (const agentId of new Set(agentIds)) {
    cursor.set(agentId, String(heard.get(agentId) ?? (await presentVersion(reader, agentId))));
  }
  if (generation !== undefined) cursor.set(GENERATION, String(generation));
  return cursor.toString();
}

/** Returns the current version of an agent; 0 if there is no such agent. */
async function presentVersion(reader: Reader, agentId: string): Promise<number> {
  try {
    return (await reader.readAgent(agentId)).capability_manifest_version;
  } catch (error) {
    if (error instanceof RegistryClientError && error.problem?.code === "AGENT_NOT_FOUND") return 0;
    throw error;
  }
}

/** Compares an event with the client's memory; `last` is the id of the event before it. */
async function compare(
  reader: Reader,
  connection: Connection,
  event: RegistryEvent,
  last: string | undefined,
): Promise<void> {
  if (!connection.memory) return;
  const cursor = new URLSearchParams(last);
  if (event.event === "breaking" || event.event === "version") {
    const heard = Number(cursor.get(event.news.agent_id) ?? 0);
    return followVersion(connection, event.news, heard);
  }
  for (const { agent_id, capability_manifest_version: version } of namedIn(event)) {
    const known = await recall(connection);
    // A stream without an earlier event begins there, even if the agent exists by now.
    const isThere = version > 0 || (cursor.get(agent_id) === "0" && (await presentVersion(reader, agent_id)) > 0);
    if (isThere) await rememberVersion(connection, await reader.readAgent(agent_id), known);
    else checkUnknown(connection, agent_id, known);
  }
}

/** Stores the heard versions in the memory. */
async function keep({ memory, base }: Connection, event: RegistryEvent): Promise<void> {
  if (!memory) return;
  const versions = new Map(namedIn(event).map((one) => [one.agent_id, one.capability_manifest_version]));
  const generation = new URLSearchParams(event.id).get(GENERATION) ?? "";
  if (/^[1-9]\d{0,8}$/.test(generation)) versions.set(GENERATION, Number(generation));
  await writeHeard(memory, base, versions);
}
