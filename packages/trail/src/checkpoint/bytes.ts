import { TrailError, type TrailErrorCode } from "../errors.ts";

const encoder = new TextEncoder();
const BASE64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;

export function concatBytes(...pieces: (Uint8Array | string)[]): Uint8Array {
  const parts = pieces.map((piece) => (typeof piece === "string" ? encoder.encode(piece) : piece));
  const joined = new Uint8Array(parts.reduce((length, part) => length + part.length, 0));
  let offset = 0;
  for (const part of parts) {
    joined.set(part, offset);
    offset += part.length;
  }
  return joined;
}

export function toBase64(bytes: Uint8Array): string {
  return btoa(String.fromCharCode(...bytes));
}

/**
 * Returns the bytes of standard Base64 with padding. Any other spelling of the same bytes is refused, so that a value
 * has only one text.
 *
 * @throws {@link TrailError} `code` when `text` is anything else; the message begins with `what`.
 */
export function fromBase64(text: string, code: TrailErrorCode, what: string): Uint8Array {
  const units = BASE64.test(text) ? atob(text) : undefined;
  if (units === undefined || btoa(units) !== text) {
    throw new TrailError(code, `${what}: expected standard Base64 with padding`);
  }
  return Uint8Array.from(units, (unit) => unit.charCodeAt(0));
}
