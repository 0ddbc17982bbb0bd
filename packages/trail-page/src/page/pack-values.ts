import { DIGEST_BYTES, type Packed, SIGNATURE_BYTES } from "./unpack-values.ts";

/** Matches a digest as 64 hex digits, or an Ed25519 signature in Base64. */
const VALUES = /[0-9a-f]{64}|[A-Za-z0-9+/]{86}==/g;

/** Removes digests and signatures from lines of JSON; `unpackValues` restores them. */
export function packValues(lines: string): Packed {
  /** The place of each value among the values. */
  const places = new Map<string, number>();
  const taken: Buffer[] = [];
  let place = 0;
  const text = lines.replace(VALUES, (value) => {
    const known = places.get(value);
    const isDigest = value.length === 2 * DIGEST_BYTES;
    const bytes = Buffer.from(value, isDigest ? "hex" : "base64");
    // A value that is another spelling of the same bytes stays in the text.
    if (bytes.length === SIGNATURE_BYTES && bytes.toString("base64") !== value) return value;
    places.set(value, place++);
    if (known !== undefined) return `\u0003${place - 1 - known};`;
    taken.push(bytes);
    return isDigest ? "\u0001" : "\u0002";
  });
  return { text, bytes: Uint8Array.from(Buffer.concat(taken)) };
}
