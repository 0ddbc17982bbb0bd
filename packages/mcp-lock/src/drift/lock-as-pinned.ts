import { isSameJson } from "@agentprint/canonical-json/json-value";
import type { LockedFile } from "@agentprint/launch";
import type { VisitAnswers } from "@agentprint/mcp";
import { agreedAuth } from "../auth/compare-auth.ts";
import { checkAnswers, checkArgument, ENTRY } from "../check-argument.ts";
import { agreedArtifacts } from "../lock/artifact.ts";
import { isPinnedLaunch } from "../lock/is-pinned-launch.ts";
import type { LockedServer } from "../lock/lock.ts";
import { lockServer, sealServer } from "../lock/lock-server.ts";
import { pinnedValuesOf } from "../varies/pinned-values.ts";
import type { VaryingMember } from "../varies/varying-member.ts";
import { asPinned } from "./as-pinned.ts";

/**
 * Returns a visit's entry, ready for comparison with the pinned entry: with the pinned values of varying members,
 * without the unstable members, and with the pinned entry's files and coverage if the visit did not read them.
 *
 * @throws {@link McpLockError} as {@link lockServer} does
 *
 * @example
 * ```ts
 * import { lockAsPinned } from "@agentprint/mcp-lock";
 *
 * const [entry] = lock.servers;
 * if (entry) console.log(lockAsPinned(entry, answers).digest.length); // 64
 * ```
 */
export function lockAsPinned(locked: LockedServer, found: VisitAnswers): LockedServer {
  checkArgument("locked", locked, ENTRY);
  checkAnswers("found", found);
  const { unstable = [], varies } = locked;
  const visited = lockServer(locked.name, asPinned(locked, withKnownFiles(locked, found)), { unstable });
  return varies === undefined ? visited : withVaries(visited, varies);
}

/** Returns the entry without the varying members of items that were removed. */
export function withLivingVaries(entry: LockedServer): LockedServer {
  const { varies = [] } = entry;
  const pinned = pinnedValuesOf(entry);
  const living = varies.filter((member) => pinned.has(member));
  return living.length === varies.length ? entry : withVaries(entry, living);
}

function withVaries(entry: LockedServer, varies: readonly VaryingMember[]): LockedServer {
  const { varies: _varies, ...others } = entry;
  return sealServer({ ...others, ...(varies.length > 0 && { varies }) });
}

/**
 * Returns the answers, with the entry's files and coverage if the visit did not read them. If the launch and its files
 * are unchanged, the coverage is the entry's; an earlier version may have pinned the entry without any.
 */
function withKnownFiles(locked: LockedServer, found: VisitAnswers): VisitAnswers {
  const { coverage: _coverage, ...answers } = found;
  const files = found.files ?? locked.files;
  const pointers = ({ files: named = [] }: { readonly files?: readonly LockedFile[] }) =>
    named.map(({ pointer }) => pointer);
  const isSame =
    isPinnedLaunch(locked, found.launch) &&
    (!found.files || isSameJson(pointers(locked).sort(), pointers(found).sort()));
  const coverage = found.coverage === undefined || isSame ? locked.coverage : found.coverage;
  const artifacts = knownArtifacts(locked, found);
  const auth = agreedAuth(locked.auth, found.auth);
  return {
    ...answers,
    ...(files && { files }),
    ...(coverage && { coverage }),
    ...(artifacts && { artifacts }),
    ...(auth && { auth }),
  };
}

/** Returns the entry's artifacts if the found artifacts have the same bytes or were not read. */
function knownArtifacts(locked: LockedServer, { artifacts, launch }: VisitAnswers): VisitAnswers["artifacts"] {
  if (artifacts === undefined || locked.artifacts === undefined) return artifacts ?? locked.artifacts;
  return isPinnedLaunch(locked, launch) ? agreedArtifacts(locked.artifacts, artifacts) : artifacts;
}
