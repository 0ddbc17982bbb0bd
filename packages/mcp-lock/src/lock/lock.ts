import { compareCodeUnits, type JsonObject, type JsonValue } from "@agentprint/canonical-json";
import type { Launch, LaunchCoverage, LockedArtifact, LockedFile } from "@agentprint/launch";
import {
  ITEMS,
  type ItemKind,
  type NumberTexts,
  type ServerAuth,
  type SessionName,
  type UnreadList,
} from "@agentprint/mcp";
import type { ToolFingerprint } from "@agentprint/tool-pins";
import { checkArgument, ENTRY } from "../check-argument.ts";
import type { VaryingMember } from "../varies/varying-member.ts";
import type { SaidPart } from "../visit/read-session.ts";

/** The version of the lock format. */
export const LOCK_VERSION = 2;

/** A definition in a lock, as received. */
interface LockedDefinition {
  readonly definition: JsonObject;
  /** The texts of its numbers that a double changes, by JSON Pointer (for a content, into its result). */
  readonly numbers?: NumberTexts;
  /** The sessions that saw this definition; absent if all did. */
  readonly seenBy?: readonly SessionName[];
}

/** A tool in a lock, with its digests. */
export interface LockedTool extends LockedDefinition {
  readonly digests: ToolFingerprint;
}

/** A prompt, resource or resource template in a lock, with its digest. */
export interface LockedItem extends LockedDefinition {
  readonly digest: string;
}

/** The content of a resource or prompt in a lock: its definition has its name and the digest of its result. */
export interface LockedContent extends LockedItem {
  /** The result with that digest; absent if nothing was read, or if it is too large. No digest covers it. */
  readonly result?: JsonObject;
}

/** A value that a server states once in a session, such as its instructions. */
export interface LockedPart {
  readonly part: SaidPart;
  readonly value: JsonValue;
  /** The sessions that received this value; absent if all did. */
  readonly seenBy?: readonly SessionName[];
}

/** The *Tool definition hash v1* hashes of the definitions that a server sent the sessions. */
export interface SetHashes {
  /** The set hash of all tools. */
  readonly tools: string;
  /** The set hash of all prompts. */
  readonly prompts: string;
  /** The instructions hash; absent if the server sent no instructions. */
  readonly instructions?: string;
  /** The sessions with these hashes; absent if all have them. */
  readonly seenBy?: readonly SessionName[];
}

/** One of the sessions that a server was pinned from. */
export interface LockedSession {
  readonly session: SessionName;
  readonly protocolVersion: string;
  /** The protocol versions that the server says it supports; a change to them is a note, not drift. */
  readonly supportedVersions?: JsonValue;
  /** The sorted lists that the server answered with an error; nothing in them is pinned. Absent if there are none. */
  readonly unread?: readonly UnreadList[];
}

/**
 * A server in a lock, with the definitions of all its sessions. Lists are sorted by name (resources by `uri`, templates
 * by `uriTemplate`) in code-unit order. A name occurs several times if sessions saw different definitions of it.
 */
export interface LockedServer {
  /** The name that the user gave the server. The name that a server gives itself proves nothing. */
  readonly name: string;
  /** The launch without its secrets, as returned by `redactLaunch`. */
  readonly launch: Launch;
  /** The local files that the launch names, sorted by pointer; absent if there are none or they were not read. */
  readonly files?: readonly LockedFile[];
  /** How far these digests cover the launch; absent for an address, and if the visit did not read the files. */
  readonly coverage?: LaunchCoverage;
  /** The packages and images that the launch resolves to, sorted by pointer; absent if it names no exact version. */
  readonly artifacts?: readonly LockedArtifact[];
  /** The login to the server, without its secrets; absent if the server was visited without a login. */
  readonly auth?: ServerAuth;
  /** The client that the view `client` imitated. */
  readonly client: string;
  readonly clientCapabilities: JsonObject;
  /** Sorted by name. */
  readonly sessions: readonly LockedSession[];
  /** The pointers of members that differ at each reading and are not pinned; absent if there are none. */
  readonly unstable?: readonly string[];
  /** The members that may vary, sorted by kind, name and pointer: their pinned values are compared. Absent if none. */
  readonly varies?: readonly VaryingMember[];
  readonly parts: readonly LockedPart[];
  readonly tools: readonly LockedTool[];
  readonly prompts: readonly LockedItem[];
  readonly resources: readonly LockedItem[];
  readonly resourceTemplates: readonly LockedItem[];
  /** The contents of UI resources, and of prompts and resources if the visit read them. */
  readonly contents: readonly LockedContent[];
  /** Digest of {@link toolsCanonicalPayload}. */
  readonly toolsDigest: string;
  /** The hashes by which other programs identify the lists, one entry for each state seen. No digest covers them. */
  readonly setHashes: readonly SetHashes[];
  /** Digest of {@link serverCanonicalPayload}. */
  readonly digest: string;
}

