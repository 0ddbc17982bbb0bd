import { sha256Hex } from "@agentprint/canonical-json";
import { publicKeyOf, sign, verify } from "#ed25519";
import { checkArgument } from "../check-argument.ts";
import { quote, TrailError } from "../errors.ts";
import { bytesToHex } from "../hex.ts";
import { concatBytes, fromBase64, toBase64 } from "./bytes.ts";

/** Signature types of signed-note. */
const ED25519 = 1;
const COSIGNATURE_V1 = 4;
const LINE_FEED = 0x0a;
const NAME = /^[^\p{White_Space}\p{Cc}+]+$/u;
const KEY_ID = /^[0-9a-f]{8}$/;

/** Signs notes under a name. Any object of this shape can be a signer, for example one that calls a key server. */
export interface NoteSigner {
  readonly name: string;
  /** The first 4 bytes of SHA-256 over name and key, as 8 lowercase hex digits. */
  readonly keyId: string;
  /** Returns the signature bytes of a note's text. */
  readonly sign: (text: string) => Uint8Array;
  /** Checks the signatures of this signer. A store needs this verifier to tell its own checkpoints from forged ones. */
  readonly verifier?: NoteVerifier;
}

/** Checks the signatures of one key. */
export interface NoteVerifier {
  readonly name: string;
  readonly keyId: string;
  /** 64 lowercase hex digits. Verifiers with the same key count as one witness, even if their names or types differ. */
  readonly publicKey: string;
  readonly verify: (text: string, signature: Uint8Array) => boolean;
  /** Returns when a cosignature was made, in seconds since 1970; `undefined` for a plain signature. */
  readonly timeOf: (signature: Uint8Array) => number | undefined;
}

/** A key pair as text, in the signed-note formats. */
export interface NoteKeys {
  /** Secret; the argument of {@link createNoteSigner} and {@link createCosigner}. */
  readonly signerKey: string;
  /** Public; the argument of {@link createNoteVerifier} to check notes. */
  readonly verifierKey: string;
  /** Public; the argument of {@link createNoteVerifier} to check cosignatures. */
  readonly cosignerKey: string;
}

/**
 * Makes the keys of `name` from a seed of 32 secret random bytes.
 *
 * @throws {@link TrailError} `invalid-key` when `name` is empty or has white space, control characters or `+`, or `seed`
 * is not 32 bytes.
 *
 * @example
 * ```ts
 * import { createNoteKeys } from "@agentprint/trail/checkpoint";
 *
 * const { signerKey, verifierKey } = createNoteKeys("example.com/trail", crypto.getRandomValues(new Uint8Array(32)));
 * ```
 */
export function createNoteKeys(name: string, seed: Uint8Array): NoteKeys {
  checkArgument("name", name, "string");
  checkArgument("seed", seed, "bytes");
  checkName(name);
  if (seed.length !== 32) throw new TrailError("invalid-key", `expected a seed of 32 bytes, received ${seed.length}`);
  const publicKey = publicKeyOf(seed);
  const keyText = (type: number, key: Uint8Array): string =>
    `${name}+${keyIdOf(name, type, publicKey)}+${toBase64(concatBytes(Uint8Array.of(type), key))}`;
  return {
    signerKey: `PRIVATE+KEY+${keyText(ED25519, seed)}`,
    verifierKey: keyText(ED25519, publicKey),
    cosignerKey: keyText(COSIGNATURE_V1, publicKey),
  };
}

/**
 * Makes a signer of notes from its secret key.
 *
 * @throws {@link TrailError} `invalid-key` when `signerKey` is not a secret key; the message never repeats the key.
 */
export function createNoteSigner(signerKey: string): NoteSigner {
  checkArgument("signerKey", signerKey, "string");
  const { name, seed, publicKey } = parseSignerKey(signerKey);
  const verifier = noteVerifier(name, publicKey);
  return { name, keyId: verifier.keyId, sign: (text) => sign(concatBytes(text), seed), verifier };
}

/**
 * Makes a witness, which signs a checkpoint together with the time, as C2SP tlog-cosignature (v1) specifies. Before a
 * witness signs, it must check that the checkpoint is consistent with the last one that it signed; this function does
 * not.
 *
 * @param now returns the time of signing in seconds since 1970, from 0 to 2^53 - 1. `sign` throws {@link TrailError}
 * `invalid-time` when it returns anything else.
 * @throws {@link TrailError} `invalid-key` when `signerKey` is not a secret key; the message never repeats the key.
 */
export function createCosigner(signerKey: string, now: () => number): NoteSigner {
  checkArgument("signerKey", signerKey, "string");
  checkArgument("now", now, "function");
  const { name, seed, publicKey } = parseSignerKey(signerKey);
  const verifier = cosignatureVerifier(name, publicKey);
  return {
    name,
    keyId: verifier.keyId,
    sign: (text) => {
      const time = timeBytes(now());
      return concatBytes(time, sign(cosignedMessage(time, text), seed));
    },
    verifier,
  };
}

