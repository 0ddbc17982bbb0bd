import {
  compareCodeUnits,
  isJsonObject,
  type JsonObject,
  type PathSegment,
  toPointer,
} from "@agentprint/canonical-json";
import { McpLockError, type McpLockErrorCode } from "../errors.ts";
import { redactLaunchV1 } from "../redact/redact-launch-v1.ts";
import { fingerprintTool, hashDefinition } from "../tool/fingerprint-tool.ts";
import { ITEMS, type ItemKind } from "../visit/item-kinds.ts";
import type { ServerSnapshot, ServerState } from "../visit/snapshot.ts";
import type { VisitAnswers } from "../visit/visit-answers.ts";
import {
  isVersion1,
  LOCK_VERSION,
  type LockEntry,
  type LockedItem,
  type LockedPolicy,
  type LockedServer,
  type LockedServerV1,
  type LockedTool,
  type LockFile,
  type LockSource,
  serverCanonicalPayload,
  toolsCanonicalPayload,
} from "./lock.ts";
import { sortedSources } from "./lock-sources.ts";
import { lockVisit, type UnstableOptions } from "./lock-visit.ts";

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
 * await writeFile("agentprint.lock", formatLock(createLock({ filesystem: snapshot })));
 * ```
 */
export function createLock(servers: Readonly<Record<string, ServerState>>): LockFile {
  return lockOf(Object.entries(servers).map(([name, state]) => lockServer(name, state)));
}

/** The same lock with one entry added or replaced. */
export function withServer(lock: LockFile, entry: LockEntry): LockFile {
  return lockOf([...lock.servers.filter((server) => server.name !== entry.name), entry], lock);
}

/** The same lock without one server. */
export function withoutServer(lock: LockFile, name: string): LockFile {
  const { policy, sources } = lock;
  return lockOf(
    lock.servers.filter((server) => server.name !== name),
    { policy, sources: sources?.filter(({ server }) => server !== name) },
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

/**
 * The lock entry of one server: of version 2 from the answers of a visit, of version 1 from a snapshot.
 *
 * `path` of an error points into `state`; for `unstable-member` it names the member as {@link UnstableOptions} does.
 *
 * @throws {@link McpLockError} `invalid-definition` when a definition is not an object, has no name or cannot be hashed.
 * @throws {@link McpLockError} `duplicate-name` when two items of one kind have one name in one session.
 * @throws {@link McpLockError} `server-unstable`, `unstable-member` when the server answered one question differently
 * each time it was asked.
 */
export function lockServer(name: string, state: VisitAnswers, options?: UnstableOptions): LockedServer;
export function lockServer(name: string, state: ServerState, options?: UnstableOptions): LockEntry;
export function lockServer(name: string, state: ServerState, options: UnstableOptions = {}): LockEntry {
  return "sessions" in state
    ? lockVisit(name, state, options)
    : buildServer(name, state, { server: [], definition: [] });
}

/** Where the parts of a snapshot are in the text or value that was given: the beginnings of the paths of errors. */
export interface SnapshotPaths {
  readonly server: readonly PathSegment[];
  /** The way from an item of a list to its definition. */
  readonly definition: readonly PathSegment[];
}

/** The entry of version 1 for one server. The paths of its errors begin as `paths` says. */
export function buildServer(name: string, snapshot: ServerSnapshot, paths: SnapshotPaths): LockedServerV1 {
  for (const part of ["clientCapabilities", "serverInfo", "capabilities", "instructions"] as const) {
    if (snapshot[part] !== undefined) hashDefinition(snapshot[part], [...paths.server, part]);
  }
  const items = <T>(kind: Exclude<ItemKind, "content">, lock: (definition: JsonObject) => T): T[] => {
    const { list, key } = ITEMS[kind];
    return lockItems(snapshot[list], key, lock, (index) => [...paths.server, list, index, ...paths.definition]);
  };
  const lockItem = (definition: JsonObject): LockedItem => ({ definition, digest: hashDefinition(definition) });
  const tools = items("tool", (definition): LockedTool => ({ definition, digests: fingerprintTool(definition) }));
  const { clientCapabilities, protocolVersion, serverInfo, capabilities, instructions } = snapshot;
  const entry = {
    name,
    launch: redactLaunchV1(snapshot.launch),
    clientCapabilities,
    protocolVersion,
    serverInfo,
    capabilities,
    ...(instructions !== undefined && { instructions }),
    tools,
    prompts: items("prompt", lockItem),
    resources: items("resource", lockItem),
    resourceTemplates: items("resourceTemplate", lockItem),
    toolsDigest: hashDefinition(toolsCanonicalPayload(tools), paths.server),
  };
  return { ...entry, digest: hashDefinition(serverCanonicalPayload(entry), paths.server) };
}

/** What a lock has beside its entries. */
interface LockRest {
  readonly policy?: LockedPolicy | undefined;
  readonly sources?: readonly LockSource[] | undefined;
}

/** A lock of these entries, which are sorted in place. */
export function lockOf(servers: LockEntry[], { policy, sources }: LockRest = {}): LockFile {
  const isFirst = policy === undefined && sources === undefined && servers.every(isVersion1);
  return {
    lockVersion: isFirst ? 1 : LOCK_VERSION,
    ...(policy && { policy }),
    ...(sources && { sources: sortedSources(sources) }),
    servers: servers.sort((a, b) => compareCodeUnits(a.name, b.name)),
  };
}

function lockItems<T>(
  definitions: readonly JsonObject[],
  key: string,
  lock: (definition: JsonObject) => T,
  pathOf: (index: number) => readonly PathSegment[],
): T[] {
  const byName = new Map<string, T>();
  for (const [index, definition] of definitions.entries()) {
    const fail = (code: McpLockErrorCode, path: string, message: string, cause?: unknown): never => {
      throw new McpLockError(code, toPointer(pathOf(index)) + path, message, { cause });
    };
    const name = isJsonObject(definition) ? definition[key] : undefined;
    if (typeof name !== "string") return fail("invalid-definition", "", `Expected an object with a string as "${key}"`);
    if (byName.has(name)) return fail("duplicate-name", `/${key}`, `Another item has the same "${key}"`);
    try {
      byName.set(name, lock(definition));
    } catch (error) {
      if (!(error instanceof McpLockError)) throw error;
      fail(error.code, error.path, error.reason, error);
    }
  }
  return [...byName].sort(([a], [b]) => compareCodeUnits(a, b)).map(([, item]) => item);
}
