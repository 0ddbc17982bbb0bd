import { lockOf } from "./create-lock.ts";
import type { LockFile } from "./lock.ts";
import { readEntries } from "./read-entries.ts";
import { verifyEntry } from "./verify-entry.ts";

/**
 * Reads a lock file strictly and recomputes every digest in it.
 *
 * @throws {McpLockError} `invalid-json` with line and column when the text is not strict JSON, `too-large` when it is
 * longer than 64 MiB of UTF-8,
 * `unsupported-lock-version` when it is of a version that this package does not know, `invalid-lock` when it has another shape,
 * `digest-mismatch` when a definition and its digest do not belong together, `duplicate-name`, `invalid-definition`.
 *
 * @example
 * ```ts
 * import { readFile } from "node:fs/promises";
 * import { parseLock } from "@agentprint/mcp-lock";
 *
 * const lock = parseLock(await readFile("agentprint.lock"));
 * ```
 */
export function parseLock(text: string | Uint8Array): LockFile {
  return lockOf(readEntries(text).map((entry, index) => verifyEntry(entry, ["servers", index])));
}
