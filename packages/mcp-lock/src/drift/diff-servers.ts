import { type Era, eraOfSession, type SessionName } from "@agentprint/mcp";
import { compareAuth } from "../auth/compare-auth.ts";
import { groupEntries } from "../group-entries.ts";
import { hashDefinition } from "../hash-definition.ts";
import type { LockedServer } from "../lock/lock.ts";
import { identityOf } from "../lock/session-state.ts";
import { type ComparedState, stateOfSession } from "./compared-state.ts";
import type { Renames } from "./declared-renames.ts";
import { diffStates } from "./diff-states.ts";
import { diffVaries } from "./diff-varies.ts";
import type { Drift, ServerPart } from "./drift.ts";
import type { Judge } from "./judge.ts";
import { nearestSession } from "./nearest-session.ts";
import { diffPart } from "./part-changed.ts";

/** Parts that differ between sessions of different eras even if the server has not changed. */
const PROTOCOL_PARTS: readonly ServerPart[] = ["protocolVersion", "supportedVersions"];

/**
 * Returns the differences between two entries of one server, each one once, with the sessions that saw it.
 *
 * @param diffRest Compares the members that a check does not require of a visit, or not in full
 */
export function diffServers(
  before: LockedServer,
  after: LockedServer,
  judge: Judge,
  diffRest: (before: LockedServer, after: LockedServer) => Drift[],
  declared?: Renames,
): Drift[] {
  if (before.digest === after.digest) return [];
  return [
    ...diffPart("launch", before, after),
    ...diffRest(before, after),
    ...compareAuth(before.auth, after.auth),
    ...(["client", "clientCapabilities"] as const).flatMap((part) => diffPart(part, before, after)),
    ...diffVaries(before.varies, after.varies),
    ...diffEras(before, after),
    ...diffSessions(before, after, judge, declared),
  ];
}

function diffEras(before: LockedServer, after: LockedServer): Drift[] {
  const [erasBefore, erasAfter] = [erasOf(before), erasOf(after)];
  const only = <T>(type: T, eras: Eras, others: Eras) =>
    [...eras].filter(([era]) => !others.has(era)).map(([era, all]) => ({ type, era, versions: [...new Set(all)] }));
  return [...only("era-added" as const, erasAfter, erasBefore), ...only("era-removed" as const, erasBefore, erasAfter)];
}

/** The protocol versions of the sessions in each era. */
type Eras = ReadonlyMap<Era, readonly string[]>;

function erasOf({ sessions }: LockedServer): Eras {
  return groupEntries(sessions.map(({ session, protocolVersion }) => [eraOfSession(session), protocolVersion]));
}

/** Compares each session with its earlier state, or with the nearest session if it had none. */
function diffSessions(before: LockedServer, after: LockedServer, judge: Judge, declared?: Renames): Drift[] {
  const known = new Map<string, Drift[]>();
  const found = new Map<string, { drift: Drift; sessions: SessionName[] }>();
  for (const { session } of after.sessions) {
    const nearest = nearestSession(session, before.sessions);
    if (nearest === undefined) continue;
    const compared = (state: ComparedState) => (nearest === session ? state : withoutProtocolParts(state));
    const stateBefore = compared(stateOfSession(before, nearest));
    const stateAfter = compared(stateOfSession(after, session));
    const key = hashDefinition([stateBefore, stateAfter].map(stateKey));
    const drifts = known.get(key) ?? diffStates(stateBefore, stateAfter, judge, declared);
    known.set(key, drifts);
    for (const drift of drifts) {
      const text = JSON.stringify(drift);
      const same = found.get(text) ?? { drift, sessions: [] };
      same.sessions.push(session);
      found.set(text, same);
    }
  }
  return [...found.values()].map(({ drift, sessions }) =>
    sessions.length === after.sessions.length ? drift : { ...drift, sessions },
  );
}

/** Returns the state without the parts that always differ between eras. */
export function withoutProtocolParts(state: ComparedState): ComparedState {
  return {
    ...state,
    parts: Object.fromEntries(
      Object.entries(state.parts).filter(([part]) => !PROTOCOL_PARTS.includes(part as ServerPart)),
    ),
  };
}

/**
 * Returns a small value that is the same for equal states: it holds the definitions' digests instead of the
 * definitions.
 */
function stateKey({ parts, tools, prompts, resources, resourceTemplates, contents }: ComparedState): object {
  return {
    parts,
    items: [tools, prompts, resources, resourceTemplates, contents].map((items) => items.map(identityOf)),
  };
}
