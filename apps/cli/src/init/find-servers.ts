import { realpath } from "node:fs/promises";
import { resolve, sep } from "node:path";
import { isSameJson, type JsonValue } from "@agentprint/canonical-json/json-value";
import {
  type Client,
  type ConfigPath,
  type ConfigScope,
  type ConfiguredEntry,
  clientOfFile,
  entriesAt,
  type Guarded,
  homeFolder,
  locateFiles,
  membersWithServers,
  mergedEntry,
  type ParsedConfig,
  type RecognizeGuard,
  type Surroundings,
} from "@agentprint/client-configs";
import { lineOfWords } from "../agree/entry-line.ts";
import { hideSecretsOf } from "../clients/config-secrets.ts";
import { readClientConfig } from "../clients/read-client-config.ts";
import { type OffBySettings, offBySettings, type SwitchedOff, switchedOff } from "../clients/switched-off.ts";
import type { Context } from "../context.ts";
import { CliError, type ExplainedError, isExplained, isMissing } from "../errors.ts";
import type { EditablePlace } from "../launch/editable-place.ts";
import { targetOfEntry } from "../launch/read-config.ts";
import type { ServerTarget } from "../launch/server-target.ts";

/** A server of one or more clients. */
export interface FoundServer {
  /** The server's name in the lock: the one that a client gives it, with that client's id where another server has it. */
  readonly name: string;
  readonly target: ServerTarget;
  readonly places: readonly FoundPlace[];
}

/** An entry of a configuration that launches the server. */
export interface FoundPlace extends Guarded, EditablePlace {
  readonly client: Client | undefined;
  readonly scope: ConfigScope;
  /** The switch of an entry that is off and was found all the same. */
  readonly off?: SwitchedOff;
}

/** An entry that was left out, because something switches it off that is not in its own file, or that its client may not read. */
interface LeftOff {
  readonly name: string;
  /** One sentence with the place of the entry and that of the switch. */
  readonly says: string;
}

/** The servers that were found, and the files that could not be read. */
export interface FoundServers {
  readonly servers: readonly FoundServer[];
  /** The number of files that were read. */
  readonly files: number;
  /** The places of these files where servers were looked for, in words. */
  readonly lookedAt: readonly string[];
  readonly problems: readonly ExplainedError[];
  readonly leftOff: readonly LeftOff[];
}

interface FindOptions {
  readonly clients: readonly Client[];
  readonly scopes: readonly ConfigScope[];
  /** Configurations to read in place of those that clients keep. */
  readonly files: readonly string[];
  /** Configurations of other folders to read as well. */
  readonly others?: OtherConfigs;
  /** Decides which launches are the guard. */
  readonly recognize: RecognizeGuard;
  /** Whether every server that is switched off is found, too. */
  readonly includeOff?: boolean;
  /** Of whom a server is found that one client leaves off. Default: `all`, where its own client may not read the switch. */
  readonly startedBy?: readonly NonNullable<SwitchedOff["startedBy"]>[];
  /** Whether settings of one person are left aside. */
  readonly isForEverybody?: boolean;
  /**
   * Which files of a client are taken together, where entries of one name count as the client merges them: `scope`: those of
   * the project, and those of the user; `client`: all. Default: each entry is found by itself.
   */
  readonly merge?: "scope" | "client";
}

/** Configurations of other folders than that of the project. */
export interface OtherConfigs {
  /** The folder that the listed files have to be in. */
  readonly folder: string;
  /** The files that a configuration of agentprint lists, which have to exist. */
  readonly listed: readonly string[];
  /** The files that are read where they exist. */
  readonly recorded: readonly string[];
}

interface Source extends Omit<FoundPlace, "config" | "entry" | keyof Guarded> {
  /** The member with the servers; absent if the file decides. */
  readonly member?: ConfigPath;
  /** The place of the file among those of its client: the first counts first. Absent for a file of another folder. */
  readonly rank?: number;
  /** Whether a person named the file, which then must exist and may be a pipe. */
  readonly isGiven?: true;
  /** The folder that the file must be in, whatever links lead to it; such a file must exist. */
  readonly inside?: string;
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

/** @throws {@link CliError} `unreadable-input` when a listed file cannot be read, or a link leads out of the folder */
async function readSource(context: Context, { path, file, isGiven, inside }: Source): Promise<ParsedConfig> {
  if (inside !== undefined) {
    // A file that is missing is reported when it is read.
    const [real = "", folder] = await Promise.all([realpath(path).catch(() => undefined), realpath(inside)]);
    if (real !== "" && !real.startsWith(`${folder}${sep}`)) {
      throw new CliError("unreadable-input", `a link leads from ${file} out of the folder of the lock`, {
        where: file,
        expected: "a configuration below the folder of the lock, as /configurations of agentprint.config.json lists it",
        fix: "leave it out of the list, or put the file itself there",
      });
    }
  }
  return readClientConfig(context, path, isGiven ? "any" : "regular");
}

async function sourcesOf(
  surroundings: Surroundings,
  { clients, scopes, files, others }: FindOptions,
): Promise<Source[]> {
  const ofFile = (path: string): Source => ({ path, file: path, client: clientOfFile(path), scope: "project" });
  if (files.length > 0) return files.map((path) => ({ ...ofFile(path), isGiven: true }));
  const located = (await locateFiles(surroundings, clients))
    .map((file, rank) => ({ ...file, rank }))
    .filter(({ scope }) => scopes.includes(scope));
  const inOrder = [
    ...located.filter(({ scope }) => scope === "project"),
    ...located.filter(({ scope }) => scope === "user"),
  ];
  const known = new Set(located.map(({ path }) => path));
  const isNew = (path: string): boolean => !known.has(path) && known.add(path).has(path);
  const { folder = "", listed = [], recorded = [] } = others ?? {};
  return [
    ...inOrder,
    ...listed.filter(isNew).map((path) => ({ ...ofFile(path), inside: folder })),
    ...recorded.filter(isNew).map(ofFile),
  ].map((source) => ({ ...source, file: shownPath(surroundings, source.path) }));
}

/** A path below the project without the project's folder, one below the home folder with `~`. */
function shownPath(surroundings: Surroundings, path: string): string {
  const project = resolve(surroundings.cwd) + sep;
  if (path.startsWith(project)) return path.slice(project.length);
  const home = homeFolder(surroundings) + sep;
  return path.startsWith(home) ? `~/${path.slice(home.length)}` : path;
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
    this.#read.set(source.path, source.member ? `${source.member.join(".")} in ${source.file}` : source.file);
    try {
      const members = source.member ? [source.member] : membersWithServers(config).map((member) => [member]);
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

  /** The entry as its client starts it; `undefined` where another entry of its name counts. */
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
    try {
      const { client, file } = found;
      const { recognize } = this.#options;
      const target = targetOfEntry(this.#context, name, value, { file, references: client?.references, recognize });
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
