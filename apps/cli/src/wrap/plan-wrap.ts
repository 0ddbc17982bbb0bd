import type { ParsedConfig } from "../clients/parsed-config.ts";
import { textOfFile } from "../clients/read-client-config.ts";
import { CliError } from "../errors.ts";
import type { FoundPlace, FoundServer } from "../init/find-servers.ts";
import type { PlannedFile } from "../init/planned-file.ts";
import { guardAddress, guardWords } from "./guarded-launch.ts";
import { unwrapEntry, wrapAddress, wrapCommand } from "./wrap-entry.ts";

/** A configuration as it will be. */
export interface WrapFile extends PlannedFile {
  readonly from: string;
  /** Whether an entry of it was behind the guard already. */
  readonly isGuarded: boolean;
}

/** What becomes of the entries of configurations. */
export interface WrapPlan {
  readonly files: readonly WrapFile[];
  /** The entries that change, by the names of their servers. */
  readonly changed: readonly { readonly name: string; readonly place: FoundPlace }[];
  /** The entries that stay without the guard, and why. */
  readonly left: readonly { readonly name: string; readonly place: FoundPlace; readonly reason: string }[];
  readonly problems: readonly CliError[];
}

interface WrapOptions {
  /** The path of the lock, as the configuration shall have it. */
  readonly lock: string;
  /** `host:port` of the guard in front of servers that are reached at an address. */
  readonly http?: string;
}

/** Puts the guard in front of every entry of servers, where it is not yet. */
export function planWrap(servers: readonly FoundServer[], { lock, http }: WrapOptions): Promise<WrapPlan> {
  return planEdits(servers, (config, server, { entry, guardedAs }) => {
    if (guardedAs !== undefined) return undefined;
    const { name, target } = server;
    if (name.startsWith("-")) return "its name begins with -, as an option does";
    if (target.launch.type === "stdio") return wrapCommand(config, entry, guardWords(name, lock));
    if (http === undefined) return "it is reached at an address: give --http <host:port> of agentprint guard --http";
    return wrapAddress(config, entry, guardAddress(name, http));
  });
}

/** Takes the guard away from every entry of servers. */
export function planUnwrap(servers: readonly FoundServer[]): Promise<WrapPlan> {
  return planEdits(servers, (config, _server, { entry, guardedAs }) =>
    guardedAs === undefined ? undefined : unwrapEntry(config, entry),
  );
}

type Edit = (
  config: ParsedConfig,
  server: FoundServer,
  place: FoundPlace,
) => Promise<ParsedConfig> | string | undefined;

async function planEdits(servers: readonly FoundServer[], edit: Edit): Promise<WrapPlan> {
  const configs = new Map<string, { readonly from: ParsedConfig; to: ParsedConfig }>();
  const changed: WrapPlan["changed"][number][] = [];
  const left: WrapPlan["left"][number][] = [];
  const problems: CliError[] = [];
  const guarded = new Set<string>();
  for (const server of servers) {
    for (const place of server.places) {
      const { name } = server;
      const { path } = place;
      if (place.guardedAs !== undefined) guarded.add(path);
      const config = configs.get(path) ?? { from: place.config, to: place.config };
      try {
        const edited = await edit(config.to, server, place);
        if (typeof edited === "string") left.push({ name, place, reason: edited });
        if (edited === undefined || typeof edited === "string") continue;
        config.to = edited;
        configs.set(path, config);
        changed.push({ name, place });
      } catch (error) {
        if (!(error instanceof CliError)) throw error;
        problems.push(error);
      }
    }
  }
  const files = [...configs].map(
    ([path, { from, to }]): WrapFile => ({
      path,
      from: textOfFile(from),
      text: textOfFile(to),
      isGuarded: guarded.has(path),
    }),
  );
  return { files, changed, left, problems };
}
