import { compareCodeUnits, type JsonValue } from "@agentprint/canonical-json";
import { type ItemKind, itemName, type SessionName } from "@agentprint/mcp";
import { hashDefinition } from "../hash-definition.ts";
import { numbersKey } from "../visit/item-numbers.ts";
import type { SaidPart, SaidParts } from "../visit/read-session.ts";
import type { LockedContent, LockedItem, LockedPart, LockedServer, LockedSession, LockedTool } from "./lock.ts";

/** The definitions of one session, with digests. Each list has each name only once. */
export interface SessionState extends LockedSession {
  readonly parts: SaidParts;
  readonly tools: readonly LockedTool[];
  readonly prompts: readonly LockedItem[];
  readonly resources: readonly LockedItem[];
  readonly resourceTemplates: readonly LockedItem[];
  readonly contents: readonly LockedContent[];
}

type GroupedSessions = Pick<
  LockedServer,
  "sessions" | "parts" | "tools" | "prompts" | "resources" | "resourceTemplates" | "contents"
>;

/** Returns each definition in the sessions once, with the sessions that received it, in a lock's order. */
export function groupSessions(states: readonly SessionState[]): GroupedSessions {
  const sorted = [...states].sort((a, b) => compareCodeUnits(a.session, b.session));
  return {
    sessions: sorted.map(({ session, protocolVersion, supportedVersions, unread }) => ({
      session,
      protocolVersion,
      ...(supportedVersions !== undefined && { supportedVersions }),
      ...(unread && { unread }),
    })),
    parts: groupParts(sorted),
    tools: groupItems("tool", sorted, (state) => state.tools),
    prompts: groupItems("prompt", sorted, (state) => state.prompts),
    resources: groupItems("resource", sorted, (state) => state.resources),
    resourceTemplates: groupItems("resourceTemplate", sorted, (state) => state.resourceTemplates),
    contents: groupItems("content", sorted, (state) => state.contents),
  };
}

/** Returns the state of one of an entry's sessions. */
export function sessionState(
  entry: Pick<LockedServer, keyof GroupedSessions>,
  { session, ...spoken }: LockedSession,
): SessionState {
  const own = <T extends { readonly seenBy?: readonly SessionName[] }>(things: readonly T[]) => {
    // In most entries, every session has all definitions.
    if (things.every(({ seenBy }) => seenBy === undefined)) return things;
    return things.flatMap(({ seenBy, ...thing }) => ((seenBy?.includes(session) ?? true) ? [thing] : []));
  };
  return {
    session,
    ...spoken,
    parts: Object.fromEntries(own(entry.parts).map(({ part, value }) => [part, value])),
    tools: own(entry.tools),
    prompts: own(entry.prompts),
    resources: own(entry.resources),
    resourceTemplates: own(entry.resourceTemplates),
    contents: own(entry.contents),
  };
}

function groupParts(states: readonly SessionState[]): LockedPart[] {
  const variants = new Map<string, { part: SaidPart; value: JsonValue; seen: SessionName[] }>();
  for (const { session, parts } of states) {
    for (const [part, value] of Object.entries(parts) as [SaidPart, JsonValue][]) {
      const key = `${part} ${hashDefinition(value, [session, part])}`;
      const variant = variants.get(key) ?? { part, value, seen: [] };
      variant.seen.push(session);
      variants.set(key, variant);
    }
  }
  return [...variants]
    .sort(([a], [b]) => compareCodeUnits(a, b))
    .map(([, { part, value, seen }]) => ({ part, value, ...seenBy(seen, states) }));
}

function groupItems<T extends LockedTool | LockedItem>(
  kind: ItemKind,
  states: readonly SessionState[],
  itemsOf: (state: SessionState) => readonly T[],
): T[] {
  const variants = new Map<string, { name: string; digest: string; item: T; seen: SessionName[] }>();
  for (const state of states) {
    for (const item of itemsOf(state)) {
      const name = itemName(kind, item.definition);
      const digest = identityOf(item);
      const variant = variants.get(`${digest} ${name}`) ?? { name, digest, item, seen: [] };
      variant.seen.push(state.session);
      variants.set(`${digest} ${name}`, variant);
    }
  }
  return [...variants.values()]
    .sort((a, b) => compareCodeUnits(a.name, b.name) || compareCodeUnits(a.digest, b.digest))
    .map(({ item, seen }) => ({ ...item, ...seenBy(seen, states) }));
}

/** Returns the digest of an item's definition. */
export function digestOf(item: LockedTool | LockedItem): string {
  return "digest" in item ? item.digest : item.digests.wire;
}

/**
 * Returns a text that is the same for items with equal digests and number texts, and by which items with the same name
 * are sorted.
 */
export function identityOf(item: LockedTool | LockedItem): string {
  return digestOf(item) + numbersKey(item.numbers);
}

/** Returns the items of one kind, by name. */
export function byName<T extends LockedTool | LockedItem>(kind: ItemKind, items: readonly T[]): Map<string, T> {
  return new Map(items.map((item) => [itemName(kind, item.definition), item]));
}

/** Returns an object with `seenBy`, or an empty one if all sessions received the value. */
function seenBy(seen: readonly SessionName[], all: readonly unknown[]): { seenBy?: readonly SessionName[] } {
  return seen.length === all.length ? {} : { seenBy: seen };
}
