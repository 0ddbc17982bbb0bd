import type { NoteSigner, NoteVerifier } from "@agentprint/trail/checkpoint";
import { macWith } from "#mac";
import { checkArgument } from "../check-argument.ts";
import { RecorderError } from "../errors.ts";
import { keyIdOf } from "./key-id.ts";

const MIN_SECRET_BYTES = 32;
/** The Base64 of 64 bytes. */
const SIGNATURE = /^[A-Za-z0-9+/]{86}==$/;

/** The member of an envelope that holds the seal: a MAC, or an Ed25519 signature. */
export type SealMember = "mac" | "signature";

/** Checks the seals of one key. */
export interface EventVerifier {
  /** 8 lowercase hex digits. */
  readonly keyId: string;
  readonly member: SealMember;
  readonly verify: (message: string, seal: string) => boolean;
}

/** Seals events, and checks its own seals. */
export interface EventKey extends EventVerifier {
  readonly seal: (message: string) => string;
}

/**
 * Creates a recorder's key from at least 32 secret random bytes. The key seals with HMAC-SHA-256, so anyone who can
 * check a seal can also create one.
 *
 * @throws {@link RecorderError} `invalid-key` if `secret` is shorter.
 *
 * @example
 * ```ts
 * import { randomBytes } from "node:crypto";
 * import { createMacKey } from "@agentprint/recorder";
 *
 * const key = createMacKey(randomBytes(32));
 * console.log(key.keyId.length); // 8
 * ```
 */
export function createMacKey(secret: Uint8Array): EventKey {
  if (!(secret instanceof Uint8Array) || secret.length < MIN_SECRET_BYTES) {
    const received = secret instanceof Uint8Array ? `${secret.length} bytes` : typeof secret;
    throw new RecorderError(
      "invalid-key",
      `expected a secret of at least ${MIN_SECRET_BYTES} bytes, received ${received}`,
    );
  }
  const seal = macWith(secret);
  return {
    keyId: keyIdOf("event", secret),
    member: "mac",
    seal,
    verify: (message, mac) => isSameText(seal(message), mac),
  };
}

/** Compares texts in constant time, no matter where they differ. */
function isSameText(expected: string, received: string): boolean {
  if (received.length !== expected.length) return false;
  let difference = 0;
  for (let i = 0; i < expected.length; i++) difference |= expected.charCodeAt(i) ^ received.charCodeAt(i);
  return difference === 0;
}

/**
 * Creates a recorder's key from a signer of `@agentprint/trail`. The key seals with Ed25519, so anyone who has the
 * public key can check a seal but not create one. A signature takes about 50 microseconds.
 *
 * @throws {@link RecorderError} `invalid-key` if the signer has no verifier.
 *
 * @example
 * ```ts
 * import { randomBytes } from "node:crypto";
 * import { createNoteKeys, createNoteSigner } from "@agentprint/trail/checkpoint";
 * import { createSignatureKey } from "@agentprint/recorder";
 *
 * const { signerKey } = createNoteKeys("example.com/recorder", randomBytes(32));
 * console.log(createSignatureKey(createNoteSigner(signerKey)).member); // signature
 * ```
 */
export function createSignatureKey(signer: NoteSigner): EventKey {
  if (typeof signer?.sign !== "function") {
    throw new RecorderError("invalid-key", "signer: expected a note signer, as returned by createNoteSigner");
  }
  if (signer.verifier === undefined) {
    throw new RecorderError("invalid-key", `the signer of ${JSON.stringify(signer.name)} has no verifier`);
  }
  return {
    ...createSignatureVerifier(signer.verifier),
    seal: (message) => toBase64(signer.sign(message)),
  };
}

/**
 * Returns the verifier of a recorder's seals, made from its signer's public key. It can check seals but not create
 * them.
 *
 * @param verifier A note verifier, as returned by `createNoteVerifier` of `@agentprint/trail/checkpoint`.
 *
 * @example
 * ```ts
 * import { createSignatureVerifier } from "@agentprint/recorder";
 * import { createNoteKeys, createNoteVerifier } from "@agentprint/trail/checkpoint";
 *
 * const { verifierKey } = createNoteKeys("example.com/recorder", new Uint8Array(32));
 * console.log(createSignatureVerifier(createNoteVerifier(verifierKey)).member); // signature
 * ```
 */
export function createSignatureVerifier(verifier: NoteVerifier): EventVerifier {
  checkArgument("verifier", verifier, { verify: "function", keyId: "string" });
  return {
    keyId: verifier.keyId,
    member: "signature",
    verify: (message, signature) => {
      const bytes = SIGNATURE.test(signature) ? fromBase64(signature) : undefined;
      // Any other spelling of the same bytes is refused, so that an envelope has only one text.
      return bytes !== undefined && toBase64(bytes) === signature && verifier.verify(message, bytes);
    },
  };
}

const toBase64 = (bytes: Uint8Array): string => btoa(String.fromCharCode(...bytes));
const fromBase64 = (text: string): Uint8Array => Uint8Array.from(atob(text), (unit) => unit.charCodeAt(0));
