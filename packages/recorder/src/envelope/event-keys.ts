import { createHash, createHmac, createSecretKey, timingSafeEqual } from "node:crypto";
import type { NoteSigner, NoteVerifier } from "@agentprint/trail/checkpoint";
import { RecorderError } from "../errors.ts";

const MIN_SECRET_BYTES = 32;
const KEY_ID_DIGITS = 8;
/** Goes before the secret where its id is computed, so that the id is no other digest of the secret. */
const KEY_ID_PREFIX = "agentprint event key\n";
const SIGNATURE_BYTES = 64;

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
 * The key of a recorder from at least 32 secret random bytes: it seals with HMAC-SHA-256, and whoever can check a seal can
 * make one.
 *
 * @throws {@link RecorderError} `invalid-key` when `secret` is shorter.
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
  // As a key object, because the conversion of raw bytes takes several times as long as the MAC.
  const key = createSecretKey(secret);
  const digest = createHash("sha256").update(KEY_ID_PREFIX).update(secret).digest("hex");
  const seal = (message: string): string => createHmac("sha256", key).update(message, "utf8").digest("hex");
  return {
    keyId: digest.slice(0, KEY_ID_DIGITS),
    member: "mac",
    seal,
    verify: (message, mac) =>
      /^[0-9a-f]{64}$/.test(mac) && timingSafeEqual(Buffer.from(seal(message)), Buffer.from(mac)),
  };
}

/**
 * The key of a recorder from a signer of `@agentprint/trail`: it seals with Ed25519, so that whoever has the public key can
 * check a seal and not make one. A signature takes some 50 microseconds.
 *
 * @throws {@link RecorderError} `invalid-key` when the signer has no verifier.
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
  if (signer.verifier === undefined) {
    throw new RecorderError("invalid-key", `the signer of ${JSON.stringify(signer.name)} has no verifier`);
  }
  return {
    ...createSignatureVerifier(signer.verifier),
    seal: (message) => Buffer.from(signer.sign(message)).toString("base64"),
  };
}

/** A verifier of seals from the public key of a signer. */
export function createSignatureVerifier(verifier: NoteVerifier): EventVerifier {
  return {
    keyId: verifier.keyId,
    member: "signature",
    verify: (message, signature) => {
      const bytes = Buffer.from(signature, "base64");
      // Any other spelling of the same bytes is refused, so that an envelope has one text.
      return (
        bytes.length === SIGNATURE_BYTES && bytes.toString("base64") === signature && verifier.verify(message, bytes)
      );
    },
  };
}