/** An accepted policy, kept verbatim with its digest; this package does not interpret it. */
export interface LockedPolicy {
  /** Digest of `policy`. */
  readonly digest: string;
  readonly policy: JsonObject;
}

/** An entry of a project's configuration that a server was pinned from. */
export interface LockSource {
  /** The path of the configuration, relative to the lock's folder, with `/` between folders. */
  readonly config: string;
  /** The entry's name in this configuration. */
  readonly entry: string;
  /** The server's name in the lock. */
  readonly server: string;
}

/** An author's statement that was valid when its server's entry was accepted. */
export interface LockedStatement {
  /** The name of the server in the lock. */
  readonly server: string;
  /** SHA-256 of the payload. */
  readonly sha256: string;
  /** The version of the release. */
  readonly version: string;
  /** The time of signing, as stated in the statement. */
  readonly issued: string;
  readonly sets: readonly SetHashes[];
}

/** The remembered keys that sign for a server, as accepted by a person. Keys are only added. */
export interface LockedKeys {
  /** The name of the server in the lock. */
  readonly server: string;
  /** The SHA-256 of the payload of each statement about keys, the oldest first. */
  readonly history: readonly string[];
  /** The keys that replace others, each as the Base64 of its SubjectPublicKeyInfo. */
  readonly successors: readonly { readonly key: string; readonly successor: string }[];
  /** The revoked keys, and when each one was revoked. */
  readonly revoked: readonly { readonly key: string; readonly since: string }[];
}

/** A reviewed Agent Skill of the project. */
export interface LockedSkill {
  /** The folder, relative to the lock's, with `/` between folders. */
  readonly path: string;
  readonly name: string;
  /** The digest of the folder's tree manifest, at level `bytes`. */
  readonly tree: string;
  /** SHA-256 of SKILL.md. */
  readonly text: string;
  /** The SHA-256 of each script, by its path in the folder. */
  readonly scripts: Readonly<Record<string, string>>;
  /** The digest of the tree manifest of all files that are neither SKILL.md nor scripts. */
  readonly rest: string;
  /** The tools that the frontmatter allows, sorted; absent if it could not be read. */
  readonly allowedTools?: readonly string[];
}

/** A reviewed file of instructions for agents. */
export interface LockedInstructions {
  /** Relative to the lock's folder, with `/` between folders. */
  readonly path: string;
  /** SHA-256 of the file. */
  readonly digest: string;
}

/** The project's files that agents read; each list is sorted by path. */
export interface LockedSkills {
  readonly folders: readonly LockedSkill[];
  readonly instructions: readonly LockedInstructions[];
}

/** A lock file: servers sorted by name in code-unit order. */
export interface LockFile {
  readonly lockVersion: typeof LOCK_VERSION;
  /** The accepted policy; absent if none was accepted. */
  readonly policy?: LockedPolicy;
  readonly servers: readonly LockedServer[];
  /** The configuration entries that servers were pinned from; absent if not recorded. No digest covers them. */
  readonly sources?: readonly LockSource[];
  /** Present if `init` created the lock from all configurations of a project. No digest covers it. */
  readonly madeBy?: "init";
  /** The authors' accepted statements, one per server; absent if there are none. No digest covers them. */
  readonly statements?: readonly LockedStatement[];
  /** Authors' replaced and revoked keys, one element per server, if there are any. No digest covers them. */
  readonly authorKeys?: readonly LockedKeys[];
  /** The Agent Skills and instruction files of the project; absent if no one has reviewed them. No digest covers it. */
  readonly skills?: LockedSkills;
}

