import { CanonicalJsonError, isJsonObject, type JsonValue, parseJson } from "@agentprint/canonical-json";
import { z } from "zod";
import { fromBase64, isBase64, toBase64 } from "./base64.ts";
import { StatementError, type StatementErrorCode } from "./errors.ts";
import { concatBytes, type StatementSigner, type StatementVerifier } from "./keys.ts";
import { checkShape } from "./shape.ts";

/** The in-toto payload type. */
export const PAYLOAD_TYPE = "application/vnd.in-toto+json";

/** The type of Sigstore bundles that are read. */
export const BUNDLE_TYPE = "application/vnd.dev.sigstore.bundle.v0.3+json";

/** The length of the longest envelope, in bytes. */
export const MAX_STATEMENT_BYTES: number = 16 * 1024 * 1024;

const base64 = z.string().refine(isBase64, "Base64 with padding");

const ENVELOPE = z.object({
  payloadType: z.literal(PAYLOAD_TYPE),
  payload: base64,
  signatures: z.array(z.object({ keyid: z.string().max(1024).optional(), sig: base64 })).max(64),
});

const encoder = new TextEncoder();

/** A DSSE envelope whose signature has been checked. */
export interface OpenedEnvelope {
  readonly payload: Uint8Array;
  /** The key that signed, or for a bundle the identity in the certificate. */
  readonly keyId: string;
}

/**
 * Returns the bytes that a DSSE v1 signature covers: `DSSEv1`, the type and the payload, each with its length in bytes.
 *
 * @example
 * ```ts
 * import { preAuthEncoding } from "@agentprint/statement";
 *
 * const bytes = preAuthEncoding("http://example.com/HelloWorld", new TextEncoder().encode("hello world"));
 * console.log(new TextDecoder().decode(bytes)); // DSSEv1 29 http://example.com/HelloWorld 11 hello world
 * ```
 */
export function preAuthEncoding(payloadType: string, payload: Uint8Array): Uint8Array {
  const head = `DSSEv1 ${encoder.encode(payloadType).length} ${payloadType} ${payload.length} `;
  return concatBytes(encoder.encode(head), payload);
}

/** A DSSE envelope whose signatures have not been checked. */
export interface ReadEnvelope {
  readonly payload: Uint8Array;
  readonly signatures: readonly { readonly keyid?: string | undefined; readonly sig: string }[];
}

/** Returns the envelope for a payload, with one signature if there is a signer. */
export function envelopeOf(payload: Uint8Array, signer?: StatementSigner): object {
  const sign = ({ keyId, sign }: StatementSigner) => ({
    keyid: keyId,
    sig: toBase64(sign(preAuthEncoding(PAYLOAD_TYPE, payload))),
  });
  return { payloadType: PAYLOAD_TYPE, payload: toBase64(payload), signatures: signer ? [sign(signer)] : [] };
}

/** Returns the text of an in-toto envelope with one signature and a line feed at its end. */
export function sealEnvelope(payload: Uint8Array, signer: StatementSigner): string {
  return `${JSON.stringify(envelopeOf(payload, signer), undefined, 2)}\n`;
}

/** Returns the same envelope as one line. */
export function sealLine(payload: Uint8Array, signer: StatementSigner): string {
  return `${JSON.stringify(envelopeOf(payload, signer))}\n`;
}

/**
 * Returns an in-toto envelope.
 *
 * @param maxBytes The length of the longest text, in bytes
 * @throws {@link StatementError} `invalid-envelope`
 */
export function readEnvelope(text: string | Uint8Array, maxBytes: number = MAX_STATEMENT_BYTES): ReadEnvelope {
  return envelopeIn(readJson(text, "invalid-envelope", maxBytes));
}

/**
 * Returns the envelope in a Sigstore bundle. Verifies nothing in the bundle.
 *
 * @throws {@link StatementError} `invalid-envelope`
 */
export function readBundled(text: string | Uint8Array): ReadEnvelope {
  const value = readJson(text, "invalid-envelope");
  return envelopeIn(isJsonObject(value) ? (value["dsseEnvelope"] ?? null) : null);
}

function envelopeIn(value: JsonValue): ReadEnvelope {
  const { payload, signatures } = checkShape(ENVELOPE, value, "invalid-envelope");
  return { payload: fromBase64(payload), signatures };
}

/**
 * Returns the payload of an envelope that one of the keys signed. The id next to a signature is only a hint, so each
 * key is tried with each signature.
 *
 * @throws {@link StatementError} `invalid-envelope`, `wrong-key`, `invalid-signature`
 */
export function openEnvelope(text: string | Uint8Array, keys: readonly StatementVerifier[]): OpenedEnvelope {
  const envelope = readEnvelope(text);
  if (envelope.signatures.length === 0) {
    const expected = "at least one signature";
    throw new StatementError("invalid-envelope", "the envelope has no signature", { path: "/signatures", expected });
  }
  return { payload: envelope.payload, keyId: signerOf(envelope, keys) };
}

/**
 * Returns the id of the key, among these keys, that signed an envelope.
 *
 * @throws {@link StatementError} `wrong-key`, `invalid-signature`
 */
export function signerOf({ payload, signatures }: ReadEnvelope, keys: readonly StatementVerifier[]): string {
  const message = preAuthEncoding(PAYLOAD_TYPE, payload);
  for (const { sig } of signatures) {
    const signature = fromBase64(sig);
    const key = keys.find(({ verify }) => verify(message, signature));
    if (key !== undefined) return key.keyId;
  }
  const trusted = new Set(keys.map(({ keyId }) => keyId));
  const named = signatures.findIndex(({ keyid }) => keyid !== undefined && trusted.has(keyid));
  if (named < 0) {
    throw new StatementError("wrong-key", "no trusted key signed the statement", {
      path: "/signatures",
      expected: "a signature of a trusted key",
    });
  }
  throw new StatementError("invalid-signature", "the signature does not belong to this key and this statement", {
    path: `/signatures/${named}/sig`,
    expected: "the signature of the payload by the key that it names",
  });
}

/** Returns whether a text is a Sigstore bundle with an envelope, and not a bare envelope. The bundle may be damaged. */
export function isBundle(text: string | Uint8Array): boolean {
  try {
    const value = readJson(text, "invalid-envelope");
    return isJsonObject(value) && Object.hasOwn(value, "dsseEnvelope");
  } catch (error) {
    if (!(error instanceof StatementError)) throw error;
    return false;
  }
}

/** @throws {@link StatementError} `code` if a text is not strict JSON of at most `maxBytes` bytes */
export function readJson(
  text: string | Uint8Array,
  code: StatementErrorCode,
  maxBytes: number = MAX_STATEMENT_BYTES,
): JsonValue {
  try {
    return parseJson(text, { maxBytes });
  } catch (error) {
    if (!(error instanceof CanonicalJsonError)) throw error;
    throw new StatementError(
      code,
      error.message,
      { path: error.path, expected: `strict JSON of at most ${maxBytes / 2 ** 20} MiB` },
      error,
    );
  }
}
