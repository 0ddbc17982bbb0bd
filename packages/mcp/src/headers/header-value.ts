const SAFE = /^[\x21-\x7e](?:[\x20-\x7e\t]*[\x21-\x7e])?$/;
const SENTINEL = /^=\?base64\?.*\?=$/;

/**
 * A value as an HTTP header carries it: itself where it is visible ASCII, else Base64 of its UTF-8 between the marks
 * `=?base64?` and `?=` (MCP 2026-07-28, "Value Encoding").
 */
export function encodeHeaderValue(value: string): string {
  if (value === "" || (SAFE.test(value) && !SENTINEL.test(value))) return value;
  return `=?base64?${Buffer.from(value, "utf8").toString("base64")}?=`;
}
