import type { ToolDigests } from "./fingerprint-tool.ts";
import type { JsonObject, Launch } from "./snapshot.ts";

/** The version of the lock format that this package writes, and the only one that it reads. */
export const LOCK_VERSION = 1;

/** A tool in a lock: as it came over the wire, and its digests. */
export interface LockedTool {
  readonly definition: JsonObject;
  readonly digests: ToolDigests;
}

/** A prompt, resource or resource template in a lock: as it came over the wire, and its digest. */
export interface LockedItem {
  readonly definition: JsonObject;
  readonly digest: string;
}

/** A server in a lock. Lists are sorted by name (resources by `uri`, templates by `uriTemplate`) in code-unit order. */
export interface LockedServer {
  /** The name that the user gave; a server's own name proves nothing. */
  readonly name: string;
  /** Without secrets: see {@link redactLaunch}. */
  readonly launch: Launch;
  readonly clientCapabilities: JsonObject;
  readonly protocolVersion: string;
  readonly serverInfo: JsonObject;
  readonly capabilities: JsonObject;
  readonly instructions?: string;
  readonly tools: readonly LockedTool[];
  readonly prompts: readonly LockedItem[];
  readonly resources: readonly LockedItem[];
  readonly resourceTemplates: readonly LockedItem[];
  /** Digest of {@link toolsCanonicalPayload}. */
  readonly toolsDigest: string;
  /** Digest of {@link serverCanonicalPayload}. */
  readonly digest: string;
}

/** A lock file: servers sorted by name in code-unit order. */
export interface LockFile {
  readonly lockVersion: typeof LOCK_VERSION;
  readonly servers: readonly LockedServer[];
}

/** What `toolsDigest` is the digest of: the name and the wire digest of each tool, sorted by name. */
export function toolsCanonicalPayload(tools: readonly LockedTool[]): JsonObject[] {
  return tools.map(({ definition, digests }) => ({ name: definition["name"] ?? null, wire: digests.wire }));
}

/** What a server's `digest` is the digest of: its whole entry, with digests in place of definitions. */
export function serverCanonicalPayload(server: Omit<LockedServer, "digest">): Record<string, unknown> {
  const digests = (items: readonly LockedItem[]): string[] => items.map((item) => item.digest);
  const { tools: _tools, ...rest } = server;
  return {
    ...rest,
    prompts: digests(server.prompts),
    resources: digests(server.resources),
    resourceTemplates: digests(server.resourceTemplates),
  };
}
