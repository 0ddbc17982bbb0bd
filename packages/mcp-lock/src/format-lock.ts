import { McpLockError } from "./errors.ts";
import { MAX_LOCK_LENGTH } from "./limits.ts";
import type { LockFile } from "./lock.ts";
import { writePrettyJson } from "./pretty-json.ts";

/**
 * The text of a lock file, made for review in version control: keys in code-unit order, two spaces, invisible characters
 * escaped, a final line feed, the same bytes for the same lock.
 *
 * @throws {McpLockError} `too-large` when the text would be longer than 64 Mi UTF-16 code units.
 */
export function formatLock(lock: LockFile): string {
  const pieces: string[] = [];
  let length = 0;
  writePrettyJson(lock, (piece) => {
    length += piece.length;
    if (length > MAX_LOCK_LENGTH) {
      throw new McpLockError("too-large", "", `A lock file has at most ${MAX_LOCK_LENGTH} characters`);
    }
    pieces.push(piece);
  });
  return `${pieces.join("")}\n`;
}
