import { isSameJson, type JsonValue } from "@agentprint/canonical-json/json-value";
import {
  type Client,
  type ConfigScope,
  type ConfiguredEntry,
  entriesAt,
  type Guarded,
  launchesNothing,
  membersWithServers,
  mergedEntry,
  type ParsedConfig,
  type RecognizeGuard,
  requireMembersWithServers,
} from "@agentprint/client-configs";
import { hideSecretsOf } from "../clients/config-secrets.ts";
import { type OffBySettings, offBySettings, type SwitchedOff, switchedOff } from "../clients/switched-off.ts";
import type { EditablePlace } from "../launch/editable-place.ts";
import type { ServerTarget } from "../launch/server-target.ts";
import type { Context } from "../run/context.ts";
import { CliError, type ExplainedError, isExplained, isMissing } from "../run/errors.ts";
import { readSource, type Source, type SourceOptions, shownPath, sourcesOf } from "./config-sources.ts";
import { lineOfWords } from "./entry-line.ts";
import { targetOfEntry } from "./read-config.ts";

/** A server of one or more clients. */
export interface FoundServer {
  /**
   * The server's name in the lock: the client's name for it, with the client's id if another server has the same
   * name.
   */
  readonly name: string;
  readonly target: ServerTarget;
  readonly places: readonly FoundPlace[];
}

/** An entry of a configuration that launches the server. */
export interface FoundPlace extends Guarded, EditablePlace {
  readonly client: Client | undefined;
  readonly scope: ConfigScope;
  /** The switch that turns the entry off, if the entry is listed nevertheless. */
  readonly off?: SwitchedOff;
}

/**
 * An entry that was left out, because a setting outside its file disables it, or because its client may not read
 * it.
 */
interface LeftOff {
  readonly name: string;
  /** One sentence that names the places of the entry and the switch. */
  readonly says: string;
}

/** The servers that were found, and the files that could not be read. */
export interface FoundServers {
  readonly servers: readonly FoundServer[];
  /** The number of files that were read. */
  readonly files: number;
  /** The files that were read. */
  readonly configs: readonly FoundConfig[];
  /** A description of where in these files servers were looked for. */
  readonly lookedAt: readonly string[];
  readonly problems: readonly ExplainedError[];
  readonly leftOff: readonly LeftOff[];
}

/** A configuration of a client. */
export type FoundConfig = Pick<FoundPlace, "client" | "config" | "file" | "path">;

interface FindOptions extends SourceOptions {
  /** Decides which launches are the guard. */
  readonly recognize: RecognizeGuard;
  /** Whether all servers that are switched off are found as well. */
  readonly includeOff?: boolean;
  /**
   * The values of `startedBy` for which a switched-off server is found anyway. Default: only `all`, because the
   * server's own client may not read the switch.
   */
  readonly startedBy?: readonly NonNullable<SwitchedOff["startedBy"]>[];
  /** Whether one person's settings are ignored. */
  readonly isForEverybody?: boolean;
  /**
   * Selects the files of a client whose equally named entries are merged as the client merges them: `scope`: the
   * project's files, and separately the user's; `client`: all of them. Default: entries are not merged.
   */
  readonly merge?: "scope" | "client";
}

/**
 * Finds the servers in all configurations of these clients, the project's first. An unreadable file is reported as a
 * problem.
 */
export async function findServers(
  context: Context,
  platform: NodeJS.Platform,
  options: FindOptions,
): Promise<FoundServers> {
  const surroundings = { cwd: context.cwd, env: context.env, platform };
  const collected = new Collected(context, options);
  for (const source of await sourcesOf(surroundings, options)) {
    const { isGiven, inside } = source;
    const config = await readSource(context, source).catch((error: unknown) => {
      const mayBeMissing = !isGiven && inside === undefined;
      if (mayBeMissing && error instanceof CliError && isMissing(error.cause)) return undefined;
      return collected.tell(error);
    });
    if (config === undefined) continue;
    const settings = {
      isForEverybody: options.isForEverybody === true,
      shown: (path: string) => shownPath(surroundings, path),
    };
    const bySettings = await offBySettings(context, surroundings, source, settings).catch((error: unknown) =>
      collected.tell(error),
    );
    collected.read(source, config, bySettings ?? new Map());
  }
  collected.addAll();
  return collected;
}

type CollectOptions = Pick<FindOptions, "includeOff" | "merge" | "recognize" | "startedBy">;

/** An entry of a file that was read. */
interface FoundEntry {
  readonly source: Source;
  readonly config: ParsedConfig;
  readonly entry: ConfiguredEntry;
  readonly bySettings: OffBySettings;
}