/**
 * Makes a verifier from a signed-note public key: `verifierKey` or `cosignerKey` of {@link createNoteKeys}, or a key
 * that another implementation wrote.
 *
 * @throws {@link TrailError} `invalid-key` when `key` is not a public key.
 */
export function createNoteVerifier(key: string): NoteVerifier {
  checkArgument("key", key, "string");
  const { name, keyId, type, bytes: publicKey } = parseKey(key);
  if (keyId !== keyIdOf(name, type, publicKey)) {
    throw new TrailError("invalid-key", `key of ${quote(name)}: its id ${quote(keyId)} does not match its bytes`);
  }
  return type === ED25519 ? noteVerifier(name, publicKey) : cosignatureVerifier(name, publicKey);
}

function noteVerifier(name: string, publicKey: Uint8Array): NoteVerifier {
  return {
    name,
    keyId: keyIdOf(name, ED25519, publicKey),
    publicKey: bytesToHex(publicKey),
    verify: (text, signature) => signature.length === 64 && verify(signature, concatBytes(text), publicKey),
    timeOf: () => undefined,
  };
}

function cosignatureVerifier(name: string, publicKey: Uint8Array): NoteVerifier {
  return {
    name,
    keyId: keyIdOf(name, COSIGNATURE_V1, publicKey),
    publicKey: bytesToHex(publicKey),
    verify: (text, signature) =>
      signature.length === 72 &&
      Number.isSafeInteger(readTime(signature)) &&
      verify(signature.subarray(8), cosignedMessage(signature.subarray(0, 8), text), publicKey),
    timeOf: (signature) => readTime(signature),
  };
}

function timeBytes(now: number): Uint8Array {
  const seconds = Math.floor(now);
  if (!Number.isSafeInteger(seconds) || seconds < 0) {
    throw new TrailError("invalid-time", `expected seconds since 1970, from 0 to 2^53 - 1, received ${String(now)}`);
  }
  const time = new Uint8Array(8);
  new DataView(time.buffer).setBigUint64(0, BigInt(seconds));
  return time;
}

function cosignedMessage(time: Uint8Array, text: string): Uint8Array {
  return concatBytes(`cosignature/v1\ntime ${readTime(time)}\n${text}`);
}

function readTime(bytes: Uint8Array): number {
  return Number(new DataView(bytes.buffer, bytes.byteOffset, 8).getBigUint64(0));
}

function keyIdOf(name: string, type: number, publicKey: Uint8Array): string {
  return sha256Hex(concatBytes(name, Uint8Array.of(LINE_FEED, type), publicKey)).slice(0, 8);
}

function parseSignerKey(key: string): { name: string; seed: Uint8Array; publicKey: Uint8Array } {
  if (!key.startsWith("PRIVATE+KEY+")) throw new TrailError("invalid-key", "a secret key begins with PRIVATE+KEY+");
  const { name, keyId, type, bytes: seed } = parseKey(key.slice("PRIVATE+KEY+".length));
  const publicKey = publicKeyOf(seed);
  if (type !== ED25519 || keyId !== keyIdOf(name, ED25519, publicKey)) {
    throw new TrailError("invalid-key", `secret key of ${quote(name)}: expected Ed25519 (type 1) with its own key id`);
  }
  return { name, seed, publicKey };
}

function parseKey(key: string): { name: string; keyId: string; type: number; bytes: Uint8Array } {
  const [, name, keyId, encoded] = /^([^+]*)\+([0-9a-f]{8})\+(.*)$/su.exec(key) ?? [];
  if (name === undefined || keyId === undefined || encoded === undefined) {
    throw new TrailError("invalid-key", "expected <name>+<8 hex digits>+<Base64>");
  }
  checkName(name);
  const bytes = fromBase64(encoded, "invalid-key", `key of ${quote(name)}`);
  const type = bytes[0];
  if (bytes.length !== 33 || (type !== ED25519 && type !== COSIGNATURE_V1)) {
    throw new TrailError("invalid-key", `key of ${quote(name)}: expected type 1 or 4 and 32 bytes`);
  }
  return { name, keyId, type, bytes: bytes.subarray(1) };
}

/** @throws {@link TrailError} `invalid-key` when the name or the key id of `signer` is not allowed in a signature line. */
export function checkSigner({ name, keyId }: NoteSigner): void {
  checkName(name);
  if (!KEY_ID.test(keyId))
    throw new TrailError("invalid-key", `key id of ${quote(name)}: expected 8 lowercase hex digits`);
}

function checkName(name: string): void {
  if (typeof name !== "string" || !NAME.test(name) || !name.isWellFormed()) {
    const expected = 'expected no white space, no control character and no "+"';
    throw new TrailError("invalid-key", `key name ${quote(String(name))}: ${expected}`);
  }
}
