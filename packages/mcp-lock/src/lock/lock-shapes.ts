import type { Launch, LaunchCoverage, LockedArtifact, LockedFile } from "@agentprint/launch";
import { type ServerAuth, type SessionName, UNREAD_LISTS } from "@agentprint/mcp";
import type { ToolFingerprint } from "@agentprint/tool-pins";
import { VARYING_KINDS, type VaryingMember } from "../varies/varying-member.ts";
import type { SaidPart } from "../visit/read-session.ts";
import {
  LOCK_VERSION,
  type LockedContent,
  type LockedInstructions,
  type LockedItem,
  type LockedKeys,
  type LockedPart,
  type LockedPolicy,
  type LockedServer,
  type LockedSession,
  type LockedSkill,
  type LockedSkills,
  type LockedStatement,
  type LockedTool,
  type LockFile,
  type LockSource,
  type SetHashes,
} from "./lock.ts";
import {
  byType,
  digest,
  digestsByName,
  json,
  list,
  members,
  nonEmptyList,
  object,
  oneOf,
  optional,
  type Shape,
  text,
  texts,
} from "./shape.ts";

/**
 * The shapes of a lock file, as a table, because loading a schema library would take longer than checking a small lock.
 * Each object has exactly the members of its interface, so that the code does not compile if an interface gets a member
 * without a row here.
 */

const SESSIONS: readonly SessionName[] = ["legacy/bare", "legacy/client", "modern/bare", "modern/client"];
const PARTS: readonly SaidPart[] = ["capabilities", "greeting", "instructions", "listMembers", "serverInfo"];

type LaunchOf<T extends Launch["type"]> = Extract<Launch, { type: T }>;

const launch = byType({
  stdio: members<LaunchOf<"stdio">>({
    type: oneOf(["stdio"]),
    command: text,
    args: list(text),
    cwd: optional(text),
    env: list(text),
  }),
  http: members<LaunchOf<"http">>({ type: oneOf(["http"]), url: text, headers: list(text) }),
});

const digests = members<ToolFingerprint>({
  wire: digest,
  contract: digest,
  prose: digest,
  hints: digest,
  rest: digest,
});
const seenBy = optional(nonEmptyList(oneOf(SESSIONS)));
const sets = nonEmptyList(
  members<SetHashes>({ tools: digest, prompts: digest, instructions: optional(digest), seenBy }),
);
const item = { definition: object, digest, numbers: optional(texts), seenBy };
const items = list(members<LockedItem>(item));

const skills = members<LockedSkills>({
  folders: list(
    members<LockedSkill>({
      path: text,
      name: text,
      tree: digest,
      text: digest,
      scripts: digestsByName,
      rest: digest,
      allowedTools: optional(list(text)),
    }),
  ),
  instructions: list(members<LockedInstructions>({ path: text, digest })),
});

/** A lock file; its entries may be any objects. */
export const lockShape: Shape = members<LockFile>({
  lockVersion: oneOf([LOCK_VERSION]),
  policy: optional(members<LockedPolicy>({ digest, policy: object })),
  servers: list(object),
  sources: optional(list(members<LockSource>({ config: text, entry: text, server: text }))),
  madeBy: optional(oneOf(["init"])),
  statements: optional(
    nonEmptyList(members<LockedStatement>({ server: text, sha256: digest, version: text, issued: text, sets })),
  ),
  authorKeys: optional(
    nonEmptyList(
      members<LockedKeys>({
        server: text,
        history: nonEmptyList(digest),
        successors: list(members<LockedKeys["successors"][number]>({ key: text, successor: text })),
        revoked: list(members<LockedKeys["revoked"][number]>({ key: text, since: text })),
      }),
    ),
  ),
  skills: optional(skills),
});

/** The shape of an entry. */
export const entryShape: Shape = members<LockedServer>({
  name: text,
  launch,
  files: optional(nonEmptyList(members<LockedFile>({ pointer: text, digest }))),
  coverage: optional(
    members<LaunchCoverage>({
      state: oneOf(["files", "artifact", "not covered"]),
      word: optional(text),
      pointer: optional(text),
      envFiles: optional(nonEmptyList(text)),
    }),
  ),
  artifacts: optional(
    nonEmptyList(
      members<LockedArtifact>({
        pointer: text,
        kind: oneOf(["npm", "pypi", "oci"]),
        name: text,
        version: text,
        integrity: optional(text),
        files: optional(texts),
        dependencies: optional(texts),
        scripts: optional(nonEmptyList(text)),
      }),
    ),
  ),
  auth: optional(
    members<ServerAuth>({
      issuer: text,
      resource: text,
      scopes: list(text),
      client: oneOf(["pre-registered", "metadata-document", "dynamic"]),
      account: optional(text),
      endpoints: texts,
    }),
  ),
  client: text,
  clientCapabilities: object,
  sessions: nonEmptyList(
    members<LockedSession>({
      session: oneOf(SESSIONS),
      protocolVersion: text,
      supportedVersions: optional(json),
      unread: optional(nonEmptyList(oneOf(UNREAD_LISTS))),
    }),
  ),
  unstable: optional(list(text)),
  varies: optional(
    nonEmptyList(
      members<VaryingMember>({
        kind: oneOf(VARYING_KINDS),
        name: optional(text),
        pointer: text,
        as: oneOf(["any", "set"]),
      }),
    ),
  ),
  parts: list(members<LockedPart>({ part: oneOf(PARTS), value: json, seenBy })),
  tools: list(members<LockedTool>({ definition: object, digests, numbers: optional(texts), seenBy })),
  prompts: items,
  resources: items,
  resourceTemplates: items,
  contents: list(members<LockedContent>({ ...item, result: optional(object) })),
  toolsDigest: digest,
  setHashes: sets,
  digest,
});
