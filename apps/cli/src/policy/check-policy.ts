import type { JsonValue } from "@agentprint/canonical-json/json-value";
import type { LockFile } from "@agentprint/mcp-lock/lock";
import type { Policy } from "@agentprint/policy/apply";
import { invalidPolicy, type ReadPolicy } from "./read-policy.ts";

/**
 * Compares a policy with the lock; returns the policy with notices about servers that are not pinned.
 *
 * @throws {@link CliError} `invalid-config` where it is not proven that `arguments` accept only what a locked schema accepts
 */
export async function checkPolicy(read: ReadPolicy, lock: LockFile): Promise<ReadPolicy> {
  const { policy, file, notices } = read;
  if (file === undefined) return read;
  const pinned = new Set(lock.servers.map(({ name }) => name));
  const unknown = Object.keys(policy.servers).filter((name) => !pinned.has(name));
  if (hasArguments(policy)) {
    const { checkCallSchemas, PolicyError } = await import("@agentprint/policy");
    try {
      checkCallSchemas(policy, (server, tool) => lockedSchemas(lock, server, tool));
    } catch (error) {
      throw error instanceof PolicyError ? invalidPolicy(error, file) : error;
    }
  }
  return {
    ...read,
    notices: [...notices, ...unknown.map((name) => `${file} decides about ${name}, which is not in the lock`)],
  };
}

function hasArguments({ servers }: Policy): boolean {
  return Object.values(servers).some(({ calls }) => Object.values(calls).some((call) => call.arguments !== undefined));
}

function lockedSchemas(lock: LockFile, server: string, tool: string): JsonValue[] {
  const entry = lock.servers.find(({ name }) => name === server);
  const locked = entry?.tools.filter(({ definition }) => definition["name"] === tool) ?? [];
  return locked.map(({ definition }) => definition["inputSchema"] ?? {});
}
