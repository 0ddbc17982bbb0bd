import { toPointer } from "@agentprint/canonical-json";
import { McpLockError } from "./errors.ts";
import { digestTool, hashDefinition } from "./fingerprint-tool.ts";
import { ITEMS, type ItemKind, itemName } from "./item-kinds.ts";
import { byCodeUnits } from "./json-object.ts";
import {
  type LockedItem,
  type LockedPart,
  type LockedServer,
  type LockedSession,
  type LockedTool,
  serverCanonicalPayload,
  toolsCanonicalPayload,
} from "./lock.ts";
import type { PlacedItem } from "./read-pages.ts";
import { readSession, type SaidPart, type SessionReadings } from "./read-session.ts";
import { redactLaunch } from "./redact-launch.ts";
import { type SteadySession, steadySession } from "./steady-session.ts";
import { findUnstable, isBelow, memberReadings } from "./unstable-members.ts";
import type { SessionName, VisitAnswers } from "./visit-answers.ts";

/** Which members may have another value each time, by pointers such as `/tools/_meta/requestId`. */
export interface UnstableOptions {
  /** They are left out whether they differed in this visit or not: a lock says so. */
  readonly unstable?: readonly string[];
  /** They are left out if they differed in this visit, and pinned otherwise. */
  readonly allowUnstable?: readonly string[];
}

/**
 * The lock entry of a server that was visited.
 *
 * @throws {McpLockError} `invalid-definition`, `duplicate-name` within one session, `server-unstable`, `unstable-member`
 */
export function lockVisit(name: string, answers: VisitAnswers, options: UnstableOptions = {}): LockedServer {
  const readings = answers.sessions.map(readSession).sort((a, b) => byCodeUnits(a.session, b.session));
  const unstable = unstableMembers(readings, options);
  const sessions = readings.map((session) => steadySession(session, unstable));
  const { launch, client, clientCapabilities } = answers;
  hashDefinition(clientCapabilities, ["clientCapabilities"]);
  return sealServer({
    name,
    launch: redactLaunch(launch),
    client,
    clientCapabilities,
    sessions: sessions.map(lockedSession),
    ...(unstable.length > 0 && { unstable }),
    parts: lockParts(sessions),
    tools: lockItems(
      "tool",
      sessions,
      (definition, wire): LockedTool => ({ definition, digests: digestTool(definition, wire) }),
    ),
    prompts: lockItems("prompt", sessions, lockItem),
    resources: lockItems("resource", sessions, lockItem),
    resourceTemplates: lockItems("resourceTemplate", sessions, lockItem),
    contents: lockItems("content", sessions, lockItem),
  });
}

/** An entry with its two digests. */
export function sealServer(server: Omit<LockedServer, "toolsDigest" | "digest">): LockedServer {
  const entry = { ...server, toolsDigest: hashDefinition(toolsCanonicalPayload(server.tools)) };
  return { ...entry, digest: hashDefinition(serverCanonicalPayload(entry)) };
}

/** `seenBy` where it says something: not all sessions have seen the thing. */
export function seenBy(seen: readonly SessionName[], all: readonly unknown[]): { seenBy?: readonly SessionName[] } {
  return seen.length === all.length ? {} : { seenBy: seen };
}

function unstableMembers(
  sessions: readonly SessionReadings[],
  { unstable = [], allowUnstable = [] }: UnstableOptions,
): string[] {
  const together = new Map<string, unknown[]>();
  for (const members of sessions.map(memberReadings)) {
    for (const [question, values] of members) {
      together.set(question, [...(together.get(question) ?? []), ...values]);
    }
  }
  const differing = findUnstable(together as ReturnType<typeof memberReadings>);
  const allowed = allowUnstable.filter((place) => differing.some((pointer) => isBelow(pointer, [place])));
  return [...new Set([...unstable, ...allowed])].sort(byCodeUnits);
}

function lockedSession({ session, protocolVersion, supportedVersions }: SteadySession): LockedSession {
  return { session, protocolVersion, ...(supportedVersions !== undefined && { supportedVersions }) };
}

function lockParts(sessions: readonly SteadySession[]): LockedPart[] {
  const variants = new Map<string, { part: SaidPart; value: LockedPart["value"]; seen: SessionName[] }>();
  for (const { session, parts } of sessions) {
    for (const [part, value] of Object.entries(parts) as [SaidPart, LockedPart["value"]][]) {
      const key = `${part} ${hashDefinition(value, [session, part])}`;
      const variant = variants.get(key) ?? { part, value, seen: [] };
      variant.seen.push(session);
      variants.set(key, variant);
    }
  }
  return [...variants]
    .sort(([a], [b]) => byCodeUnits(a, b))
    .map(([, { part, value, seen }]) => ({ part, value, ...seenBy(seen, sessions) }));
}

const lockItem = (definition: LockedItem["definition"], digest: string): LockedItem => ({ definition, digest });

/** The items of all sessions, each definition once, sorted by name and by digest. */
function lockItems<T extends LockedTool | LockedItem>(
  kind: ItemKind,
  sessions: readonly SteadySession[],
  lock: (definition: LockedItem["definition"], digest: string) => T,
): T[] {
  const variants = new Map<string, { name: string; digest: string; item: T; seen: SessionName[] }>();
  for (const state of sessions) {
    const names = new Set<string>();
    for (const { definition, place } of itemsOf(state, kind)) {
      const { key } = ITEMS[kind];
      if (typeof definition[key] !== "string") {
        throw new McpLockError("invalid-definition", toPointer(place), `Expected an object with a string as "${key}"`);
      }
      const name = itemName(kind, definition);
      if (names.has(name)) {
        throw new McpLockError("duplicate-name", toPointer([...place, key]), `Another item has the same "${key}"`);
      }
      names.add(name);
      const digest = hashDefinition(definition, place);
      const id = `${digest} ${name}`;
      const variant = variants.get(id) ?? { name, digest, item: lock(definition, digest), seen: [] };
      variant.seen.push(state.session);
      variants.set(id, variant);
    }
  }
  return [...variants.values()]
    .sort((a, b) => byCodeUnits(a.name, b.name) || byCodeUnits(a.digest, b.digest))
    .map(({ item, seen }) => ({ ...item, ...seenBy(seen, sessions) }));
}

function itemsOf(state: SteadySession, kind: ItemKind): readonly PlacedItem[] {
  if (kind !== "content") return state.lists[ITEMS[kind].list]?.items ?? [];
  return state.contents.map((definition, index) => ({ definition, place: ["contents", index] }));
}
