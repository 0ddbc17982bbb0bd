import type { JsonChange, JsonValue } from "@agentprint/canonical-json";
import { isSameJson } from "@agentprint/canonical-json/json-value";
import { diffLockedArtifacts } from "../lock/diff-artifacts.ts";
import type { LockedServer } from "../lock/lock.ts";
import type { Drift } from "./drift.ts";
import { partChanged } from "./part-changed.ts";
import { compareFiles } from "./visited-rest.ts";

/**
 * Returns the differences between two entries in the members that a check does not require of a visit, or not in full:
 * the files, the artifacts with everything that is installed with them, and how the visit was made.
 */
export function diffLockedRest(before: LockedServer, after: LockedServer): Drift[] {
  const { changes, lost, versions, added, others } = diffLockedArtifacts(before.artifacts ?? [], after.artifacts ?? []);
  const isSameLaunch = isSameJson(before.launch, after.launch);
  return [
    ...partChanged("files", compareFiles(before.files ?? [], after.files ?? [])),
    ...partChanged("artifacts", isSameLaunch ? [...changes, ...lost] : changes),
    ...partChanged("artifactVersions", isSameLaunch ? versions : [...lost, ...versions]),
    ...partChanged("artifactFiles", added),
    ...partChanged("sessions", diffSessions(before, after)),
    ...partChanged("entry", [...others, ...diffVisits(before, after)]),
  ];
}

/** Returns the change of the sessions that the server was pinned from, which says nothing about the server. */
function diffSessions(...entries: readonly LockedServer[]): JsonChange[] {
  const [before = [], after = []] = entries.map(({ sessions }) => sessions.map(({ session }) => session));
  return isSameJson(before, after) ? [] : [{ pointer: "", before, after }];
}

/** Returns a change for each other member about the visit that differs. */
function diffVisits(before: LockedServer, after: LockedServer): JsonChange[] {
  const isSameLogin = before.auth !== undefined && after.auth !== undefined;
  const [was, is] = [before, after].map((entry) => visitOf(entry, isSameLogin)) as [Members, Members];
  return Object.keys({ ...was, ...is }).flatMap((name): JsonChange[] => {
    const [old, now] = [was[name], is[name]];
    if (isSameJson(old ?? null, now ?? null)) return [];
    return [
      { pointer: `/${name}`, ...(old !== undefined && { before: old }), ...(now !== undefined && { after: now }) },
    ];
  });
}

type Members = Readonly<Record<string, JsonValue>>;

/**
 * @param withLogin Whether both entries have a login; all other differences between logins have rules of their own
 */
function visitOf({ coverage, unstable, auth }: LockedServer, withLogin: boolean): Members {
  const { envFiles, ...reach } = coverage ?? {};
  return {
    ...(coverage && { coverage: { ...reach, ...(envFiles && { envFiles: [...envFiles] }) } }),
    ...(unstable && { unstable: [...unstable] }),
    ...(withLogin && auth && { "auth/client": auth.client }),
    ...(withLogin && auth?.account !== undefined && { "auth/account": auth.account }),
  };
}
