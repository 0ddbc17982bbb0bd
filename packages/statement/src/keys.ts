import { sha256Hex } from "@agentprint/canonical-json";
import { publicKeyOf, sign, verify } from "@agentprint/trail/ed25519";
import { fromBase64, isBase64, toBase64 } from "./base64.ts";
import { StatementError } from "./errors.ts";

/** Signs statements. Any object of this shape is a signer, for example one that calls a key server. */
export interface StatementSigner {
  /** The digest of the public key: the SHA-256 of its SubjectPublicKeyInfo, as 64 lowercase hex digits. */
  readonly keyId: string;
  /** Returns the 64 bytes of the Ed25519 signature of a message. */
  readonly sign: (message: Uint8Array) => Uint8Array;
  /** The public key as the Base64 of its SubjectPublicKeyInfo, in one line. */
  readonly publicKey: string;
}

/** Checks signatures made with one key. */
export interface StatementVerifier {
  readonly keyId: string;
  /** The public key as Base64 of its SubjectPublicKeyInfo, one line. */
  readonly publicKey: string;
  readonly verify: (message: Uint8Array, signature: Uint8Array) => boolean;
}

/** The first bytes of an Ed25519 key according to RFC 8410, before the key's own 32 bytes. */
const PREFIX = {
  "PRIVATE KEY": Uint8Array.of(48, 46, 2, 1, 0, 48, 5, 6, 3, 43, 101, 112, 4, 34, 4, 32),
  "PUBLIC KEY": Uint8Array.of(48, 42, 48, 5, 6, 3, 43, 101, 112, 3, 33, 0),
};
const KEY_BYTES = 32;
const SIGNATURE_BYTES = 64;

/**
 * Returns the signer for a private key.
 *
 * @param pem A key file's text: an Ed25519 key as PKCS #8 in PEM, without a passphrase, as `agentprint key generate`
 * and `openssl genpkey -algorithm ed25519` write it
 * @throws {@link StatementError} `invalid-key`; the message never repeats the key
 */
export function createSigner(pem: string): StatementSigner {
  const seed = keyIn(bodyOf(pem, "PRIVATE KEY"), "PRIVATE KEY");
  if (seed === undefined) {
    throw new StatementError("invalid-key", "this is not a private Ed25519 key", {
      expected: "an Ed25519 key as PKCS #8 in PEM, without a passphrase",
    });
  }
  const spki = concatBytes(PREFIX["PUBLIC KEY"], publicKeyOf(seed));
  return { keyId: sha256Hex(spki), sign: (message) => sign(message, seed), publicKey: toBase64(spki) };
}

/**
 * Returns the verifier for a public key.
 *
 * @param text The Ed25519 key as a SubjectPublicKeyInfo, in PEM or in one line of Base64
 * @throws {@link StatementError} `invalid-key`
 */
export function createVerifier(text: string): StatementVerifier {
  const key = keyIn(bodyOf(text, "PUBLIC KEY") ?? text.trim(), "PUBLIC KEY");
  if (key === undefined) {
    throw new StatementError("invalid-key", "this is not a public Ed25519 key", {
      expected: "SubjectPublicKeyInfo of an Ed25519 key, in PEM or Base64",
    });
  }
  const spki = concatBytes(PREFIX["PUBLIC KEY"], key);
  return {
    keyId: sha256Hex(spki),
    publicKey: toBase64(spki),
    verify: (message, signature) => signature.length === SIGNATURE_BYTES && verify(signature, message, key),
  };
}

/** Joins bytes. */
export function concatBytes(head: Uint8Array, rest: Uint8Array): Uint8Array {
  const joined = new Uint8Array(head.length + rest.length);
  joined.set(head);
  joined.set(rest, head.length);
  return joined;
}

/** Returns the Base64 between the PEM header and footer, or `undefined` if there are none. */
function bodyOf(pem: string, label: keyof typeof PREFIX): string | undefined {
  const [begin, end] = [`-----BEGIN ${label}-----`, `-----END ${label}-----`];
  const text = pem.trim();
  if (!text.startsWith(begin) || !text.endsWith(end)) return undefined;
  return text.slice(begin.length, -end.length).replace(/\s/g, "");
}

/** Returns the 32 bytes of a key, or `undefined` if the text is not the Base64 of a key. */
function keyIn(body: string | undefined, label: keyof typeof PREFIX): Uint8Array | undefined {
  if (body === undefined || !isBase64(body)) return undefined;
  const bytes = fromBase64(body);
  const prefix = PREFIX[label];
  const isKey = bytes.length === prefix.length + KEY_BYTES && prefix.every((byte, index) => bytes[index] === byte);
  return isKey && toBase64(bytes) === body ? bytes.subarray(prefix.length) : undefined;
}
