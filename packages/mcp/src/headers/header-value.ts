const SAFE = /^[\x21-\x7e](?:[\x20-\x7e\t]*[\x21-\x7e])?$/;
const SENTINEL = /^=\?base64\?.*\?=$/;
const ENCODED = /^=\?base64\?([A-Za-z0-9+/]*={0,2})\?=$/;

/**
 * Returns a value as an HTTP header carries it: unchanged if it is visible ASCII, or else as Base64 of its UTF-8
 * between the marks `=?base64?` and `?=` (MCP 2026-07-28, "Value Encoding").
 */
export function encodeHeaderValue(value: string): string {
  if (value === "" || (SAFE.test(value) && !SENTINEL.test(value))) return value;
  return `=?base64?${Buffer.from(value, "utf8").toString("base64")}?=`;
}

/**
 * Returns the value that a header carries as visible ASCII or as Base64 between the marks; `undefined` for any other
 * text.
 */
export function decodeHeaderValue(text: string): string | undefined {
  const [, encoded] = ENCODED.exec(text) ?? [];
  if (encoded === undefined) return /^[\t\x20-\x7e]*$/.test(text) && !SENTINEL.test(text) ? text : undefined;
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(Buffer.from(encoded, "base64"));
  } catch {
    return undefined;
  }
}
