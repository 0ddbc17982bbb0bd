import { worstOutcome } from "@agentprint/findings";
import type { VisitAnswers } from "@agentprint/mcp";
import {
  agreedArtifacts,
  agreedAuth,
  type DriftReport,
  type LockedServer,
  type ServerDrift,
} from "@agentprint/mcp-lock";
import { lockVisited } from "../lock/lock-visited.ts";
import type { Context } from "../run/context.ts";

/** A pinned server that was visited: its entry, and the entry that would replace it. */
export interface Candidate {
  readonly before: LockedServer;
  readonly after: LockedServer;
  readonly drift: ServerDrift;
}

/**
 * The entry that is written where a state is approved.
 *
 * @throws CliError as {@link lockVisited} does
 */
export function entryToApprove(
  context: Pick<Context, "hidden">,
  before: LockedServer,
  state: VisitAnswers,
  allowUnstable: readonly string[],
): LockedServer {
  const artifacts = before.artifacts && state.artifacts && agreedArtifacts(before.artifacts, state.artifacts);
  const auth = agreedAuth(before.auth, state.auth);
  return lockVisited(
    context,
    before.name,
    { ...state, ...(artifacts && { artifacts }), ...(auth && { auth }) },
    {
      allowUnstable,
      ...(before.unstable && { unstable: before.unstable }),
    },
  );
}

/** Whether the new entry differs from the present one. */
export function isChanged({ before, after }: Candidate): boolean {
  return before.digest !== after.digest;
}

/** The part of a comparison that is about some of its servers. */
export function driftOf({ servers, collisions }: DriftReport, names: readonly string[]): DriftReport {
  const some = servers.filter(({ server }) => names.includes(server));
  return {
    outcome: worstOutcome(some.map(({ outcome }) => outcome)),
    servers: some,
    collisions: collisions.filter((collision) => collision.servers.some((server) => names.includes(server))),
  };
}
