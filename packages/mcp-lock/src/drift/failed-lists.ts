import { isJsonObject } from "@agentprint/canonical-json/json-value";
import { type CheckFailure, LISTS, nameAt, type UnreadList, type VisitAnswers } from "@agentprint/mcp";
import type { LockedServer } from "../lock/lock.ts";
import { sealServer } from "../lock/lock-server.ts";
import { groupSessions, type SessionState, sessionState } from "../lock/session-state.ts";
import type { SaidParts } from "../visit/read-session.ts";
import { nearestSession } from "./nearest-session.ts";

/** The failure code of a server that was compared, except for lists that failed. */
export const LIST_UNREAD = "list-unread";

/** A visit in which lists failed that were readable when the server was pinned. */
interface FailedVisit {
  /** The entry with the failed lists as in the lock, so that they show no change. */
  readonly assumed: LockedServer;
  /** The reason why the lists' current content is unknown. */
  readonly failure: CheckFailure["failure"];
}

/** The kind of content that is read using the names in each list. */
const CONTENTS: Readonly<Partial<Record<UnreadList, string>>> = { prompts: "prompt", resources: "resource" };

/**
 * Returns the visit with its failed lists; `undefined` if no list failed that was readable when the server was pinned.
 */
export function failedLists(
  locked: LockedServer,
  visited: LockedServer,
  { sessions }: VisitAnswers,
): FailedVisit | undefined {
  const reasons = new Map<UnreadList, string>();
  const states = visited.sessions.map((spoken): SessionState => {
    const state = sessionState(visited, spoken);
    const name = nearestSession(spoken.session, locked.sessions);
    const before = locked.sessions.find(({ session }) => session === name);
    const failed = state.unread?.filter((list) => !before?.unread?.includes(list)) ?? [];
    if (before === undefined || failed.length === 0) return state;
    const { unread = {} } = sessions.find(({ era, view }) => spoken.session === `${era}/${view}`) ?? {};
    for (const list of failed) reasons.set(list, unread[list] ?? "");
    return asLocked(state, sessionState(locked, before), failed);
  });
  if (reasons.size === 0) return undefined;
  return {
    assumed: sealServer({ ...visited, ...groupSessions(states) }),
    failure: { code: LIST_UNREAD, message: inWords(reasons) },
  };
}

function inWords(reasons: ReadonlyMap<UnreadList, string>): string {
  const methods = LISTS.filter(({ list }) => reasons.has(list as UnreadList)).map(({ method }) => method);
  const [reason] = reasons.values();
  return `${methods.join(" and ")} succeeded when the server was pinned, but failed now: ${reason}`;
}

/** Returns a session's state, with the given lists as in the lock. */
function asLocked(
  { unread = [], ...state }: SessionState,
  before: SessionState,
  lists: readonly UnreadList[],
): SessionState {
  const left = unread.filter((list) => !lists.includes(list));
  const kinds = lists.map((list) => `${CONTENTS[list]} `);
  const isOfThese = ({ definition }: SessionState["contents"][number]): boolean =>
    kinds.some((kind) => nameAt(definition, "name").startsWith(kind));
  return {
    ...state,
    ...(left.length > 0 && { unread: left }),
    ...Object.fromEntries(lists.map((list) => [list, before[list]])),
    contents: [...state.contents, ...before.contents.filter(isOfThese)],
    parts: partsAsLocked(state.parts, before.parts, lists),
  };
}

function partsAsLocked(now: SaidParts, before: SaidParts, lists: readonly UnreadList[]): SaidParts {
  if (!isJsonObject(before.listMembers)) return now;
  const locked = Object.entries(before.listMembers).filter(([list]) => lists.includes(list as UnreadList));
  const listMembers = { ...(isJsonObject(now.listMembers) && now.listMembers), ...Object.fromEntries(locked) };
  return Object.keys(listMembers).length === 0 ? now : { ...now, listMembers };
}
