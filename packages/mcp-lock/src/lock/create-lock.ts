import { compareCodeUnits, type JsonObject } from "@agentprint/canonical-json";
import type { VisitAnswers } from "@agentprint/mcp";
import { checkAnswers, checkArgument, LOCK } from "../check-argument.ts";
import { hashDefinition } from "../hash-definition.ts";
import {
  LOCK_VERSION,
  type LockedKeys,
  type LockedPolicy,
  type LockedServer,
  type LockedSkills,
  type LockedStatement,
  type LockFile,
  type LockSource,
} from "./lock.ts";
import { lockServer } from "./lock-server.ts";
import { sortedSources } from "./lock-sources.ts";

/**
 * Returns a lock of several servers, under the names that the user gave them.
 *
 * @throws {@link McpLockError} `invalid-definition`, `duplicate-name`, `server-unstable`, `unstable-member` if {@link
 * lockServer} throws it for one of the servers.
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
  checkArgument("servers", servers, "object");
  for (const [name, answers] of Object.entries(servers)) checkAnswers(`servers.${name}`, answers);
  return lockOf(Object.entries(servers).map(([name, answers]) => lockServer(name, answers)));
}

/**
 * Returns the same lock with one entry added, which replaces an entry with the same name. The given lock is not
 * changed.
 *
 * @example
 * ```ts
 * import { createLock, lockServer, withServer } from "@agentprint/mcp-lock";
 *
 * const added = withServer(createLock({}), lockServer("files", answers));
 * console.log(added.servers.map(({ name }) => name)); // [ 'files' ]
 * ```
 */
export function withServer(lock: LockFile, entry: LockedServer): LockFile {
  checkArgument("lock", lock, LOCK);
  checkArgument("entry", entry, { name: "string" });
  return lockOf([...lock.servers.filter((server) => server.name !== entry.name), entry], lock);
}

/**
 * Returns the same lock without one server. Authors' keys stay in the lock; an unknown name changes nothing.
 *
 * @example
 * ```ts
 * import { createLock, withoutServer } from "@agentprint/mcp-lock";
 *
 * console.log(withoutServer(createLock({ files: answers }), "files").servers.length); // 0
 * ```
 */
export function withoutServer(lock: LockFile, name: string): LockFile {
  checkArgument("lock", lock, LOCK);
  checkArgument("name", name, "string");
  const isOther = ({ server }: { readonly server: string }): boolean => server !== name;
  const { sources, statements } = lock;
  return lockOf(
    lock.servers.filter((server) => server.name !== name),
    { ...lock, sources: sources?.filter(isOther), statements: statements?.filter(isOther) },
  );
}

/**
 * Returns the same lock with newly accepted statements of some servers; each one replaces the server's previous
 * statement.
 *
 * @example
 * ```ts
 * import { withStatements } from "@agentprint/mcp-lock";
 *
 * const statement = { server: "files", sha256: "0".repeat(64), version: "1.2.0", issued: "2026-01-31T00:00:00Z" };
 * const sets = lock.servers.flatMap(({ setHashes }) => setHashes);
 * console.log(withStatements(lock, [{ ...statement, sets }]).statements?.length); // 1
 * ```
 */
export function withStatements(lock: LockFile, statements: readonly LockedStatement[]): LockFile {
  checkArgument("lock", lock, LOCK);
  checkArgument("statements", statements, ["object"]);
  const byServer = new Map([...(lock.statements ?? []), ...statements].map((each) => [each.server, each]));
  return lockOf([...lock.servers], { ...lock, statements: [...byServer.values()] });
}

/**
 * Returns the same lock, with these author keys added. No successor or revoked key is ever removed, and no history
 * becomes shorter.
 *
 * @example
 * ```ts
 * import { createLock, withAuthorKeys } from "@agentprint/mcp-lock";
 *
 * const revoked = [{ key: "MCowBQYDK2VwAyEA…", since: "2026-01-31T00:00:00Z" }];
 * const keys = { server: "files", history: ["0".repeat(64)], successors: [], revoked };
 * console.log(withAuthorKeys(createLock({}), [keys]).authorKeys?.length); // 1
 * ```
 */
