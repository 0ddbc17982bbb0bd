import { compareCodeUnits } from "@agentprint/canonical-json";
import { isSameJson } from "@agentprint/canonical-json/json-value";
import { type CheckFailure, type Era, ITEM_KINDS, type ItemKind, itemName, type VisitAnswers } from "@agentprint/mcp";
import { compareAuth } from "../auth/compare-auth.ts";
import { McpLockError } from "../errors.ts";
import { itemsOfEntry, type LockedServer } from "../lock/lock.ts";
import { lockServer } from "../lock/lock-server.ts";
import { holdersOfVisit } from "../varies/varying-holders.ts";
import { completeVisit } from "./complete-visit.ts";
import { dependencyRemarks } from "./dependency-remarks.ts";
import { diffServers } from "./diff-servers.ts";
import type { Drift, ServerDrift, ServerPart } from "./drift.ts";
import { failedLists } from "./failed-lists.ts";
import { faultRemarks } from "./fault-remarks.ts";
import type { Judge } from "./judge.ts";
import { integerRemarks, withKnownNumbers } from "./known-numbers.ts";
import { lockAsPinned, withLivingVaries } from "./lock-as-pinned.ts";
import { partChanged } from "./part-changed.ts";
import { findRemarks } from "./remarks.ts";
import { findVaryingSignals } from "./varying-signals.ts";
import { diffVisitedRest } from "./visited-rest.ts";

const BOTH_ERAS: readonly Era[] = ["legacy", "modern"];

/** Options for the comparison of one server. */
interface Comparison {
  /** Creates the judge of one comparison's schemas. */
  readonly createJudge: () => Judge;
  /** Whether the lock was made from this visit, so that no one has accepted the remarks about a first version yet. */
  readonly isFirst: boolean;
  /** The names of servers and tools, which count as signals in a text that varies. */
  readonly names: readonly string[];
}

/** Compares one server with its lock entry; `locked` is `undefined` if the server has none. */
export function checkServer(
  server: string,
  locked: LockedServer | undefined,
  found: VisitAnswers | CheckFailure,
  comparison: Comparison,
): ServerDrift {
  if ("failure" in found) return failedServer(server, locked, found.failure);
  try {
    return compare(server, locked, found, comparison);
  } catch (error) {
    if (!(error instanceof McpLockError)) throw error;
    const { code, reason, message } = error;
    return failedServer(server, locked, { code, message: code === "duplicate-name" ? reason : message });
  }
}

function compare(
  server: string,
  locked: LockedServer | undefined,
  found: VisitAnswers,
  comparison: Comparison,
): ServerDrift {
  const { createJudge } = comparison;
  if (locked === undefined) {
    const current = lockServer(server, found);
    return {
      ...compared(server, undefined, current, [{ type: "server-not-locked" }]),
      remarks: [...findRemarks(current, createJudge()), ...faultRemarks(current, [])],
      ...newLaunch(current),
    };
  }
  const visited = withKnownNumbers(locked, lockAsPinned(locked, found), found);
  const failed = failedLists(locked, visited, found);
  const read = failed?.assumed ?? visited;
  const completed = withLivingVaries(completeVisit(locked, read, found.eras ?? BOTH_ERAS));
  const { remarks, ...drift } = compareEntries(server, locked, completed, read, {
    ...comparison,
    varying: findVaryingSignals(locked, holdersOfVisit(found), comparison.names),
  });
  const ofAnswers = [...integerRemarks(visited, found), ...dependencyRemarks(locked, found, drift.drifts)];
  return {
    ...drift,
    ...(failed && { outcome: "unknown", failure: failed.failure }),
    remarks: [...remarks, ...ofAnswers],
  };
}

function compareEntries(
  server: string,
  locked: LockedServer,
  current: LockedServer,
  visited: LockedServer,
  { createJudge, isFirst, varying }: Comparison & { readonly varying: readonly Drift[] },
): ServerDrift {
  const drifts = [...diffServers(locked, current, createJudge(), diffVisitedRest), ...varying];
  const accepted = isFirst ? undefined : locked;
  const remarks = findRemarks(visited, createJudge(), accepted);
  const pinned = new Set(locked.files?.map(({ pointer }) => pointer));
  const isOlder = locked.files === undefined || (locked.coverage === undefined && visited.coverage !== undefined);
  const unpinned = isOlder ? (visited.files ?? []).filter(({ pointer }) => !pinned.has(pointer)) : [];
  return {
    ...compared(server, locked, current, drifts),
    remarks: [
      ...remarks,
      ...faultRemarks(visited, drifts),
      ...unpinned.map(({ pointer }) => ({ type: "unpinned-file", pointer }) as const),
    ],
    ...newLaunch(visited, accepted),
  };
}

function newLaunch({ launch: after }: LockedServer, accepted?: LockedServer): Pick<ServerDrift, "launch"> {
  if (accepted === undefined) return { launch: { after } };
  return isSameJson(accepted.launch, after) ? {} : { launch: { before: accepted.launch, after } };
}

/**
 * Returns the result for a server, given the differences between its two entries; `locked` is `undefined` if the server
 * had no entry.
 */
export function compared(
  server: string,
  locked: LockedServer | undefined,
  current: LockedServer,
  drifts: readonly Drift[],
): Omit<ServerDrift, "remarks"> {
  return {
    server,
    outcome: drifts.every(isNote) ? "same" : "drift",
    drifts,
    checked: namesByKind((kind) => [...namesOf(locked, kind), ...namesOf(current, kind)]),
    toolsDigest: { ...(locked && { before: locked.toolsDigest }), after: current.toolsDigest },
    digest: { ...(locked && { before: locked.digest }), after: current.digest },
  };
}

/** The parts whose differences are notes. */
const NOTES: readonly ServerPart[] = ["supportedVersions", "unread", "artifactFiles", "scopesDropped", "sessions"];

/**
 * Returns whether a difference is only a note: session versions and the files that run are also compared separately.
 */
function isNote(drift: Drift): boolean {
  return drift.type === "part-changed" && NOTES.includes(drift.part);
}

function failedServer(server: string, locked: LockedServer | undefined, failure: CheckFailure["failure"]): ServerDrift {
  const { artifacts: changes, auth } = failure;
  const drifts: Drift[] = [
    ...partChanged("artifacts", changes ?? []),
    ...(auth ? compareAuth(locked?.auth, auth) : []),
  ];
  const known = drifts.length > 0 && ({ outcome: "drift", drifts } as const);
  return {
    server,
    ...(known || { outcome: "unknown", drifts: [], failure }),
    remarks: [],
    checked: namesByKind(() => []),
    toolsDigest: locked ? { before: locked.toolsDigest } : {},
    digest: locked ? { before: locked.digest } : {},
  };
}

function namesOf(entry: LockedServer | undefined, kind: ItemKind): string[] {
  return entry === undefined ? [] : itemsOfEntry(entry, kind).map(({ definition }) => itemName(kind, definition));
}

function namesByKind(namesOfKind: (kind: ItemKind) => string[]): Record<ItemKind, string[]> {
  const names = ITEM_KINDS.map((kind) => [kind, [...new Set(namesOfKind(kind))].sort(compareCodeUnits)]);
  return Object.fromEntries(names) as Record<ItemKind, string[]>;
}
