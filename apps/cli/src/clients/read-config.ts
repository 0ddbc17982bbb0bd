import {
  type Client,
  clientOfFile,
  entriesAt,
  type HttpEntry,
  invalidConfig,
  type ParsedConfig,
  parseConfig,
  type RecognizeGuard,
  readEntry,
  requireMembersWithServers,
  type StdioEntry,
  withKnownReferences,
} from "@agentprint/client-configs";
import type { Launch } from "@agentprint/launch";
import { hideSecretsOf } from "../clients/config-secrets.ts";
import { readClientConfig } from "../clients/read-client-config.ts";
import { readRegularFile } from "../files/read-input.ts";
import type { EditablePlace } from "../launch/editable-place.ts";
import { MAX_ENV_FILE_BYTES } from "../launch/refuse-loaded-code.ts";
import { type ServerTarget, withHiddenValues } from "../launch/server-target.ts";
import {
  expandVariables,
  findUnknownVariable,
  qualifyVariables,
  requireVariables,
  variablesIn,
} from "../launch/variables.ts";
import type { Context } from "../run/context.ts";
import { lineOfWords } from "./entry-line.ts";
import { recognizeGuard } from "./wrapped-state.ts";

type Values = Record<string, string>;

/** Receives the error about an entry that cannot be read; the other entries are still read. */
export type TellFault = (name: string, error: unknown) => void;

/**
 * Reads the servers of a client's configuration, in the format and spelling of any client in `docs/clients.md`; a name
 * may occur once in each member of the file. Servers that are switched off and those built into the client are left
 * out.
 *
 * @param lock The lock in use: only a guard that uses this lock is recognized
 * @param tell Called with the error about an entry. Default: the error is thrown.
 * @throws {@link ClientConfigError} when the file does not describe MCP servers. An error that affects only one server,
 * such as a missing `envFile`, is reported when that server is visited.
 * @throws {@link CliError} `unreadable-input`, `too-large` when the file cannot be read
 */
export async function readConfig(
  context: Context,
  file: string,
  lock: string,
  tell?: TellFault,
): Promise<ServerTarget[]> {
  return targetsOfConfig(context, await readClientConfig(context, file, "any"), { lock, ...(tell && { tell }) });
}

/** Reads a file that a configuration names. */
type ReadNamedFile = (file: string, maxBytes: number) => Promise<Uint8Array>;

interface ConfigSource {
  readonly lock: string;
  /** Reads a file that the configuration names. Default: from the file system. */
  readonly readNamedFile?: ReadNamedFile;
  /** Called with the error about an entry. Default: the error is thrown. */
  readonly tell?: TellFault;
}

/**
 * Returns the servers of a client's configuration from its text, with env files read by `readNamedFile`.
 *
 * @throws {@link CliError}, {@link ClientConfigError} as {@link readConfig}
 */
export async function readConfigText(
  context: Context,
  text: string,
  file: string,
  source: Required<Omit<ConfigSource, "tell">>,
): Promise<ServerTarget[]> {
  return targetsOfConfig(context, await parseConfig(text, file), source);
}

async function targetsOfConfig(
  context: Context,
  config: ParsedConfig,
  { lock, readNamedFile, tell }: ConfigSource,
): Promise<ServerTarget[]> {
  const { file } = config;
  const references = clientOfFile(file)?.references;
  const recognize = await recognizeGuard(context, lock);
  const entries = requireMembersWithServers(config).flatMap((member) => entriesAt(config, [member], tell));
  hideSecretsOf(context, entries);
  return entries
    .filter(({ state }) => state === "on")
    .flatMap(({ name, value, path }) => {
      const place = { config, entry: path, file, path: file };
      const options = { file, place, references, recognize, ...(readNamedFile && { readNamedFile }) };
      try {
        return { ...targetOfEntry(context, name, value, options), config: file, place };
      } catch (error) {
        if (tell === undefined) throw error;
        tell(name, error);
        return [];
      }
    });
}

interface EntryOptions {
  readonly file: string;
  /** The place of the entry, so that a finding about it can name its line. */
  readonly place: Pick<EditablePlace, "config" | "entry">;
  readonly references?: Client["references"];
  readonly recognize: RecognizeGuard;
  /** Reads a file that the configuration names. Default: from the file system. */
  readonly readNamedFile?: ReadNamedFile;
}