/** Returns the items of one kind in an entry. */
export function itemsOfEntry(entry: LockedServer, kind: ItemKind): readonly (LockedTool | LockedItem)[] {
  return entry[ITEMS[kind].list];
}

/** Returns the payload of `toolsDigest`: each tool's name, wire digest and number texts, sorted by name. */
export function toolsCanonicalPayload(tools: readonly LockedTool[]): JsonObject[] {
  checkArgument("tools", tools, ["object"]);
  return tools.map(({ definition, digests, numbers, seenBy }) => ({
    name: definition["name"] ?? null,
    wire: digests.wire,
    ...(numbers && { numbers: { ...numbers } }),
    ...(seenBy && { seenBy: [...seenBy] }),
  }));
}

/**
 * Returns the payload of a server's `digest`: its complete entry, with digests instead of definitions, `toolsDigest`
 * instead of the tools, and no `setHashes`. An item that some sessions did not see, or that has number texts, is an
 * object with `digest`, `numbers` and `seenBy`.
 */
export function serverCanonicalPayload(server: LockedServer | Omit<LockedServer, "digest">): Record<string, unknown> {
  checkArgument("server", server, ENTRY);
  const { tools: _tools, setHashes: _setHashes, digest: _digest, ...rest } = server as LockedServer;
  return { ...rest, ...itemsCanonicalPayload(server) };
}

/** Returns the digests of the items that are not tools, by list. */
function itemsCanonicalPayload(
  server: Pick<LockedServer, "contents" | "prompts" | "resources" | "resourceTemplates">,
): Record<string, JsonValue[]> {
  const digests = (items: readonly LockedItem[]): JsonValue[] =>
    items.map(({ digest, numbers, seenBy }) =>
      seenBy === undefined && numbers === undefined
        ? digest
        : { digest, ...(numbers && { numbers: { ...numbers } }), ...(seenBy && { seenBy: [...seenBy] }) },
    );
  return {
    contents: digests(server.contents),
    prompts: digests(server.prompts),
    resources: digests(server.resources),
    resourceTemplates: digests(server.resourceTemplates),
  };
}

/**
 * Returns the payload of the digest of everything that an agent reads: each server's instructions, tools, prompts,
 * resources, templates and contents; the trees of the skills; and the instruction files. Launches are not part of it.
 *
 * @param lock A lock with sorted lists, as returned by {@link parseLock} or {@link createLock}
 * @example
 * ```ts
 * import { hashCanonical } from "@agentprint/canonical-json";
 * import { readingCanonicalPayload } from "@agentprint/mcp-lock";
 *
 * console.log(hashCanonical(readingCanonicalPayload(lock)).length); // 64
 * ```
 */
export function readingCanonicalPayload(lock: Pick<LockFile, "servers" | "skills">): JsonObject {
  checkArgument("lock", lock, { servers: ["object"] });
  const { servers, skills } = lock;
  return {
    servers: servers.map((server) => ({
      name: server.name,
      instructions: server.parts.flatMap(({ part, value, seenBy }) =>
        part === "instructions" ? [{ value, ...(seenBy && { seenBy: [...seenBy] }) }] : [],
      ),
      tools: toolsCanonicalPayload(server.tools),
      ...itemsCanonicalPayload(server),
    })),
    ...(skills && {
      skills: skills.folders.map(({ path, tree }) => [path, tree]),
      instructions: skills.instructions.map(({ path, digest }) => [path, digest]),
    }),
  };
}

/**
 * Returns the payload of the digest that accepts a review of several servers together: the name and the `digest` of
 * each server, sorted by name in code-unit order.
 *
 * @example
 * ```ts
 * import { hashCanonical } from "@agentprint/canonical-json";
 * import { entriesCanonicalPayload } from "@agentprint/mcp-lock";
 *
 * console.log(hashCanonical(entriesCanonicalPayload(lock.servers)).length); // 64
 * ```
 */
export function entriesCanonicalPayload(
  entries: readonly Pick<LockedServer, "name" | "digest">[],
): (readonly [name: string, digest: string])[] {
  checkArgument("entries", entries, ["object"]);
  return entries.map(({ name, digest }) => [name, digest] as const).sort(([a], [b]) => compareCodeUnits(a, b));
}
