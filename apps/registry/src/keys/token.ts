import { createHash, randomBytes, timingSafeEqual } from "node:crypto";

/** `hsk_<id>_<secret>`: the id identifies the key, and the secret is 256 random bits. */
const TOKEN = /^hsk_([0-9a-f]{16})_[A-Za-z0-9_-]{43}$/;

/** A new key: its id, the token that its owner keeps, and the hash that the registry keeps. */
export interface NewToken {
  readonly id: string;
  readonly token: string;
  readonly hash: string;
}

/** Creates a token from the machine's random bytes. */
export function createToken(): NewToken {
  const id = randomBytes(8).toString("hex");
  const token = `hsk_${id}_${randomBytes(32).toString("base64url")}`;
  return { id, token, hash: hashOf(token).toString("hex") };
}

/** Returns the id in a token; `undefined` if the text does not have the form of a token. */
export function idOfToken(token: string): string | undefined {
  return TOKEN.exec(token)?.[1];
}

/**
 * Returns whether `hash` is the hash of `token`. The comparison takes the same time wherever the hashes differ. A plain
 * SHA-256 is enough, because no one can guess 256 random bits.
 */
export function matchesToken(token: string, hash: string): boolean {
  return timingSafeEqual(hashOf(token), Buffer.from(hash, "hex"));
}

function hashOf(token: string): Buffer {
  return createHash("sha256").update(token).digest();
}
