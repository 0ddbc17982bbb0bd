import type { JsonValue } from "@agentprint/canonical-json";
import type { ServerPart } from "./drift.ts";
import type { LockedItem, LockedServer, LockedServerV1, LockedTool } from "./lock.ts";
import { sealServer, seenBy } from "./lock-visit.ts";
import type { Era, SessionName, View } from "./visit-answers.ts";

/** What one session was told, in the form in which two states of a server are compared. */
export interface ComparedState {
  readonly parts: Readonly<Partial<Record<ServerPart, JsonValue>>>;
  readonly tools: readonly LockedTool[];
  readonly prompts: readonly LockedItem[];
  readonly resources: readonly LockedItem[];
  readonly resourceTemplates: readonly LockedItem[];
  readonly contents: readonly LockedItem[];
}

/** What an entry of version 1 was told in its one session. */
export function stateOfV1(entry: LockedServerV1): ComparedState {
  const { launch, clientCapabilities, protocolVersion, serverInfo, capabilities, instructions } = entry;
  const said = { launch, clientCapabilities, protocolVersion, serverInfo, capabilities };
  return { ...entry, parts: { ...said, ...(instructions !== undefined && { instructions }) }, contents: [] };
}

/** What one session of an entry was told. */
export function stateOfSession(entry: LockedServer, session: SessionName): ComparedState {
  const own = <T extends { readonly seenBy?: readonly SessionName[] }>(things: readonly T[]): T[] =>
    things.filter((thing) => thing.seenBy?.includes(session) ?? true);
  const spoken = entry.sessions.find((each) => each.session === session);
  return {
    parts: {
      ...(spoken && { protocolVersion: spoken.protocolVersion }),
      ...(spoken?.supportedVersions !== undefined && { supportedVersions: spoken.supportedVersions }),
      ...Object.fromEntries(own(entry.parts).map(({ part, value }) => [part, value])),
    },
    tools: own(entry.tools),
    prompts: own(entry.prompts),
    resources: own(entry.resources),
    resourceTemplates: own(entry.resourceTemplates),
    contents: own(entry.contents),
  };
}

/** The entry as if the server had been pinned only in these views and eras. */
export function restrictServer(entry: LockedServer, views: ReadonlySet<View>, eras: ReadonlySet<Era>): LockedServer {
  const sessions = entry.sessions.filter(({ session }) => {
    const [era, view] = session.split("/") as [Era, View];
    return eras.has(era) && views.has(view);
  });
  if (sessions.length === entry.sessions.length) return entry;
  const names = new Set(sessions.map(({ session }) => session));
  const kept = <T extends { readonly seenBy?: readonly SessionName[] }>(things: readonly T[]): T[] =>
    things.flatMap((thing) => {
      const { seenBy: seen, ...rest } = thing;
      const left = seen === undefined ? [...names] : seen.filter((session) => names.has(session));
      return left.length === 0 ? [] : [{ ...rest, ...seenBy(left, sessions) } as T];
    });
  const { toolsDigest: _toolsDigest, digest: _digest, ...unsealed } = entry;
  return sealServer({
    ...unsealed,
    sessions,
    parts: kept(entry.parts),
    tools: kept(entry.tools),
    prompts: kept(entry.prompts),
    resources: kept(entry.resources),
    resourceTemplates: kept(entry.resourceTemplates),
    contents: kept(entry.contents),
  });
}

/** The entry of version 1 as version 2 would have written it: one session with the handshake, as a bare client. */
export function upgradeEntry(entry: LockedServerV1): LockedServer {
  const { name, launch, clientCapabilities, protocolVersion, serverInfo, capabilities, instructions } = entry;
  return sealServer({
    name,
    launch,
    client: "bare",
    clientCapabilities,
    sessions: [{ session: "legacy/bare", protocolVersion }],
    parts: [
      { part: "capabilities", value: capabilities },
      ...(instructions === undefined ? [] : [{ part: "instructions", value: instructions } as const]),
      { part: "serverInfo", value: serverInfo },
    ],
    tools: entry.tools,
    prompts: entry.prompts,
    resources: entry.resources,
    resourceTemplates: entry.resourceTemplates,
    contents: [],
  });
}
