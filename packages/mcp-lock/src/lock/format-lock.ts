import { reviewText } from "@agentprint/tool-pins/judgement";
import { checkArgument, LOCK } from "../check-argument.ts";
import { McpLockError } from "../errors.ts";
import { MAX_LOCK_BYTES } from "../limits.ts";
import { withKeptResults } from "./kept-results.ts";
import type { LockFile } from "./lock.ts";

/**
 * Returns the text of a lock file, for review in version control: keys in code-unit order, an indentation of two
 * spaces, escaped invisible characters, a final line feed, and the same bytes for the same lock. It holds at most 4 MiB
 * of results for a server's contents.
 *
 * @throws {@link McpLockError} `too-large` if the text would be longer than 64 MiB of UTF-8.
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
  const text = reviewText({ ...lock, servers: lock.servers.map(withKeptResults) }, MAX_LOCK_BYTES);
  if (text !== undefined) return text;
  throw new McpLockError("too-large", "", `A lock file has at most ${MAX_LOCK_BYTES} bytes of UTF-8`);
}