/**
 * Returns the target that an entry of a configuration describes.
 *
 * @throws {@link ClientConfigError} when the entry describes none
 */
export function targetOfEntry(
  context: Context,
  name: string,
  value: unknown,
  {
    file,
    place,
    references,
    recognize,
    readNamedFile = (named, maxBytes) => readRegularFile(context, named, maxBytes),
  }: EntryOptions,
): ServerTarget {
  const where = `${file}, server ${name}`;
  const entry = readEntry(value, recognize);
  if (typeof entry === "string") {
    const [member = ""] = /^\w+/.exec(entry) ?? [];
    throw invalidConfig(`${file}:${lineOfWords(place, [member])}, server ${name}`, entry);
  }
  const known = withKnownReferences(entry, references);
  const target =
    known.type === "stdio"
      ? stdioTarget(context, name, known, where, readNamedFile)
      : httpTarget(context, name, known, where);
  const { guardedAs, notGuarded } = known;
  const guarded = { ...(guardedAs !== undefined && { guardedAs }), ...(notGuarded !== undefined && { notGuarded }) };
  return withHiddenValues(context, { ...target, ...guarded });
}

function stdioTarget(
  context: Context,
  name: string,
  { command, args, cwd, env, envFile }: StdioEntry,
  where: string,
  readNamedFile: ReadNamedFile,
): ServerTarget {
  const removed = Object.keys(env).filter((variable) => env[variable] === null);
  const given = Object.fromEntries(
    Object.entries(env).flatMap(([key, value]) => (value === null ? [] : [[key, value]])),
  );
  const launch: Launch = {
    type: "stdio",
    command: qualifyVariables(command),
    args: args.map(qualifyVariables),
    ...(cwd !== undefined && { cwd: qualifyVariables(cwd) }),
    env: Object.keys(given),
  };
  const written = writtenIn(given);
  return {
    name,
    launch,
    written,
    ...(envFile !== undefined && { envFile }),
    readValues: async () => {
      refuseUnknownVariables([command, ...args, cwd ?? ""], where);
      const fromFile = envFile === undefined ? {} : await readEnvFile(expand(context, envFile, where), readNamedFile);
      for (const variable of removed) delete fromFile[variable];
      requireAll(context, [...Object.values(given), command, ...args, cwd ?? ""], where, written);
      return { ...fromFile, ...expandAll(context, given, where) };
    },
  };
}

function httpTarget(context: Context, name: string, { url, headers }: HttpEntry, where: string): ServerTarget {
  return {
    name,
    launch: { type: "http", url: qualifyVariables(url), headers: Object.keys(headers) },
    written: writtenIn(headers),
    readValues: () => {
      refuseUnknownVariables([url], where);
      requireAll(context, [...Object.values(headers), url], where);
      return expandAll(context, headers, where);
    },
  };
}

/** Reads the variables in a file of `NAME=value` lines. Variables under `env` override them. */
async function readEnvFile(envFile: string, readNamedFile: ReadNamedFile): Promise<Values> {
  const { parse } = await import("dotenv");
  return parse(Buffer.from(await readNamedFile(envFile, MAX_ENV_FILE_BYTES)));
}

function expandAll(context: Context, values: Readonly<Values>, where: string): Values {
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, expand(context, value, where)]));
}

/** Returns the names of those values that do not refer to a variable. */
function writtenIn(values: Readonly<Values>): string[] {
  return Object.entries(values).flatMap(([name, text]) =>
    variablesIn(qualifyVariables(text)).length === 0 ? [name] : [],
  );
}

function expand(context: Context, text: string, where: string): string {
  refuseUnknownVariables([text], where);
  return expandVariables(context, qualifyVariables(text), where);
}

/** Requires that all variables in these texts are set. */
function requireAll(context: Context, texts: readonly string[], where: string, own: readonly string[] = []): void {
  const named = texts.map(qualifyVariables).flatMap(variablesIn);
  requireVariables(
    context,
    named.filter((name) => !own.includes(name)),
    where,
  );
}

function refuseUnknownVariables(texts: readonly string[], where: string): void {
  const unknown = texts.map(findUnknownVariable).find((reference) => reference !== undefined);
  if (unknown !== undefined) throw invalidConfig(where, `${unknown} cannot be filled in outside of the editor`);
}
