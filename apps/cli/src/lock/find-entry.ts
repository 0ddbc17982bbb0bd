import type { LockedServer, LockFile } from "@agentprint/mcp-lock/lock";
import { commandLine } from "../terminal/command-line.ts";
import { unknownName } from "../terminal/unknown-name.ts";
import { DEFAULT_LOCK } from "./read-lock.ts";

/**
 * Returns the entry of a server.
 *
 * @param file The path of the lock, for the error
 * @throws CliError `usage` when the lock has no server of this name
 */
export function findEntry(lock: LockFile, name: string, file: string): LockedServer {
  const entry = lock.servers.find((server) => server.name === name);
  if (entry !== undefined) return entry;
  const names = lock.servers.map((server) => server.name);
  const list = commandLine(["agentprint", "list", ...(file === DEFAULT_LOCK ? [] : ["--lock", file])]);
  throw unknownName(`${name} is not in ${file}`, name, names, `see what is pinned: ${list}`);
}
