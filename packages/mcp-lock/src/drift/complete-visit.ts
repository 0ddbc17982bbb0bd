import { isSameJson, type JsonValue } from "@agentprint/canonical-json";
import { type Era, eraOfSession, type ItemKind, type SessionName, type View } from "@agentprint/mcp";
import type { LockedItem, LockedServer, LockedSession, LockedTool } from "../lock/lock.ts";
import { sealServer } from "../lock/lock-server.ts";
import { byName, groupSessions, identityOf, type SessionState, sessionState } from "../lock/session-state.ts";
import { nearestSession } from "./nearest-session.ts";

/**
 * Completes a visit that did not cover every view and era of the locked entry. In a session that was not visited, each
 * item and part is assumed to have changed as in the nearest visited session if it is equal in both sessions of the
 * lock; otherwise, it is assumed to be as in the lock. `approve` visits all views and eras, so a wrong assumption shows
 * up there as a different digest.
 *
 * @param eras - The eras that were requested. An era that was requested but did not answer no longer exists in any
 * view.
 */
export function completeVisit(locked: LockedServer, visited: LockedServer, eras: readonly Era[]): LockedServer {
  const states = visited.sessions.map((session) => sessionState(visited, session));
  const assumed = unasked(locked, visited, eras).flatMap((name) => assume(name, locked, states));
  if (assumed.length === 0) return visited;
  return sealServer({ ...visited, ...groupSessions([...states, ...assumed]) });
}

/** Returns the sessions that are missing because the visit did not cover every view and era of the locked entry. */
function unasked(locked: LockedServer, visited: LockedServer, eras: readonly Era[]): SessionName[] {
  const namesOf = ({ sessions }: LockedServer) => sessions.map(({ session }) => session);
  const [before, after] = [namesOf(locked), namesOf(visited)];
  const viewOf = (name: SessionName) => name.split("/")[1] as View;
  const [asked, answered] = [new Set(after.map(viewOf)), new Set(after.map(eraOfSession))];
  const otherViews = [...new Set(before.map(viewOf))].filter((view) => !asked.has(view));
  return [
    ...[...answered].flatMap((era) => otherViews.map((view): SessionName => `${era}/${view}`)),
    ...before.filter((name) => !eras.includes(eraOfSession(name))),
  ];
}

function assume(name: SessionName, locked: LockedServer, visited: readonly SessionState[]): SessionState[] {
  const before = locked.sessions.find(({ session }) => session === name);
  const nearest = visited.find(({ session }) => session === nearestSession(name, visited));
  if (nearest === undefined) return [];
  // A session that is not in the lock has no locked state, so the nearest session stands for it.
  if (before === undefined) return [{ ...nearest, session: name }];
  const ownBefore = sessionState(locked, before);
  const nearestLocked = locked.sessions.find(({ session }) => session === nearest.session);
  if (nearestLocked === undefined) return [ownBefore];
  const nearestBefore = sessionState(locked, nearestLocked);
  const items = <T extends LockedTool | LockedItem>(kind: ItemKind, of: (state: SessionState) => readonly T[]): T[] =>
    followItems(kind, of(ownBefore), of(nearestBefore), of(nearest));
  return [
    {
      ...follow<LockedSession>(before, nearestLocked, nearest),
      session: name,
      parts: follow(ownBefore.parts, nearestBefore.parts, nearest.parts),
      tools: items("tool", (state) => state.tools),
      prompts: items("prompt", (state) => state.prompts),
      resources: items("resource", (state) => state.resources),
      resourceTemplates: items("resourceTemplate", (state) => state.resourceTemplates),
      contents: items("content", (state) => state.contents),
    },
  ];
}

function followItems<T extends LockedTool | LockedItem>(
  kind: ItemKind,
  ownBefore: readonly T[],
  nearestBefore: readonly T[],
  nearestAfter: readonly T[],
): T[] {
  const [own, nearest] = [byName(kind, ownBefore), byName(kind, nearestBefore)];
  const after = byName(kind, nearestAfter);
  const identity = (item: T | undefined) => item && identityOf(item);
  return [...new Set([...own.keys(), ...after.keys()])].flatMap((name) => {
    const isAlike = identity(own.get(name)) === identity(nearest.get(name));
    const item = (isAlike ? after : own).get(name);
    return item === undefined ? [] : [item];
  });
}

/** Returns the members of a state, each as in the nearest visited session if both sessions of the lock have it alike. */
function follow<T extends object>(ownBefore: T, nearestBefore: T, nearestAfter: T): T {
  const names = [...new Set([...Object.keys(ownBefore), ...Object.keys(nearestAfter)])] as (keyof T)[];
  const followed = names.flatMap((name) => {
    // A member that the server did not send counts as `null`.
    const [own, nearest] = [ownBefore[name] ?? null, nearestBefore[name] ?? null] as [JsonValue, JsonValue];
    const value = (isSameJson(own, nearest) ? nearestAfter : ownBefore)[name];
    return value === undefined ? [] : [[name, value]];
  });
  return Object.fromEntries(followed);
}
