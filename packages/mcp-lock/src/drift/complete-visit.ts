import { isSameJson, type JsonValue } from "@agentprint/canonical-json";
import type { LockedItem, LockedServer, LockedTool } from "../lock/lock.ts";
import { sealServer } from "../lock/lock-visit.ts";
import { byName, digestOf, groupSessions, type SessionState, sessionState } from "../lock/session-state.ts";
import type { ItemKind } from "../visit/item-kinds.ts";
import type { SaidParts } from "../visit/read-session.ts";
import type { Era, SessionName, View } from "../visit/visit-answers.ts";
import { nearestSession } from "./nearest-session.ts";

/**
 * The entry that a visit stands for that did not ask in every view and era of the locked one: what a session was told
 * that nobody asked again changed as what the nearest session was told, where both had been told the same, and is as it
 * was elsewhere. `approve` asks in all views and eras, so that an assumption that is wrong gives another digest there.
 *
 * @param eras - the eras that were asked for; one of them that did not answer is gone in every view
 */
export function completeVisit(locked: LockedServer, visited: LockedServer, eras: readonly Era[]): LockedServer {
  const states = visited.sessions.map((session) => sessionState(visited, session));
  const assumed = unasked(locked, visited, eras).flatMap((name) => assume(name, locked, states));
  if (assumed.length === 0) return visited;
  const { toolsDigest: _toolsDigest, digest: _digest, ...entry } = visited;
  return sealServer({ ...entry, ...groupSessions([...states, ...assumed]) });
}

/** The sessions that the entry would have had, had the visit asked in each of its views and eras. */
function unasked(locked: LockedServer, visited: LockedServer, eras: readonly Era[]): SessionName[] {
  const namesOf = ({ sessions }: LockedServer) => sessions.map(({ session }) => session);
  const [before, now] = [namesOf(locked), namesOf(visited)];
  const viewOf = (name: SessionName) => name.split("/")[1] as View;
  const eraOf = (name: SessionName) => name.split("/")[0] as Era;
  const [asked, answered] = [new Set(now.map(viewOf)), new Set(now.map(eraOf))];
  const otherViews = [...new Set(before.map(viewOf))].filter((view) => !asked.has(view));
  return [
    ...[...answered].flatMap((era) => otherViews.map((view): SessionName => `${era}/${view}`)),
    ...before.filter((name) => !eras.includes(eraOf(name))),
  ];
}

function assume(name: SessionName, locked: LockedServer, visited: readonly SessionState[]): SessionState[] {
  const before = locked.sessions.find(({ session }) => session === name);
  const nearest = visited.find(({ session }) => session === nearestSession(name, visited));
  if (nearest === undefined) return [];
  // An era that was not locked has no state of its own to keep.
  if (before === undefined) return [{ ...nearest, session: name }];
  const own = sessionState(locked, before);
  const like = locked.sessions.find(({ session }) => session === nearest.session);
  if (like === undefined) return [own];
  const its = sessionState(locked, like);
  const items = <T extends LockedTool | LockedItem>(kind: ItemKind, of: (state: SessionState) => readonly T[]): T[] =>
    followItems(kind, of(own), of(its), of(nearest));
  return [
    {
      session: name,
      protocolVersion: own.protocolVersion === its.protocolVersion ? nearest.protocolVersion : own.protocolVersion,
      ...followVersions(own, its, nearest),
      parts: followParts(own.parts, its.parts, nearest.parts),
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
  own: readonly T[],
  its: readonly T[],
  now: readonly T[],
): T[] {
  const [ownByName, itsByName, nowByName] = [byName(kind, own), byName(kind, its), byName(kind, now)];
  const digest = (item: T | undefined) => item && digestOf(item);
  return [...new Set([...ownByName.keys(), ...nowByName.keys()])].flatMap((name) => {
    const isAlike = digest(ownByName.get(name)) === digest(itsByName.get(name));
    const item = (isAlike ? nowByName : ownByName).get(name);
    return item === undefined ? [] : [item];
  });
}

function followParts(own: SaidParts, its: SaidParts, now: SaidParts): SaidParts {
  const names = [...new Set([...Object.keys(own), ...Object.keys(now)])] as (keyof SaidParts)[];
  return Object.fromEntries(
    names.flatMap((name) => {
      const value = (isSame(own[name], its[name]) ? now : own)[name];
      return value === undefined ? [] : [[name, value]];
    }),
  );
}

function followVersions(
  own: SessionState,
  its: SessionState,
  now: SessionState,
): Pick<SessionState, "supportedVersions"> {
  const { supportedVersions } = isSame(own.supportedVersions, its.supportedVersions) ? now : own;
  return supportedVersions === undefined ? {} : { supportedVersions };
}

/** Whether two sessions were told the same; a part that a session was not told counts as `null`. */
function isSame(a: JsonValue | undefined, b: JsonValue | undefined): boolean {
  return isSameJson(a ?? null, b ?? null);
}
