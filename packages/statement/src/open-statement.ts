import { canonicalizeToBytes, sha256Hex } from "@agentprint/canonical-json";
import { RELEASE_LEVELS, type ReleaseLevel } from "@agentprint/release";
import { z } from "zod";
import { type OpenedEnvelope, openEnvelope, readJson, sealEnvelope } from "./envelope.ts";
import { hash, text, time } from "./fields.ts";
import type { StatementSigner, StatementVerifier } from "./keys.ts";
import { checkShape } from "./shape.ts";
import { type OpenedStatement, PREDICATE_TYPE, STATEMENT_TYPE, type Statement } from "./statement.ts";

/** There are two eras with two views each; later versions may have more. */
const MAX_SESSIONS = 16;

const seenBy = z.array(text).min(1).max(MAX_SESSIONS).optional();
const sets = z
  .array(z.object({ tools: hash, prompts: hash, instructions: hash.optional(), seenBy }))
  .min(1)
  .max(MAX_SESSIONS);
const item = z.object({ name: z.string(), hash, seenBy });
const layers = z.object({ contract: hash, prose: hash, hints: hash, rest: hash });
const subject = z
  .object({
    name: text.optional(),
    uri: text.optional(),
    digest: z
      .record(text, z.string().regex(/^(?:[0-9a-f]{2})+$/, "lowercase hex digits"))
      .refine((digests) => Object.keys(digests).length > 0, "at least one digest"),
  })
  .refine(({ name, uri }) => name !== undefined || uri !== undefined, "a name or a uri");

const STATEMENT = z.object({
  _type: z.literal(STATEMENT_TYPE),
  subject: z.array(subject).min(1),
  predicateType: z.literal(PREDICATE_TYPE),
  predicate: z
    .object({
      server: z.object({ name: text, version: text }),
      definitions: z.object({
        client: text,
        sessions: z
          .array(z.object({ session: text, protocolVersion: text }))
          .min(1)
          .max(MAX_SESSIONS),
        sets,
        tools: z.array(item.extend({ layers })),
        prompts: z.array(item),
        resources: z.array(item),
        resourceTemplates: z.array(item),
        contents: z.array(item),
      }),
      verdict: z
        .object({
          level: z.enum(RELEASE_LEVELS as readonly [ReleaseLevel, ...ReleaseLevel[]]),
          against: z.object({ version: text, sets, statement: z.object({ sha256: hash }).optional() }),
        })
        .optional(),
      aliases: z.record(text, text).optional(),
      issued: time,
      expires: time,
    })
    .refine(({ issued, expires }) => issued < expires, { message: "a time after issued", path: ["expires"] }),
});

/**
 * Signs a statement and returns the text of its envelope. The payload is the statement's RFC 8785 text.
 *
 * @throws {@link StatementError} `invalid-statement`
 */
export function signStatement(statement: Statement, signer: StatementSigner): string {
  return sealEnvelope(payloadOf(statement), signer);
}

/**
 * Returns the payload for a statement's envelope: the statement's RFC 8785 text.
 *
 * @throws {@link StatementError} `invalid-statement`
 */
export function payloadOf(statement: Statement): Uint8Array {
  const payload = canonicalizeToBytes(statement);
  readStatement(payload);
  return payload;
}

/**
 * Reads a statement that one of the keys signed. Nothing in it is read before its signature is verified.
 *
 * @param envelope The envelope's text, at most 16 MiB
 * @param keys The keys that may sign for the server
 * @throws {@link StatementError} `invalid-envelope`, `wrong-key`, `invalid-signature`, `invalid-statement`
 */
export function openStatement(envelope: string | Uint8Array, keys: readonly StatementVerifier[]): OpenedStatement {
  return openPayload(openEnvelope(envelope, keys));
}

/** @throws {@link StatementError} `invalid-statement` */
export function openPayload({ payload, keyId }: OpenedEnvelope): OpenedStatement {
  return { statement: readStatement(payload), digest: sha256Hex(payload), keyId };
}

function readStatement(payload: Uint8Array): Statement {
  return checkShape(STATEMENT, readJson(payload, "invalid-statement"), "invalid-statement") as Statement;
}
