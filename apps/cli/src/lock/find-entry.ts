import type { LockEntry, LockFile } from "@agentprint/mcp-lock/lock";
import { unknownName } from "../terminal/unknown-name.ts";

/**
 * The entry of a server.
 *
 * @param file The path of the lock, for the error
 * @throws CliError `usage` when the lock has no server of this name
 */
export function findEntry(lock: LockFile, name: string, file: string): LockEntry {
  const entry = lock.servers.find((server) => server.name === name);
  if (entry !== undefined) return entry;
  const names = lock.servers.map((server) => server.name);
  throw unknownName(`${name} is not in ${file}`, name, names, "see what is pinned: agentprint list");
}
