import { compareCodeUnits, escapeJsonText } from "@agentprint/canonical-json";
import { checkArgument, LOCK } from "../check-argument.ts";
import { McpLockError } from "../errors.ts";
import { MAX_LOCK_BYTES } from "../limits.ts";
import type { LockFile } from "./lock.ts";

/**
 * The text of a lock file, made for review in version control: keys in code-unit order, two spaces, invisible characters
 * escaped, a final line feed, the same bytes for the same lock.
 *
 * @throws {@link McpLockError} `too-large` when the text would be longer than 64 MiB of UTF-8.
 *
 * @example
 * ```ts
 * import { createLock, formatLock } from "@agentprint/mcp-lock";
 *
 * console.log(formatLock(createLock({})).endsWith("}\n")); // true
 * ```
 */
export function formatLock(lock: LockFile): string {
  checkArgument("lock", lock, LOCK);
  const pieces: string[] = [];
  const encoder = new TextEncoder();
  let bytes = 1; // the final line feed
  writePrettyJson(lock, (piece) => {
    bytes += encoder.encode(piece).length;
    if (bytes > MAX_LOCK_BYTES) {
      throw new McpLockError("too-large", "", `A lock file has at most ${MAX_LOCK_BYTES} bytes of UTF-8`);
    }
    pieces.push(piece);
  });
  return `${pieces.join("")}\n`;
}

/** Writes JSON text piece by piece: keys in code-unit order, an indentation of two spaces, invisible characters escaped. */
function writePrettyJson(value: unknown, write: (piece: string) => void, indent = "\n"): void {
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
