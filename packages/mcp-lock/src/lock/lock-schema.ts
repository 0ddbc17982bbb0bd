import { isJsonObject, isSha256Hex, type JsonObject, type JsonValue } from "@agentprint/canonical-json";
import { z } from "zod";
import type { SessionName } from "../visit/visit-answers.ts";
import { LOCK_VERSION, type LockEntry, type LockedServer, type LockedServerV1 } from "./lock.ts";

/** The shapes of a lock file. */
interface LockSchemas {
  /** A lock file whose entries may be any objects. */
  readonly file: z.ZodType<{ lockVersion: 1 | typeof LOCK_VERSION; servers: JsonObject[] }>;
  /** An entry of version 1. */
  readonly serverV1: z.ZodType<LockedServerV1>;
  /** An entry of version 2. */
  readonly server: z.ZodType<LockedServer>;
}

let schemas: LockSchemas | undefined;

/** The shapes of a lock file. The first call builds them, so that a bundle that reads no lock holds no zod. */
export function lockSchemas(): LockSchemas {
  schemas ??= buildSchemas();
  return schemas;
}

/** The schema of an entry. In a lock of version 2 an entry that version 1 pinned keeps the shape of version 1. */
export function schemaOfEntry(entry: JsonObject, lockVersion: number): z.ZodType<LockEntry> {
  return lockVersion > 1 && "sessions" in entry ? lockSchemas().server : lockSchemas().serverV1;
}

function buildSchemas(): LockSchemas {
  // By reference: a definition is checked by its digest, and copying could lose a member named `__proto__`.
  const Definition = z.custom<JsonObject>(isJsonObject, "expected a JSON object");
  const Value = z.custom<JsonValue>((value) => value !== undefined, "expected a JSON value");
  const Digest = z.string().refine(isSha256Hex, "expected 64 lowercase hexadecimal digits");
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
  const Items = z.array(z.strictObject({ definition: Definition, digest: Digest }));
  const serverV1 = z.strictObject({
    name: z.string(),
    launch: Launch,
    clientCapabilities: Definition,
    protocolVersion: z.string(),
    serverInfo: Definition,
    capabilities: Definition,
    instructions: z.string().exactOptional(),
    tools: z.array(z.strictObject({ definition: Definition, digests: Digests })),
    prompts: Items,
    resources: Items,
    resourceTemplates: Items,
    toolsDigest: Digest,
    digest: Digest,
  });
  const Session: z.ZodType<SessionName> = z.enum(["legacy/bare", "legacy/client", "modern/bare", "modern/client"]);
  const SeenBy = z.array(Session).min(1).exactOptional();
  const SeenItems = z.array(z.strictObject({ definition: Definition, digest: Digest, seenBy: SeenBy }));
  const server = z.strictObject({
    name: z.string(),
    launch: Launch,
    client: z.string(),
    clientCapabilities: Definition,
    sessions: z
      .array(
        z.strictObject({ session: Session, protocolVersion: z.string(), supportedVersions: Value.exactOptional() }),
      )
      .min(1),
    unstable: z.array(z.string()).exactOptional(),
    parts: z.array(
      z.strictObject({
        part: z.enum(["capabilities", "greeting", "instructions", "listMembers", "serverInfo"]),
        value: Value,
        seenBy: SeenBy,
      }),
    ),
    tools: z.array(z.strictObject({ definition: Definition, digests: Digests, seenBy: SeenBy })),
    prompts: SeenItems,
    resources: SeenItems,
    resourceTemplates: SeenItems,
    contents: SeenItems,
    toolsDigest: Digest,
    digest: Digest,
  });
  const file = z.strictObject({ lockVersion: z.literal([1, LOCK_VERSION]), servers: z.array(Definition) });
  return { file, serverV1, server };
}
