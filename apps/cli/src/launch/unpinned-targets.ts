import { isSameJson, type JsonValue } from "@agentprint/canonical-json/json-value";
import type { Launch } from "@agentprint/mcp-lock";
import { isVersion1, type LockFile } from "@agentprint/mcp-lock/lock";
import { redactLaunch } from "@agentprint/mcp-lock/redact";
import type { ServerTarget } from "./server-target.ts";

/** A server of a client's configuration that is not pinned. */
export interface UnpinnedServer {
  readonly name: string;
  /** The configuration that has the server. */
  readonly config: string;
  /** `other-launch`: the lock has an entry of this name, and the entry is of another command or address. */
  readonly reason: "not-in-lock" | "other-launch";
  /** Without its secrets. */
  readonly launch: Launch;
}

/** The servers of a client's configuration that the lock lacks, or has with another launch. */
export function unpinnedTargets(lock: LockFile, config: string, targets: readonly ServerTarget[]): UnpinnedServer[] {
  const entries = new Map(lock.servers.map((entry) => [entry.name, entry]));
  return targets.flatMap(({ name, launch: given }): UnpinnedServer[] => {
    const launch = redactLaunch(given);
    const entry = entries.get(name);
    if (entry === undefined) return [{ name, config, reason: "not-in-lock", launch }];
    // Version 1 kept less of a launch.
    if (isVersion1(entry) || isSameJson(whatRuns(entry.launch), whatRuns(launch))) return [];
    return [{ name, config, reason: "other-launch", launch }];
  });
}

/** What answers, without the names of variables and headers: those of an `envFile` are known only when it is read. */
function whatRuns(launch: Launch): JsonValue {
  if (launch.type === "http") return launch.url;
  return { command: launch.command, args: [...launch.args], cwd: launch.cwd ?? null };
}
