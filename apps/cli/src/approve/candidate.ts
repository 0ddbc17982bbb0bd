import { worstOutcome } from "@agentprint/findings";
import type { VisitAnswers } from "@agentprint/mcp";
import {
  agreedArtifacts,
  agreedAuth,
  asPinned,
  type DriftReport,
  type LockedServer,
  type ServerDrift,
  type UnstableOptions,
} from "@agentprint/mcp-lock";
import { lockVisited } from "../lock/lock-visited.ts";
import type { Context } from "../run/context.ts";
import type { ChangedFiles } from "./changed-files.ts";

/** A pinned server that was visited: its entry, and the entry that would replace it. */
export interface Candidate {
  readonly before: LockedServer;
  readonly after: LockedServer;
  readonly drift: ServerDrift;
  /** The launch's files that changed; absent if no person reviews the change. */
  readonly changedFiles?: ChangedFiles;
}

/**
 * Returns the entry to write when a state is approved.
 *
 * @throws CliError as {@link lockVisited} does
 */
export function entryToApprove(
  context: Pick<Context, "hidden">,
  before: LockedServer,
  state: VisitAnswers,
  allowed: UnstableOptions,
): LockedServer {
  const artifacts = before.artifacts && state.artifacts && agreedArtifacts(before.artifacts, state.artifacts);
  const auth = agreedAuth(before.auth, state.auth);
  return lockVisited(
    context,
    before.name,
    { ...asPinned(before, state), ...(artifacts && { artifacts }), ...(auth && { auth }) },
    allowed,
  );
}

/** Returns whether the new entry differs from the current one. */
export function isChanged({ before, after }: Candidate): boolean {
  return before.digest !== after.digest;
}

/** Returns the names of changed items whose earlier text is not in the lock, so that no text diff can be shown. */
export function contentsWithoutEarlierText({ drifts }: ServerDrift): string[] {
  const names = drifts.flatMap((each) =>
    each.type === "item-changed" && each.changes.some(({ unkept }) => unkept === "before") ? [each.name] : [],
  );
  return [...new Set(names)];
}

/**
 * Returns the part of a comparison that is about the named servers. A server's text that names another server's tool
 * keeps its signal.
 */
export function driftOf(drift: DriftReport, names: readonly string[]): DriftReport {
  const { servers, collisions, lookAlikes = [] } = drift;
  const isSome = ({ server }: { readonly server: string }): boolean => names.includes(server);
  const some = servers.filter(isSome);
  return {
    ...drift,
    outcome: worstOutcome(some.map(({ outcome }) => outcome)),
    servers: some,
    collisions: collisions.filter((collision) => collision.servers.some((server) => names.includes(server))),
    lookAlikes: lookAlikes.filter(({ tools }) => tools.some(isSome)),
  };
}
