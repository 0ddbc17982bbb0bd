import { diffJson, type JsonChange } from "@agentprint/canonical-json";
import { isSameJson } from "@agentprint/canonical-json/json-value";
import { type Era, eraOfSession, type SessionName } from "@agentprint/mcp";
import { compareAuth } from "../auth/compare-auth.ts";
import { hashDefinition } from "../hash-definition.ts";
import { addedScripts, compareArtifacts } from "../lock/artifact.ts";
import type { LockedServer } from "../lock/lock.ts";
import { identityOf } from "../lock/session-state.ts";
import { type ComparedState, stateOfSession } from "./compared-state.ts";
import type { Renames } from "./declared-renames.ts";
import { diffStates } from "./diff-states.ts";
import { diffVaries } from "./diff-varies.ts";
import type { Drift, ServerPart } from "./drift.ts";
import type { Judge } from "./judge.ts";
import { nearestSession } from "./nearest-session.ts";

/** Parts that differ between sessions of different eras even if the server has not changed. */
const PROTOCOL_PARTS: readonly ServerPart[] = ["protocolVersion", "supportedVersions"];

/** Returns the differences between two entries of one server, each one once, with the sessions that saw it. */
export function diffServers(before: LockedServer, after: LockedServer, judge: Judge, declared?: Renames): Drift[] {
  if (before.digest === after.digest) return [];
  return [...diffEntries(before, after), ...diffEras(before, after), ...diffSessions(before, after, judge, declared)];
}

function diffEntries(before: LockedServer, after: LockedServer): Drift[] {
  return [
    ...diffMember("launch", before, after),
    ...diffFiles(before, after),
    ...diffArtifacts(before, after),
    ...compareAuth(before.auth, after.auth),
    ...(["client", "clientCapabilities"] as const).flatMap((part) => diffMember(part, before, after)),
    ...diffVaries(before.varies, after.varies),
  ];
}

function diffMember(
  part: "launch" | "client" | "clientCapabilities",
  before: LockedServer,
  after: LockedServer,
): Drift[] {
  const changes = diffJson(before[part], after[part]);
  return changes.length > 0 ? [{ type: "part-changed", part, changes }] : [];
}

/**
 * Returns the changed files; none if the entry has no file digests, or if the check did not read the files. For an
 * entry that an earlier version pinned, only the arguments that are still treated as files are compared.
 */
function diffFiles(before: LockedServer, after: LockedServer): Drift[] {
  if (before.files === undefined || after.files === undefined) return [];
  const digests = [before.files, after.files].map(
    (files) => new Map(files.map(({ pointer, digest }) => [pointer, digest])),
  );
  const [old, now] = digests as [Map<string, string>, Map<string, string>];
  const isOlder =
    before.coverage === undefined && after.coverage !== undefined && isSameJson(before.launch, after.launch);
  const pointers = isOlder ? [...old.keys()].filter((pointer) => now.has(pointer)) : [...old.keys(), ...now.keys()];
  const changes = [...new Set(pointers)].flatMap((pointer): JsonChange[] => {
    const [digestBefore, digestAfter] = [old.get(pointer), now.get(pointer)];
    if (digestBefore === digestAfter) return [];
    return [
      {
        pointer,
        ...(digestBefore !== undefined && { before: digestBefore }),
        ...(digestAfter !== undefined && { after: digestAfter }),
      },
    ];
  });
  return changes.length > 0 ? [{ type: "part-changed", part: "files", changes }] : [];
}

/**
 * Returns the differences between the artifacts of one launch, including artifacts whose bytes are no longer known; for
 * a changed launch, only the new install scripts.
 */
function diffArtifacts(before: LockedServer, after: LockedServer): Drift[] {
  if (!isSameJson(before.launch, after.launch)) {
    const scripts = addedScripts(before.artifacts ?? [], after.artifacts ?? []);
    return scripts.length > 0 ? [{ type: "part-changed", part: "artifacts", changes: scripts }] : [];
  }
  if (before.artifacts === undefined) return [];
  const { changes, added, moved, untold } = compareArtifacts(before.artifacts, after.artifacts ?? []);
  const lost = before.artifacts.filter(({ name, version }) => untold.includes(`${name}@${version}`));
  const all = [...changes, ...lost.map(({ pointer, name, version }) => ({ pointer, before: `${name}@${version}` }))];
  return [
    ...(all.length > 0 ? [{ type: "part-changed", part: "artifacts", changes: all } as const] : []),
    ...(moved.length > 0 ? [{ type: "part-changed", part: "artifactVersions", changes: moved } as const] : []),
    ...(added.length > 0 ? [{ type: "part-changed", part: "artifactFiles", changes: added } as const] : []),
  ];
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
