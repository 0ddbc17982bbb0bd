import {
  type Client,
  type ConfiguredEntry,
  lineAt,
  namesWithPlaces,
  nodeAt,
  type ParsedConfig,
  type Surroundings,
  settingsOf,
} from "@agentprint/client-configs";
import type { Context } from "../run/context.ts";
import { isExplained, isMissing } from "../run/errors.ts";
import { readClientConfig } from "./read-client-config.ts";

/** The setting that turns off an entry of a configuration. */
export interface SwitchedOff {
  /** One sentence with the file and the line. */
  readonly says: string;
  /**
   * Who may still start the server: `others`, the readers of the file except the client whose settings switch it off,
   * or `all` if no documentation says that the client reads the switch. Absent if nobody may.
   */
  readonly startedBy?: "others" | "all";
}

/** The servers of a configuration that settings switch off, by name. */
export type OffBySettings = ReadonlyMap<string, SwitchedOff>;

/**
 * Reads which servers of a configuration its client's settings switch off.
 *
 * @param isForEverybody Whether one person's settings are ignored
 * @param shown Returns the path of a file as it is shown
 * @throws an explained error when a settings file cannot be read; a missing one disables nothing
 */
export async function offBySettings(
  context: Context,
  surroundings: Surroundings,
  { path, client }: { readonly path: string; readonly client: Client | undefined },
  { isForEverybody, shown }: { readonly isForEverybody: boolean; readonly shown: (path: string) => string },
): Promise<OffBySettings> {
  const found = new Map<string, SwitchedOff>();
  for (const settings of settingsOf(surroundings, path, client)) {
    if (isForEverybody && settings.isPersonal) continue;
    const config = await readClientConfig(context, settings.path, "regular").catch((error: unknown) => {
      if (isExplained(error) && isMissing(error.cause)) return undefined;
      throw error;
    });
    for (const [name, start] of config ? namesWithPlaces(config, settings.member) : []) {
      const place = `${shown(settings.path)}:${lineAt(config as ParsedConfig, start)}`;
      found.set(name, { says: `${place} switches it off only for ${client?.name}`, startedBy: "others" });
    }
  }
  return found;
}

/** Returns the switch of an entry, in its file or in settings; absent if the entry is enabled. */
export function switchedOff(
  { name, path, state, offBy }: ConfiguredEntry,
  {
    client,
    file,
    config,
  }: { readonly client: Client | undefined; readonly file: string; readonly config: ParsedConfig },
  bySettings: OffBySettings,
): SwitchedOff | undefined {
  if (state !== "off" || offBy === undefined) return bySettings.get(name);
  const place = `${file}:${lineAt(config, nodeAt(config, path)?.start ?? 0)}`;
  if (client === undefined || client.off.includes(offBy)) return { says: `${place} switches it off` };
  const words = offBy.startsWith("mcp ") ? "mcp.excluded and mcp.allowed are not switches" : `${offBy} is not a switch`;
  return { says: `${words} that ${client.name} is documented to read`, startedBy: "all" };
}
