import { canonicalize } from "@agentprint/canonical-json";
import { ITEMS } from "@agentprint/mcp";
import type { StatedDefinitions, StatedItem, StatedSet } from "./statement.ts";

type Sessions = StatedDefinitions["sessions"];

/**
 * Describes where definitions differ in the sessions that were found: either the sessions that are not stated, or each
 * differing set and item.
 *
 * @param found Only its sessions are compared, because a session that is only stated was not visited
 */
export function differences(stated: StatedDefinitions, found: StatedDefinitions): string[] {
  const versionIn = new Map(stated.sessions.map(({ session, protocolVersion }) => [session, protocolVersion]));
  const unstated = found.sessions.filter(({ session }) => !versionIn.has(session));
  if (unstated.length > 0) return unstated.map(({ session }) => `session ${session}`);
  const versions = found.sessions
    .filter(({ session, protocolVersion }) => versionIn.get(session) !== protocolVersion)
    .map(({ session }) => `protocol version of ${session}`);
  const sets = differentSets(stated.sets, found.sets, found.sessions) ? ["set hashes"] : [];
  const items = Object.values(ITEMS).flatMap(({ list, words }) =>
    differentNames(stated[list], found[list], found.sessions).map((name) => `${words} ${name}`),
  );
  return [...versions, ...sets, ...items];
}

/** Returns whether any of the sessions has different set hashes. */
export function differentSets(stated: readonly StatedSet[], found: readonly StatedSet[], sessions: Sessions): boolean {
  return sessions.some(({ session }) => textsIn(stated, session).join() !== textsIn(found, session).join());
}

/** Returns the names of the items that differ in any of the sessions. */
function differentNames(stated: readonly StatedItem[], found: readonly StatedItem[], sessions: Sessions): string[] {
  const names = new Set<string>();
  for (const { session } of sessions) {
    const [was, is] = [namesIn(stated, session), namesIn(found, session)];
    for (const [text, name] of [...was, ...is]) if (!(was.has(text) && is.has(text))) names.add(name);
  }
  return [...names];
}

/** Maps the text of each item in a session to its name. */
function namesIn(items: readonly StatedItem[], session: string): Map<string, string> {
  return new Map(items.filter(isIn(session)).map((item) => [textOf(item), item.name]));
}

function textsIn(parts: readonly StatedSet[], session: string): string[] {
  return parts.filter(isIn(session)).map(textOf);
}

function isIn(session: string): (part: StatedItem | StatedSet) => boolean {
  return ({ seenBy }) => seenBy === undefined || seenBy.includes(session);
}

/** Returns a part's text without the sessions that see it. */
function textOf({ seenBy: _seenBy, ...part }: StatedItem | StatedSet): string {
  return canonicalize(part);
}
