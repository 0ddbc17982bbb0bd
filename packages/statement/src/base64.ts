/** Matches standard or URL-safe Base64 with padding, because DSSE requires verifiers to read both. */
const BASE64 = /^(?:[A-Za-z0-9+/]*|[A-Za-z0-9_-]*)={0,2}$/;

/** The maximum number of arguments in one call. */
const CHUNK = 0x8000;

/** Returns whether a text is standard or URL-safe Base64 with padding. */
export function isBase64(text: string): boolean {
  return text.length % 4 === 0 && BASE64.test(text);
}

/** Returns the bytes of a text for which `isBase64` holds. */
export function fromBase64(text: string): Uint8Array {
  const units = atob(text.replaceAll("-", "+").replaceAll("_", "/"));
  return Uint8Array.from(units, (unit) => unit.charCodeAt(0));
}

/** Returns the standard Base64 of bytes. */
export function toBase64(bytes: Uint8Array): string {
  let units = "";
  for (let start = 0; start < bytes.length; start += CHUNK) {
    units += String.fromCharCode(...bytes.subarray(start, start + CHUNK));
  }
  return btoa(units);
}
