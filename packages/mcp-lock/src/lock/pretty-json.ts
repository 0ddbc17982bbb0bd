import { compareCodeUnits, escapeJsonText } from "@agentprint/canonical-json";

/** Writes JSON text piece by piece: keys in code-unit order, an indentation of two spaces, invisible characters escaped. */
export function writePrettyJson(value: unknown, write: (piece: string) => void, indent = "\n"): void {
  if (typeof value !== "object" || value === null) {
    write(escapeJsonText(JSON.stringify(value)));
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
    .sort(([a], [b]) => compareCodeUnits(a, b))
    .map(([key, member]) => [`${escapeJsonText(JSON.stringify(key))}: `, member]);
}