class Collected implements FoundServers {
  readonly #context: Context;
  readonly #options: CollectOptions;
  readonly servers: FoundServer[] = [];
  readonly problems: ExplainedError[] = [];
  readonly leftOff: LeftOff[] = [];
  readonly configs: FoundConfig[] = [];
  readonly #read = new Map<string, string>();
  readonly #entries: FoundEntry[] = [];

  constructor(context: Context, options: CollectOptions) {
    this.#context = context;
    this.#options = options;
  }

  get files(): number {
    return this.#read.size;
  }

  get lookedAt(): string[] {
    return [...this.#read.values()];
  }

  tell(error: unknown): undefined {
    if (!isExplained(error)) throw error;
    this.problems.push(error);
  }

  read(source: Source, config: ParsedConfig, bySettings: OffBySettings): void {
    this.configs.push({ ...source, config });
    this.#read.set(source.path, source.member ? `${source.member.join(".")} in ${source.file}` : source.file);
    try {
      const isNamed = source.isGiven === true || source.inside !== undefined;
      const found = isNamed ? requireMembersWithServers(config) : membersWithServers(config);
      const members = source.member ? [source.member] : found.map((member) => [member]);
      const entries = members.flatMap((member) => entriesAt(config, member));
      hideSecretsOf(this.#context, entries);
      this.#entries.push(...entries.map((entry) => ({ source, config, entry, bySettings })));
    } catch (error) {
      this.tell(error);
    }
  }

  /** Adds the servers of the entries that were read. */
  addAll(): void {
    const { includeOff, startedBy = ["all"] } = this.#options;
    for (const found of this.#entries) {
      const entry = this.#started(found);
      if (entry === undefined) continue;
      if (entry.state === "built-in") continue;
      const { name, path, value } = entry;
      const { rank: _, ...source } = found.source;
      const place = { ...source, config: found.config, entry: path };
      const off = switchedOff(entry, place, found.bySettings);
      const isFound = off === undefined || includeOff || (off.startedBy && startedBy.includes(off.startedBy));
      if (isFound) this.#add(name, value, { ...place, ...(off && { off }) });
      else if (off.startedBy) this.leftOff.push({ name, says: `${lineOfEntry(place)}: ${off.says}` });
    }
  }

  /** Returns the entry as its client starts it; `undefined` if another entry with its name overrides it. */
  #started(found: FoundEntry): ConfiguredEntry | undefined {
    const { merge: files } = this.#options;
    const { client, rank, scope } = found.source;
    if (files === undefined || client?.merge === undefined || rank === undefined) return found.entry;
    const same = this.#entries
      .filter(({ source, entry }) => source.client === client && entry.name === found.entry.name)
      .filter(({ source }) => source.rank !== undefined && (files === "client" || source.scope === scope))
      .sort((a, b) => Number(a.source.rank) - Number(b.source.rank));
    if (same[0] !== found) return undefined;
    return mergedEntry(client.merge, [found.entry, ...same.slice(1).map(({ entry }) => entry)]);
  }

  #add(name: string, value: unknown, found: FoundPlace): void {
    // A disabled entry without a launch starts nothing, and no guard is in front of it.
    if (found.off !== undefined && launchesNothing(value)) return;
    try {
      const { client, file } = found;
      const { recognize } = this.#options;
      const options = { file, place: found, references: client?.references, recognize };
      const target = targetOfEntry(this.#context, name, value, options);
      const { guardedAs, notGuarded } = target;
      const place = {
        ...found,
        ...(guardedAs !== undefined && { guardedAs }),
        ...(notGuarded !== undefined && { notGuarded }),
      };
      const same = this.servers.findIndex((found) => found.target.name === name && isSameLaunch(found.target, target));
      const known = this.servers[same];
      if (known) this.servers[same] = { ...known, places: [...known.places, place] };
      else this.servers.push({ name: this.#freeName(name, client), target, places: [place] });
    } catch (error) {
      this.tell(error);
    }
  }

  #freeName(name: string, client: Client | undefined): string {
    const names = new Set(this.servers.map((found) => found.name));
    const candidates = [name, ...(client ? [`${name}-${client.id}`] : [])];
    const free = candidates.find((candidate) => !names.has(candidate));
    if (free !== undefined) return free;
    for (let number = 2; ; number++) if (!names.has(`${name}-${number}`)) return `${name}-${number}`;
  }
}

function lineOfEntry({ file, config, entry }: Pick<FoundPlace, "file" | "config" | "entry">): string {
  return `${file}:${lineOfWords({ config, entry }, [])}`;
}

function isSameLaunch({ launch: one }: ServerTarget, { launch: other }: ServerTarget): boolean {
  return isSameJson(one as unknown as JsonValue, other as unknown as JsonValue);
}
