import { createPrivateKey, createPublicKey, type KeyObject, sign, verify } from "node:crypto";
import { sha256Hex } from "@agentprint/canonical-json";
import { StatementError } from "./errors.ts";

/** Signs statements. Any object of this shape is a signer, for example one that asks a key server. */
export interface StatementSigner {
  /** The digest of the public key: SHA-256 of its SubjectPublicKeyInfo, 64 lowercase hex digits. */
  readonly keyId: string;
  /** The 64 bytes of the Ed25519 signature of a message. */
  readonly sign: (message: Uint8Array) => Uint8Array;
  /** The public key as Base64 of its SubjectPublicKeyInfo, one line. */
  readonly publicKey: string;
}

/** Checks the signatures of one key. */
export interface StatementVerifier {
  readonly keyId: string;
  readonly verify: (message: Uint8Array, signature: Uint8Array) => boolean;
}

/** The first bytes of the SubjectPublicKeyInfo of an Ed25519 key (RFC 8410); the 32 bytes of the key follow. */
const SPKI_PREFIX = "302a300506032b6570032100";
const PUBLIC_KEY_BYTES = 44;

/**
 * Returns the signer of a private key.
 *
 * @param pem The text of a key file: an Ed25519 key as PKCS #8 in PEM, without a passphrase, as `openssl genpkey -algorithm ed25519` writes it
 * @throws {@link StatementError} `invalid-key`; the message never repeats the key
 */
export function createSigner(pem: string): StatementSigner {
  const key = privateKeyOf(pem);
  const spki = new Uint8Array(createPublicKey(key).export({ format: "der", type: "spki" }));
  return {
    keyId: sha256Hex(spki),
    sign: (message) => new Uint8Array(sign(null, message, key)),
    publicKey: Buffer.from(spki).toString("base64"),
  };
}

/**
 * Returns the verifier of a public key.
 *
 * @param text The Ed25519 key as SubjectPublicKeyInfo, in PEM or as its Base64 in one line
 * @throws {@link StatementError} `invalid-key`
 */
export function createVerifier(text: string): StatementVerifier {
  const [, body = text.trim()] =
    /^-----BEGIN PUBLIC KEY-----([\s\S]*)-----END PUBLIC KEY-----$/.exec(text.trim()) ?? [];
  const spki = Buffer.from(body, "base64");
  const isWritten = spki.toString("base64") === body.replace(/\s/g, "");
  if (!isWritten || spki.length !== PUBLIC_KEY_BYTES || !spki.toString("hex").startsWith(SPKI_PREFIX)) {
    throw invalidKey("this is no public Ed25519 key", "SubjectPublicKeyInfo of an Ed25519 key, in PEM or Base64");
  }
  const key = createPublicKey({ key: spki, format: "der", type: "spki" });
  return { keyId: sha256Hex(spki), verify: (message, signature) => verify(null, message, key, signature) };
}

function privateKeyOf(pem: string): KeyObject {
  const expected = "an Ed25519 key as PKCS #8 in PEM, without a passphrase";
  let key: KeyObject;
  try {
    key = createPrivateKey(pem);
  } catch {
    // The cause of OpenSSL is left out: it could quote the file.
    throw invalidKey("this is no private key", expected);
  }
  if (key.asymmetricKeyType === "ed25519") return key;
  throw invalidKey(`this is a key of ${key.asymmetricKeyType}`, expected);
}

function invalidKey(message: string, expected: string): StatementError {
  return new StatementError("invalid-key", message, { expected });
}