export function withAuthorKeys(lock: LockFile, keys: readonly LockedKeys[]): LockFile {
  checkArgument("lock", lock, LOCK);
  checkArgument("keys", keys, ["object"]);
  const byServer = new Map((lock.authorKeys ?? []).map((each) => [each.server, each]));
  for (const each of keys) {
    const before = byServer.get(each.server);
    byServer.set(each.server, before === undefined ? each : bothKeys(before, each));
  }
  return lockOf([...lock.servers], { ...lock, authorKeys: [...byServer.values()] });
}

function bothKeys(before: LockedKeys, after: LockedKeys): LockedKeys {
  const byKey = <Each extends { readonly key: string }>(one: readonly Each[], other: readonly Each[]): Each[] => [
    ...new Map([...other, ...one].map((each) => [each.key, each])).values(),
  ];
  return {
    server: after.server,
    history: after.history.length < before.history.length ? before.history : after.history,
    successors: byKey(before.successors, after.successors),
    revoked: byKey(before.revoked, after.revoked),
  };
}

/**
 * Returns the same lock with these skills and instruction files as the accepted ones.
 *
 * @example
 * ```ts
 * import { createLock, withSkills } from "@agentprint/mcp-lock";
 *
 * const instructions = [{ path: "AGENTS.md", digest: "0".repeat(64) }];
 * console.log(withSkills(createLock({}), { folders: [], instructions }).skills?.instructions.length); // 1
 * ```
 */
export function withSkills(lock: LockFile, skills: LockedSkills): LockFile {
  checkArgument("lock", lock, LOCK);
  checkArgument("skills", skills, "object");
  return lockOf([...lock.servers], { ...lock, skills });
}

/**
 * Returns the same lock with this policy as the accepted one.
 *
 * @param policy The payload of a policy, of at most 1000 levels.
 * @throws {@link McpLockError} `invalid-definition` if the payload cannot be hashed.
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
  checkArgument("lock", lock, LOCK);
  checkArgument("policy", policy, "object");
  const accepted = { digest: hashDefinition(policy, ["policy"]), policy };
  return lockOf([...lock.servers], { ...lock, policy: accepted });
}

/** The members of a lock other than its entries. */
interface LockRest {
  readonly policy?: LockedPolicy | undefined;
  readonly sources?: readonly LockSource[] | undefined;
  readonly madeBy?: LockFile["madeBy"] | undefined;
  readonly statements?: readonly LockedStatement[] | undefined;
  readonly authorKeys?: readonly LockedKeys[] | undefined;
  readonly skills?: LockedSkills | undefined;
}

/** Returns a lock with these entries, which are sorted in place. */
export function lockOf(
  servers: LockedServer[],
  { policy, sources, madeBy, statements = [], authorKeys = [], skills }: LockRest = {},
): LockFile {
  return {
    lockVersion: LOCK_VERSION,
    ...(policy && { policy }),
    ...(sources && { sources: sortedSources(sources) }),
    ...(madeBy && { madeBy }),
    ...(statements.length > 0 && {
      statements: byName(statements),
    }),
    ...(authorKeys.length > 0 && { authorKeys: byName(authorKeys) }),
    ...(skills && { skills: { folders: byPath(skills.folders), instructions: byPath(skills.instructions) } }),
    servers: servers.sort((a, b) => compareCodeUnits(a.name, b.name)),
  };
}

function byName<Item extends { readonly server: string }>(items: readonly Item[]): Item[] {
  return items.toSorted((a, b) => compareCodeUnits(a.server, b.server));
}

function byPath<Item extends { readonly path: string }>(items: readonly Item[]): Item[] {
  return items.toSorted((a, b) => compareCodeUnits(a.path, b.path));
}
