import { isObject } from "@agentprint/canonical-json/json-value";
import type { OffSwitch } from "./client.ts";
import {
  EntryProblem,
  isTable,
  readCommand,
  readNames,
  readOptional,
  readText,
  readTexts,
  readValues,
  readVariables,
  type Table,
} from "./entry-values.ts";
import type { Recognition, RecognizeGuard } from "./recognition.ts";

/** A server in any client's configuration. Its texts may contain references to variables. */
export type ServerEntry = StdioEntry | HttpEntry;

/** The guard in front of a server, if there is one. */
export interface Guarded {
  /** The name under which the guard knows the server; absent if there is no guard. */
  readonly guardedAs?: string;
  /**
   * The reason why an entry that resembles a guard is not recognized as a guard. The launch is then the complete
   * entry's launch.
   */
  readonly notGuarded?: string;
}

export interface StdioEntry extends Guarded {
  readonly type: "stdio";
  readonly command: string;
  readonly args: readonly string[];
  readonly cwd?: string | undefined;
  /** `null`: the variable is not passed on, even if the variables file contains it. */
  readonly env: Readonly<Record<string, string | null>>;
  /** A file of `NAME=value` lines. */
  readonly envFile?: string | undefined;
}

export interface HttpEntry extends Guarded {
  readonly type: "http";
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** The members in which clients write a server's program. */
export const COMMANDS: readonly string[] = Object.freeze(["command", "cmd"]);
/** The members in which clients write a server's URL, in the order in which they are read. */
export const ADDRESSES: readonly string[] = Object.freeze(["httpUrl", "url", "serverUrl", "uri"]);

/** The members in which clients write a server's variables. */
const VARIABLES = ["env", "envs", "environment"] as const;

/** The kinds of servers that a client provides itself. */
const BUILT_IN: ReadonlySet<unknown> = new Set(["builtin", "platform", "frontend"]);
/** The kind of Goose server whose code is in the configuration. */
const INLINE = "inline_python";

/** Returns the switch that disables an entry; `undefined` if the entry is enabled. */
export function offSwitchOf(entry: unknown): Exclude<OffSwitch, "mcp lists"> | undefined {
  if (!isObject(entry)) return undefined;
  if (entry["disabled"] === true) return "disabled: true";
  return entry["enabled"] === false ? "enabled: false" : undefined;
}

/**
 * Returns whether the client provides the server itself, so that the entry launches nothing. An entry with a command or
 * a URL is not built in, because clients that do not know this kind launch it.
 */
export function isBuiltIn(entry: unknown): boolean {
  if (!isObject(entry) || !(BUILT_IN.has(entry["type"]) || entry["source"] === "extension")) return false;
  return writtenIn(entry, [...COMMANDS, ...ADDRESSES]).length === 0;
}

/**
 * Returns whether an entry has neither a command nor a URL, for example because it only disables an entry in another
 * file.
 */
export function launchesNothing(entry: unknown): boolean {
  return isTable(entry) && writtenIn(entry, [...COMMANDS, ...ADDRESSES]).length === 0;
}

/**
 * Reads a server's entry in any client's spelling; if the entry starts the guard, reads the launch of the server behind
 * it. A member that names environment variables, such as Codex's `env_vars`, becomes references to them. An entry with
 * two launches, such as a command and a URL, is refused, because clients differ in which one they use.
 *
 * @returns the server, or a sentence that says which part of the entry is missing
 */
export function readEntry(written: unknown, recognize: RecognizeGuard): ServerEntry | string {
  try {
    if (!isTable(written)) throw new EntryProblem("entry", "an object");
    if (written["type"] === INLINE)
      throw new EntryProblem("type", "a launch, because a lock does not store code from a configuration");
    const launch = launchOf(written);
    for (const names of [[...COMMANDS, ...ADDRESSES], VARIABLES]) requireOne(launch, names);
    if (launchesNothing(launch)) throw new EntryProblem(...missingIn(launch));
    const command = launch["command"] ?? launch["cmd"];
    return command === undefined ? readHttp(written, recognize) : readStdio(launch, command, recognize);
  } catch (error) {
    if (error instanceof EntryProblem) return error.message;
    throw error;
  }
}

/** Returns the empty or missing member, and the value that it should have. */
function missingIn(launch: Table): [member: string, expected: string] {
  const empty = [...COMMANDS, ...ADDRESSES].find((name) => launch[name] === "");
  if (empty === undefined) return ["command, url", "one of them, a program or an address"];
  return [empty, COMMANDS.includes(empty) ? "a program, or a list that begins with one" : "an address"];
}

/** Returns the names of the members that are not empty. */
function writtenIn(entry: Table, names: readonly string[]): string[] {
  return names.filter((name) => (entry[name] ?? "") !== "");
}

/** @throws {@link EntryProblem} when members with the same meaning differ */
function requireOne(entry: Table, names: readonly string[]): void {
  const written = writtenIn(entry, names);
  if (new Set(written.map((name) => JSON.stringify(entry[name]))).size > 1)
    throw new EntryProblem(written.join(", "), "one of them, because clients differ in which one they read");
}

/** Returns the entry with all parts of its launch as members of the entry: Zed once wrote them below `command`. */
function launchOf(entry: Table): Table {
  const below = entry["command"];
  if (!isObject(below)) return entry;
  const { path: command, args = entry["args"], env = entry["env"] } = below;
  return command === undefined || typeof command === "string" ? { ...entry, command, args, env } : entry;
}

function readStdio(entry: Table, written: unknown, recognize: RecognizeGuard): StdioEntry {
  const command = readCommand(written, "command");
  const words = [...command, ...readOptional(entry["args"], "args", readTexts, [])];
  const cwd = readOptional(entry["cwd"], "cwd", readText, undefined);
  const [set = "env"] = writtenIn(entry, VARIABLES);
  const env = readOptional(entry[set], set, readVariables, {});
  const names = readOptional(entry["env_vars"] ?? entry["env_keys"], "names", readNames, []);
  const envFile = readOptional(entry["envFile"], "envFile", readText, undefined);
  const variables = variablesOf(entry);
  const guard = recognize({ command: words, url: undefined, cwd, variables, envFile });
  const [program = "", ...args] = words.slice(guard && "words" in guard ? guard.words : 0);
  const passedOn = Object.fromEntries(names.map((name) => [name, reference(name)]));
  return { type: "stdio", ...guardedOf(guard), command: program, args, cwd, env: { ...passedOn, ...env }, envFile };
}

/** Returns the names of all variables that some client would set or pass on, from every member that can hold them. */
function variablesOf(entry: Table): string[] {
  const set = VARIABLES.flatMap((member) => {
    const variables = entry[member];
    return isTable(variables) ? Object.keys(variables).filter((name) => variables[name] !== null) : [];
  });
  return [...set, ...["env_vars", "env_keys"].flatMap((member) => namesIn(entry[member]))];
}

function namesIn(list: unknown): string[] {
  try {
    return readNames(list, "names");
  } catch {
    return [];
  }
}

function guardedOf(guard: Recognition): Guarded {
  if (guard === undefined) return {};
  return "guardedAs" in guard ? { guardedAs: guard.guardedAs } : { notGuarded: guard.notGuarded };
}

function readHttp(entry: Table, recognize: RecognizeGuard): HttpEntry {
  const options = entry["requestOptions"];
  const [address = "url"] = writtenIn(entry, ADDRESSES);
  const url = readText(entry[address], "url");
  const written = entry["headers"] ?? entry["http_headers"] ?? (isObject(options) ? options["headers"] : undefined);
  const headers = readOptional(written, "headers", readValues, {});
  const variables = readOptional(entry["env_http_headers"], "fromVariables", readValues, {});
  const fromVariables = Object.entries(variables).map(([header, name]) => [header, reference(name)]);
  const variable = readOptional(entry["bearer_token_env_var"], "token", readText, undefined);
  const token = variable === undefined ? {} : { Authorization: `Bearer ${reference(variable)}` };
  const guard = recognize({ command: [], url, cwd: undefined, variables: [] });
  return {
    type: "http",
    ...guardedOf(guard),
    url: guard && "url" in guard && guard.url !== undefined ? guard.url : url,
    headers: { ...token, ...Object.fromEntries(fromVariables), ...headers },
  };
}

function reference(variable: string): string {
  return `\${env:${variable}}`;
}
