import { lockOf } from "./create-lock.ts";
import type { LockFile } from "./lock.ts";
import { readLockFile } from "./read-lock-file.ts";
import { verifyEntry, verifyPolicy } from "./verify-entry.ts";

/**
 * Reads a lock file strictly and recomputes every digest in it.
 *
 * @throws {@link McpLockError} `invalid-json` if the text is not strict JSON; with line and column.
 * @throws {@link McpLockError} `too-large` if the text is longer than 64 MiB of UTF-8.
 * @throws {@link McpLockError} `unsupported-lock-version` if the lock's version is not 2.
 * @throws {@link McpLockError} `invalid-lock` if a member is missing, unknown or malformed.
 * @throws {@link McpLockError} `digest-mismatch` if a value does not match its digest in the file.
 * @throws {@link McpLockError} `duplicate-name` if two servers, or two items of the same kind, have the same name.
 * @throws {@link McpLockError} `invalid-definition` if a definition has no name or cannot be hashed.
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
  const { policy, servers, ...rest } = readLockFile(text);
  if (policy !== undefined) verifyPolicy(policy, ["policy"]);
  return lockOf(
    servers.map((entry, index) => verifyEntry(entry, ["servers", index])),
    { policy, ...rest },
  );
}
