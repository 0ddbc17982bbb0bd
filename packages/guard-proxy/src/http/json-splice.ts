import { parseJson } from "@agentprint/canonical-json";

const [QUOTE, BACKSLASH, COMMA, COLON] = [0x22, 0x5c, 0x2c, 0x3a];
const [OPEN_OBJECT, CLOSE_OBJECT, OPEN_LIST, CLOSE_LIST] = [0x7b, 0x7d, 0x5b, 0x5d];

/** The position of a value in a JSON text: from `start` to `end`, in bytes. */
interface Range {
  readonly start: number;
  readonly end: number;
}

/**
 * Returns a JSON text with new values at the given paths of names and every other byte unchanged. Ignores a path
 * without a value.
 *
 * @param json An object as UTF-8, valid and without duplicate members
 * @param edits The JSON text of the new value for each path
 */
export function spliceJson(
  json: Uint8Array,
  edits: readonly (readonly [path: readonly string[], text: string])[],
): Uint8Array {
  const splices = edits
    .flatMap(([path, text]) => {
      const range = findValue(json, path);
      return range === undefined ? [] : [{ ...range, text: Buffer.from(text) }];
    })
    .sort((a, b) => a.start - b.start);
  const parts: Uint8Array[] = [];
  let from = 0;
  for (const { start, end, text } of splices) {
    parts.push(json.subarray(from, start), text);
    from = end;
  }
  return Buffer.concat([...parts, json.subarray(from)]);
}

/** Returns the position of the value at a path of names. */
function findValue(json: Uint8Array, path: readonly string[]): Range | undefined {
  let range: Range | undefined = { start: skipSpace(json, 0), end: json.length };
  for (const name of path) {
    range = range && findMember(json, range.start, name);
    if (range === undefined) return undefined;
  }
  return range;
}

function findMember(json: Uint8Array, start: number, name: string): Range | undefined {
  if (json[start] !== OPEN_OBJECT) return undefined;
  let at = skipSpace(json, start + 1);
  while (at < json.length && json[at] !== CLOSE_OBJECT) {
    const keyEnd = endOfValue(json, at);
    const key = parseJson(json.subarray(at, keyEnd));
    const valueStart = skipSpace(json, skipSpace(json, keyEnd) + 1);
    const end = endOfValue(json, valueStart);
    if (key === name) return { start: valueStart, end };
    at = skipSpace(json, end);
    if (json[at] === COMMA) at = skipSpace(json, at + 1);
  }
  return undefined;
}

function skipSpace(json: Uint8Array, from: number): number {
  let at = from;
  while (json[at] === 0x20 || json[at] === 0x0a || json[at] === 0x0d || json[at] === 0x09) at++;
  return at;
}

function endOfValue(json: Uint8Array, start: number): number {
  let depth = 0;
  for (let at = start; at < json.length; at++) {
    const byte = json[at] as number;
    if (byte === QUOTE) at = endOfString(json, at) - 1;
    else if (byte === OPEN_OBJECT || byte === OPEN_LIST) depth++;
    else if (byte === CLOSE_OBJECT || byte === CLOSE_LIST) depth--;
    else if (depth === 0) {
      // A number, `true`, `false` or `null` ends before a byte that cannot belong to it.
      const next = json[at + 1];
      const isEnd =
        next === undefined ||
        next <= 0x20 ||
        next === COMMA ||
        next === COLON ||
        next === CLOSE_OBJECT ||
        next === CLOSE_LIST;
      if (isEnd) return at + 1;
      continue;
    }
    if (depth === 0) return at + 1;
    if (depth < 0) return at;
  }
  return json.length;
}

function endOfString(json: Uint8Array, start: number): number {
  for (let at = start + 1; at < json.length; at++) {
    if (json[at] === BACKSLASH) at++;
    else if (json[at] === QUOTE) return at + 1;
  }
  return json.length;
}
