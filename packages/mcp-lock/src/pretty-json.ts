import { byCodeUnits } from "./json-object.ts";

/**
 * What a reviewer cannot see, or what moves what they see: DEL and C1 controls, bidirectional, zero-width and tag
 * characters, line separators. A list of its own, because Unicode's categories grow.
 */
const INVISIBLE =
  /[\u007f-\u009f\u00ad\u061c\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb\u{e0000}-\u{e007f}]/gu;

/** Writes JSON text piece by piece: keys in code-unit order, an indentation of two spaces, invisible characters escaped. */
export function writePrettyJson(value: unknown, write: (piece: string) => void, indent = "\n"): void {
  if (typeof value !== "object" || value === null) {
    write(visibleText(value));
    return;
  }
  const members = Array.isArray(value) ? value.map((item) => ["", item] as const) : sortedMembers(value);
  const [open, close] = Array.isArray(value) ? ["[", "]"] : ["{", "}"];
  if (members.length === 0) {
    write(open + close);
    return;
  }
  const inner = `${indent}  `;
  let separator = open;
  for (const [key, member] of members) {
    write(`${separator}${inner}${key}`);
    writePrettyJson(member, write, inner);
    separator = ",";
  }
  write(`${indent}${close}`);
}

function sortedMembers(object: object): (readonly [string, unknown])[] {
  return Object.entries(object)
    .sort(([a], [b]) => byCodeUnits(a, b))
    .map(([key, member]) => [`${visibleText(key)}: `, member]);
}

function visibleText(value: unknown): string {
  return JSON.stringify(value).replace(INVISIBLE, escapeUnits);
}

function escapeUnits(character: string): string {
  const units = Array.from({ length: character.length }, (_, i) => character.charCodeAt(i));
  return units.map((unit) => `\\u${unit.toString(16).padStart(4, "0")}`).join("");
}
