import { isJsonObject, isSha256Hex, type JsonObject, type JsonValue } from "@agentprint/canonical-json";
import type { SessionName } from "@agentprint/mcp";
import { z } from "zod";
import type { LockedServer, LockFile } from "../src/index.ts";

// The shapes of a lock file, repeated as schemas of a schema library.

const Definition = z.custom<JsonObject>(isJsonObject);
const Value = z.custom<JsonValue>((value) => value !== undefined);
/** An object whose members are strings; the library's record ignores a member `__proto__`. */
const Texts = z.custom<Readonly<Record<string, string>>>(isJsonObject).superRefine((value, context) => {
  for (const [name, member] of Object.entries<unknown>(value)) {
    if (typeof member !== "string") context.addIssue({ code: "custom", path: [name] });
  }
});
const Digest = z.string().refine(isSha256Hex);
const Digests = z.strictObject({ wire: Digest, contract: Digest, prose: Digest, hints: Digest, rest: Digest });
const Launch = z.discriminatedUnion("type", [
  z.strictObject({
    type: z.literal("stdio"),
    command: z.string(),
    args: z.array(z.string()),
    cwd: z.string().exactOptional(),
    env: z.array(z.string()),
  }),
  z.strictObject({ type: z.literal("http"), url: z.string(), headers: z.array(z.string()) }),
]);
const Session: z.ZodType<SessionName> = z.enum(["legacy/bare", "legacy/client", "modern/bare", "modern/client"]);
const SeenBy = z.array(Session).min(1).exactOptional();
const Sets = z
  .array(z.strictObject({ tools: Digest, prompts: Digest, instructions: Digest.exactOptional(), seenBy: SeenBy }))
  .min(1);
const Item = z.strictObject({ definition: Definition, digest: Digest, numbers: Texts.exactOptional(), seenBy: SeenBy });
const Items = z.array(Item);
/** The schema of an entry. */
export const EntrySchema: z.ZodType<Omit<LockedServer, "coverage">> = z.strictObject({
  name: z.string(),
  launch: Launch,
  files: z
    .array(z.strictObject({ pointer: z.string(), digest: Digest }))
    .min(1)
    .exactOptional(),
  artifacts: z
    .array(
      z.strictObject({
        pointer: z.string(),
        kind: z.enum(["npm", "pypi", "oci"]),
        name: z.string(),
        version: z.string(),
        integrity: z.string().exactOptional(),
        files: z.record(z.string(), z.string()).exactOptional(),
        dependencies: z.record(z.string(), z.string()).exactOptional(),
      }),
    )
    .min(1)
    .exactOptional(),
  auth: z
    .strictObject({
      issuer: z.string(),
      resource: z.string(),
      scopes: z.array(z.string()),
      client: z.enum(["pre-registered", "metadata-document", "dynamic"]),
      account: z.string().exactOptional(),
      endpoints: Texts,
    })
    .exactOptional(),
  client: z.string(),
  clientCapabilities: Definition,
  sessions: z
    .array(z.strictObject({ session: Session, protocolVersion: z.string(), supportedVersions: Value.exactOptional() }))
    .min(1),
  unstable: z.array(z.string()).exactOptional(),
  parts: z.array(
    z.strictObject({
      part: z.enum(["capabilities", "greeting", "instructions", "listMembers", "serverInfo"]),
      value: Value,
      seenBy: SeenBy,
    }),
  ),
  tools: z.array(
    z.strictObject({ definition: Definition, digests: Digests, numbers: Texts.exactOptional(), seenBy: SeenBy }),
  ),
  prompts: Items,
  resources: Items,
  resourceTemplates: Items,
  contents: z.array(Item.extend({ result: Definition.exactOptional() })),
  toolsDigest: Digest,
  setHashes: Sets,
  digest: Digest,
});

/** A lock file whose entries may be any objects. */
export const LockSchema: z.ZodType<Omit<LockFile, "servers"> & { servers: JsonObject[] }> = z.strictObject({
  lockVersion: z.literal(2),
  policy: z.strictObject({ digest: Digest, policy: Definition }).exactOptional(),
  servers: z.array(Definition),
  sources: z.array(z.strictObject({ config: z.string(), entry: z.string(), server: z.string() })).exactOptional(),
  madeBy: z.literal("init").exactOptional(),
  statements: z
    .array(z.strictObject({ server: z.string(), sha256: Digest, version: z.string(), issued: z.string(), sets: Sets }))
    .min(1)
    .exactOptional(),
  authorKeys: z
    .array(
      z.strictObject({
        server: z.string(),
        history: z.array(Digest).min(1),
        successors: z.array(z.strictObject({ key: z.string(), successor: z.string() })),
        revoked: z.array(z.strictObject({ key: z.string(), since: z.string() })),
      }),
    )
    .min(1)
    .exactOptional(),
  skills: z
    .strictObject({
      folders: z.array(
        z.strictObject({
          path: z.string(),
          name: z.string(),
          tree: Digest,
          text: Digest,
          scripts: z.record(z.string(), Digest),
          rest: Digest,
          allowedTools: z.array(z.string()).exactOptional(),
        }),
      ),
      instructions: z.array(z.strictObject({ path: z.string(), digest: Digest })),
    })
    .exactOptional(),
});
