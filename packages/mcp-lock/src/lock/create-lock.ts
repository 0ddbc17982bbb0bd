import { compareCodeUnits, type JsonObject } from "@agentprint/canonical-json";
import type { VisitAnswers } from "@agentprint/mcp";
import { hashDefinition } from "../tool/fingerprint-tool.ts";
import { LOCK_VERSION, type LockedPolicy, type LockedServer, type LockFile, type LockSource } from "./lock.ts";
import { lockServer } from "./lock-server.ts";
import { sortedSources } from "./lock-sources.ts";

/**
 * The lock of several servers, by the names that the user gave them.
 *
 * @throws {@link McpLockError} `invalid-definition`, `duplicate-name`, `server-unstable`, `unstable-member` when
 * {@link lockServer} throws it for one of the servers.
 *
 * @example
 * ```ts
 * import { writeFile } from "node:fs/promises";
 * import { createLock, formatLock } from "@agentprint/mcp-lock";
 *
 * await writeFile("agentprint.lock", formatLock(createLock({ filesystem: answers })));
 * ```
 */
export function createLock(servers: Readonly<Record<string, VisitAnswers>>): LockFile {
  return lockOf(Object.entries(servers).map(([name, state]) => lockServer(name, state)));
}

/** The same lock with one entry added or replaced. */
export function withServer(lock: LockFile, entry: LockedServer): LockFile {
  return lockOf([...lock.servers.filter((server) => server.name !== entry.name), entry], lock);
}

/** The same lock without one server. */
export function withoutServer(lock: LockFile, name: string): LockFile {
  const { policy, sources, madeBy } = lock;
  return lockOf(
    lock.servers.filter((server) => server.name !== name),
    { policy, sources: sources?.filter(({ server }) => server !== name), madeBy },
  );
}

/**
 * The same lock with this policy as the accepted one.
 *
 * @param policy The payload of a policy, of at most 1000 levels.
 * @throws {@link McpLockError} `invalid-definition` when the payload cannot be hashed.
 *
 * @example
 * ```ts
 * import { createLock, withPolicy } from "@agentprint/mcp-lock";
 *
 * const lock = withPolicy(createLock({}), { preset: "compatible" });
 * console.log(lock.lockVersion, lock.policy?.digest.length); // 2 64
 * ```
 */
export function withPolicy(lock: LockFile, policy: JsonObject): LockFile {
  const accepted = { digest: hashDefinition(policy, ["policy"]), policy };
  return lockOf([...lock.servers], { ...lock, policy: accepted });
}

/** The members of a lock beside its entries. */
interface LockRest {
  readonly policy?: LockedPolicy | undefined;
  readonly sources?: readonly LockSource[] | undefined;
  readonly madeBy?: LockFile["madeBy"] | undefined;
}

/** A lock of these entries, which are sorted in place. */
export function lockOf(servers: LockedServer[], { policy, sources, madeBy }: LockRest = {}): LockFile {
  return {
    lockVersion: LOCK_VERSION,
    ...(policy && { policy }),
    ...(sources && { sources: sortedSources(sources) }),
    ...(madeBy && { madeBy }),
    servers: servers.sort((a, b) => compareCodeUnits(a.name, b.name)),
  };
}
