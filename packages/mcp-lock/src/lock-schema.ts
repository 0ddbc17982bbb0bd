import { z } from "zod";
import { isObject } from "./json-object.ts";
import { LOCK_VERSION, type LockFile } from "./lock.ts";
import type { JsonObject } from "./snapshot.ts";

// By reference: a definition is checked by its digest, and copying could lose a member named `__proto__`.
const Definition = z.custom<JsonObject>(isObject, "expected a JSON object");
const Digest = z.string().regex(/^[0-9a-f]{64}$/, "expected 64 lowercase hexadecimal digits");
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
const Tools = z.array(
  z.strictObject({
    definition: Definition,
    digests: z.strictObject({ wire: Digest, contract: Digest, prose: Digest, hints: Digest, rest: Digest }),
  }),
);

/** The shape of a lock file. `parseLock` also recomputes every digest. */
export const LockFileSchema: z.ZodType<LockFile> = z.strictObject({
  lockVersion: z.literal(LOCK_VERSION),
  servers: z.array(
    z.strictObject({
      name: z.string(),
      launch: Launch,
      clientCapabilities: Definition,
      protocolVersion: z.string(),
      serverInfo: Definition,
      capabilities: Definition,
      instructions: z.string().exactOptional(),
      tools: Tools,
      prompts: Items,
      resources: Items,
      resourceTemplates: Items,
      toolsDigest: Digest,
      digest: Digest,
    }),
  ),
});
