import {
  type DriftReport,
  isVersion1,
  type LockEntry,
  lockServer,
  type ServerDrift,
  snapshotOfVisit,
  type VisitAnswers,
} from "@agentprint/mcp-lock";
import type { Context } from "../context.ts";
import { lockVisited } from "../lock/lock-visited.ts";
import { refuseServedSecrets } from "../lock/refuse-served-secrets.ts";

/** A pinned server that was visited: its entry, and the entry that would replace it. */
export interface Candidate {
  readonly before: LockEntry;
  readonly after: LockEntry;
  readonly drift: ServerDrift;
}

/**
 * The entry that is written where a state is approved: of the version that pinned the server.
 *
 * @throws CliError as {@link lockVisited} does
 */
export function entryToApprove(
  context: Pick<Context, "hidden">,
  before: LockEntry,
  state: VisitAnswers,
  allowUnstable: readonly string[],
): LockEntry {
  if (isVersion1(before)) {
    refuseServedSecrets(context, before.name, state);
    return lockServer(before.name, snapshotOfVisit(state));
  }
  return lockVisited(context, before.name, state, {
    allowUnstable,
    ...(before.unstable && { unstable: before.unstable }),
  });
}

/** Whether there is anything to write. */
export function isChanged({ before, after }: Candidate): boolean {
  return before.digest !== after.digest;
}

/** The part of a comparison that is about some of its servers. */
export function driftOf({ servers, collisions }: DriftReport, names: readonly string[]): DriftReport {
  const some = servers.filter(({ server }) => names.includes(server));
  const outcomes = new Set(some.map(({ outcome }) => outcome));
  return {
    outcome: (["unknown", "drift"] as const).find((outcome) => outcomes.has(outcome)) ?? "same",
    servers: some,
    collisions: collisions.filter((collision) => collision.servers.some((server) => names.includes(server))),
  };
}
