import { isSameJson, type JsonValue } from "@agentprint/canonical-json/json-value";
import type { Launch } from "@agentprint/launch";
import type { LockedServer, LockSource } from "@agentprint/mcp-lock";
import type { EditablePlace } from "../launch/editable-place.ts";
import type { ServerTarget } from "../launch/server-target.ts";
import type { LaunchOptions } from "../options/visit-options.ts";
import type { Context } from "../run/context.ts";
import type { ConfiguredServer } from "./configured-server.ts";
import { asSource, hasProjectConfig, inFolderOf, othersOf } from "./project-folder.ts";
import { isLockedLaunch, withNames } from "./same-launch.ts";

/**
 * Returns the entries of the project's configurations; leaves out configurations that cannot be read, which a check
 * reports.
 *
 * @param lock The path of the lock
 */
export async function projectServers(context: Context, lock: string): Promise<readonly ConfiguredServer[]> {
  const others = await othersOf(context, lock);
  if (!(await hasProjectConfig(inFolderOf(context, lock), others))) return [];
  // Loading the readers of all client formats takes longer than the rest of pin.
  const { configuredServers } = await import("./configured-server.ts");
  const { servers } = await configuredServers(context, lock, [], others);
  return servers.filter(({ place }) => place.off === undefined);
}

/** Returns the places in configurations that launch a target with the same arguments. */
export function placesOf({ launch, place }: ServerTarget, configured: readonly ConfiguredServer[]): EditablePlace[] {
  const same = configured.filter(({ target }) => isSameJson(wordsOf(target.launch), wordsOf(launch)));
  const places = [...(place ? [place] : []), ...same.map((server) => server.place)];
  const byFile = new Map(places.map((each) => [JSON.stringify([each.path, each.entry]), each]));
  return [...byFile.values()];
}

function wordsOf(launch: Launch): JsonValue {
  return launch.type === "http" ? [launch.url] : [launch.command, ...launch.args];
}

/**
 * Returns the entries of configurations that launch the pinned target: those of the project, and those that the command
 * line named.
 *
 * @param entries The servers that were pinned
 * @param targets The targets of these servers
 */
export function sourcesOfPinned(
  context: Context,
  entries: readonly LockedServer[],
  targets: readonly ServerTarget[],
  configured: readonly ConfiguredServer[],
  { lock, env, header }: Pick<LaunchOptions, "lock" | "env" | "header">,
): LockSource[] {
  const pinned = new Set(entries.map(({ name }) => name));
  const given = targets.flatMap(({ name, config }): LockSource[] => {
    const source = config === undefined ? undefined : asSource(context, lock, config);
    return source === undefined || !pinned.has(name) ? [] : [{ config: source, entry: name, server: name }];
  });
  const found = configured.flatMap(({ config, name, compared }): LockSource[] => {
    const launches = [compared, withNames(compared, { env, header })];
    const same = entries.filter((entry) => launches.some((launch) => isLockedLaunch(entry, launch)));
    const entry = same.find((each) => each.name === name) ?? same[0];
    return entry ? [{ config, entry: name, server: entry.name }] : [];
  });
  return [...given, ...found];
}
