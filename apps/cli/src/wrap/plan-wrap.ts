import {
  nodeAt,
  type ParsedConfig,
  plainValue,
  type RecognizeGuard,
  readEntry,
  textOfFile,
} from "@agentprint/client-configs";
import { redactLaunch } from "@agentprint/launch/redact";
import type { FoundPlace, FoundServer } from "../clients/find-servers.ts";
import { guardAddress, guardOfAddress, guardWords } from "../clients/guarded-launch.ts";
import type { PlannedFile } from "../files/planned-file.ts";
import { launchInWords } from "../lock/entry-summary.ts";
import { type ExplainedError, isExplained } from "../run/errors.ts";
import { unwrapEntry, wrapAddress, wrapCommand } from "./wrap-entry.ts";

/** A configuration with its planned text. */
export interface WrapFile extends PlannedFile {
  readonly from: string;
  readonly shown: readonly string[];
  /** Whether one of its entries was already behind the guard. */
  readonly isGuarded: boolean;
}

/** An entry of a configuration, and the name of its server. */
interface PlannedEntry {
  readonly name: string;
  /** The server's name in the configuration. */
  readonly entryName: string;
  readonly place: FoundPlace;
  /** `host:port` of the guard in front of its address, if there is one. */
  readonly at?: string;
}

/** The plan for the entries of configurations. */
export interface WrapPlan {
  readonly files: readonly WrapFile[];
  /** The entries that change. */
  readonly changed: readonly PlannedEntry[];
  /** The entries that stay without the guard, and the reasons. */
  readonly left: readonly (PlannedEntry & { readonly reason: string })[];
  /** The entries that need no change: already behind the guard, or without a guard to remove. */
  readonly unchanged: readonly PlannedEntry[];
  readonly problems: readonly ExplainedError[];
}

interface WrapOptions {
  /** The path of the lock to write to the configuration. */
  readonly lock: string;
  /** The `host:port` of the guard that stands in front of HTTP servers. */
  readonly http?: string;
  readonly recognize: RecognizeGuard;
  /** The names of the servers in the lock, if all others are left unchanged. */
  readonly only?: ReadonlySet<string>;
}

/** Puts the guard in front of every server entry where it is missing. */
export function planWrap(
  servers: readonly FoundServer[],
  { lock, http, recognize, only }: WrapOptions,
): Promise<WrapPlan> {
  return planEdits(servers, async (config, { name, target }, { entry, guardedAs, notGuarded }) => {
    if (guardedAs !== undefined) return undefined;
    if (notGuarded !== undefined) return `${notGuarded}; remove that with agentprint unwrap or an editor`;
    if (only?.has(name) === false) return "it is not pinned: agentprint init pins it";
    if (name.startsWith("-")) return "its name begins with -, as an option does";
    if (!name.isWellFormed() || name === "") return "its name cannot be passed on to a program";
    if (target.launch.type === "http" && http === undefined) {
      return "it is reached at an address: give --http <host:port> of agentprint guard --http";
    }
    const wrapped = await (target.launch.type === "stdio"
      ? wrapCommand(config, entry, guardWords(name, lock))
      : wrapAddress(config, entry, guardAddress(name, http ?? "")));
    const now = readEntry(valueAt(wrapped, entry), recognize);
    // Members other than the guard's arguments are compared as well, so that only entries that doctor recognizes are
    // called guarded.
    if (typeof now === "string") return now;
    return now.guardedAs === name ? wrapped : (now.notGuarded ?? "the guard in front of it would not be recognized");
  });
}

/** Removes the guard from every server entry. */
export function planUnwrap(servers: readonly FoundServer[]): Promise<WrapPlan> {
  return planEdits(servers, async (config, _server, { entry, guardedAs, notGuarded }) =>
    guardedAs === undefined ? notGuarded : unwrapEntry(config, entry),
  );
}

/** Returns a member with the address of the guard in front of a URL; no member for a command, or without a guard. */
function addressOf(value: unknown): Pick<PlannedEntry, "at"> {
  const entry = readEntry(value, () => undefined);
  const guard = typeof entry === "string" || entry.type === "stdio" ? undefined : guardOfAddress(entry.url);
  return guard === undefined ? {} : { at: guard.at };
}

function valueAt(config: ParsedConfig, path: FoundPlace["entry"]): unknown {
  const node = nodeAt(config, path);
  return node && plainValue(config, node);
}

type Edit = (
  config: ParsedConfig,
  server: FoundServer,
  place: FoundPlace,
) => Promise<ParsedConfig | string | undefined>;

interface EditedFile {
  readonly from: ParsedConfig;
  to: ParsedConfig;
  readonly shown: string[];
}

async function planEdits(servers: readonly FoundServer[], edit: Edit): Promise<WrapPlan> {
  const configs = new Map<string, EditedFile>();
  const plan = {
    changed: [] as PlannedEntry[],
    left: [] as WrapPlan["left"][number][],
    unchanged: [] as PlannedEntry[],
  };
  const problems: ExplainedError[] = [];
  const guarded = new Set<string>();
  for (const server of servers) {
    for (const place of server.places) {
      const { name } = server;
      const { path, entry } = place;
      const planned = { name, entryName: server.target.name, place };
      if (place.guardedAs !== undefined) guarded.add(path);
      const config = configs.get(path) ?? { from: place.config, to: place.config, shown: [] };
      try {
        const edited = await edit(config.to, server, place);
        const before = valueAt(config.to, entry);
        if (edited === undefined) plan.unchanged.push({ ...planned, ...addressOf(before) });
        else if (typeof edited === "string") plan.left.push({ ...planned, reason: edited });
        else {
          const after = valueAt(edited, entry);
          config.shown.push(launchLine("-", name, before), launchLine("+", name, after));
          config.to = edited;
          configs.set(path, config);
          plan.changed.push({ ...planned, ...addressOf(after) });
        }
      } catch (error) {
        if (!isExplained(error)) throw error;
        problems.push(error);
      }
    }
  }
  const files = [...configs].map(([path, { from, to, shown }]): WrapFile => {
    return { path, from: textOfFile(from), text: textOfFile(to), shown, isGuarded: guarded.has(path) };
  });
  return { ...plan, files, problems };
}

/** Returns a diff line with the launch of a configuration's entry, including the guard in front of it, without secrets. */
function launchLine(sign: "-" | "+", name: string, value: unknown): string {
  const entry = readEntry(value, () => undefined);
  if (typeof entry === "string") return `${sign}${name}`;
  const launch =
    entry.type === "stdio"
      ? redactLaunch({ type: "stdio", command: entry.command, args: [...entry.args], env: Object.keys(entry.env) })
      : redactLaunch({ type: "http", url: entry.url, headers: Object.keys(entry.headers) });
  return `${sign}${name}: ${launchInWords({ launch })}`;
}
