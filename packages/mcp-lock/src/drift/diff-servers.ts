import { diffJson } from "@agentprint/canonical-json";
import { type Era, eraOfSession, type SessionName } from "@agentprint/mcp";
import { compareAuth } from "../auth/compare-auth.ts";
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
import { partChanged } from "./part-changed.ts";

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
    ...diffMember("launch", before, after),
    ...diffRest(before, after),
    ...compareAuth(before.auth, after.auth),
    ...(["client", "clientCapabilities"] as const).flatMap((part) => diffMember(part, before, after)),
    ...diffVaries(before.varies, after.varies),
    ...diffEras(before, after),
    ...diffSessions(before, after, judge, declared),
  ];
}

function diffMember(
  part: "launch" | "client" | "clientCapabilities",
  before: LockedServer,
  after: LockedServer,
): Drift[] {
  return partChanged(part, diffJson(before[part], after[part]));
}

function diffEras(before: LockedServer, after: LockedServer): Drift[] {
  const [erasBefore, erasAfter] = [erasOf(before), erasOf(after)];
  return [
    ...[...erasAfter]
      .filter(([era]) => !erasBefore.has(era))
      .map(([era, versions]) => ({ type: "era-added", era, versions }) as const),
    ...[...erasBefore]
      .filter(([era]) => !erasAfter.has(era))
      .map(([era, versions]) => ({ type: "era-removed", era, versions }) as const),
  ];
}

function erasOf({ sessions }: LockedServer): Map<Era, string[]> {
  const eras = new Map<Era, string[]>();
  for (const { session, protocolVersion } of sessions) {
    const era = eraOfSession(session);
    eras.set(era, [...new Set([...(eras.get(era) ?? []), protocolVersion])]);
  }
  return eras;
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
