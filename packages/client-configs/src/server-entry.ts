import { z } from "zod";
import type { Recognition, RecognizeGuard } from "./recognition.ts";

/** One server in the configuration of any client. Texts may contain references to variables. */
export type ServerEntry = StdioEntry | HttpEntry;

/** Whether a guard is in front of a server. */
export interface Guarded {
  /** The name under which the guard knows the server; absent where there is no guard. */
  readonly guardedAs?: string;
  /** Why an entry that resembles a guard is not recognized as one. The launch is then that of the whole entry. */
  readonly notGuarded?: string;
}

export interface StdioEntry extends Guarded {
  readonly type: "stdio";
  readonly command: string;
  readonly args: readonly string[];
  readonly cwd?: string | undefined;
  /** `null`: the variable is not passed on, even where the file of variables has it. */
  readonly env: Readonly<Record<string, string | null>>;
  /** A file of `NAME=value` lines. */
  readonly envFile?: string | undefined;
}

export interface HttpEntry extends Guarded {
  readonly type: "http";
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** The members in which a client writes the program of a server. */
export const COMMANDS: readonly string[] = Object.freeze(["command", "cmd"]);
/** The members in which a client writes the address of a server, in the order in which they are read. */
export const ADDRESSES: readonly string[] = Object.freeze(["httpUrl", "url", "serverUrl", "uri"]);

const Text = z.union([z.string(), z.number(), z.boolean()]).transform(String);
const Env = z.record(z.string(), Text.nullable());
const Headers = z.record(z.string(), Text);
const Names = z.array(z.union([z.string(), z.object({ name: z.string() }).transform(({ name }) => name)]));

const Stdio = z.object({
  command: z.union([z.string().min(1), z.tuple([z.string().min(1)], z.string())]),
  args: z.array(z.string()).default([]),
  cwd: z.string().optional(),
  env: Env.default({}),
  names: Names.default([]),
  envFile: z.string().optional(),
});

const Http = z.object({
  url: z.string(),
  headers: Headers.default({}),
  fromVariables: Headers.default({}),
  token: z.string().optional(),
});

const Switch = z.object({ disabled: z.literal(true) }).or(z.object({ enabled: z.literal(false) }));
const BuiltIn = z
  .object({ type: z.enum(["builtin", "platform", "frontend", "inline_python"]) })
  .or(z.object({ source: z.literal("extension") }));

/** Whether the entry is switched off. */
export function isOff(entry: unknown): boolean {
  return Switch.safeParse(entry).success;
}

/** Whether the client itself brings the server along, so that the entry launches nothing. */
export function isBuiltIn(entry: unknown): boolean {
  return BuiltIn.safeParse(entry).success;
}

/**
 * Reads the entry of a server in the spelling of any client; behind the guard, reads the launch of the server itself. A
 * member that names environment variables, such as `env_vars` of Codex, becomes references to them.
 *
 * @returns the server, or one sentence on the missing part of the entry
 */
export function readEntry(written: unknown, recognize: RecognizeGuard): ServerEntry | string {
  const entry = z.record(z.string(), z.unknown()).safeParse(written).data;
  if (entry === undefined) return "entry: expected an object";
  // Zed wrote the three members of a launch below `command` once.
  const before = z
    .object({ path: z.string(), args: z.unknown(), env: z.unknown() })
    .partial()
    .safeParse(entry["command"]);
  const launch = before.data ? { ...entry, ...before.data, command: before.data.path } : entry;
  const command = launch["command"] ?? launch["cmd"];
  const ways = [...COMMANDS, ...ADDRESSES].filter((name) => (launch[name] ?? "") !== "");
  const recognizeHere: RecognizeGuard = (found) => recognize({ ...found, isAmbiguous: ways.length > 1 });
  return command === undefined ? readHttp(entry, recognizeHere) : readStdio(launch, command, recognizeHere);
}

function readStdio(
  entry: Readonly<Record<string, unknown>>,
  command: unknown,
  recognize: RecognizeGuard,
): StdioEntry | string {
  const { success, data, error } = Stdio.safeParse({
    command,
    args: entry["args"] ?? undefined,
    cwd: entry["cwd"] ?? undefined,
    env: entry["env"] ?? entry["envs"] ?? entry["environment"] ?? undefined,
    names: entry["env_vars"] ?? entry["env_keys"] ?? undefined,
    envFile: entry["envFile"] ?? undefined,
  });
  if (!success) return sentenceOf(error);
  const words = [...[data.command].flat(), ...data.args];
  const { cwd, envFile } = data;
  const variables = variablesOf(entry);
  const guard = recognize({ command: words, url: undefined, cwd, variables, envFile, isAmbiguous: false });
  const [program = "", ...args] = words.slice(guard && "words" in guard ? guard.words : 0);
  const passedOn = Object.fromEntries(data.names.map((name) => [name, reference(name)]));
  return {
    type: "stdio",
    ...guardedOf(guard),
    command: program,
    args,
    cwd,
    env: { ...passedOn, ...data.env },
    envFile,
  };
}

/** The names of all variables that some client would set or pass on, whichever member has them. */
function variablesOf(entry: Readonly<Record<string, unknown>>): string[] {
  const set = ["env", "envs", "environment"].flatMap((member) => {
    const variables = z.record(z.string(), z.unknown()).safeParse(entry[member]).data ?? {};
    return Object.keys(variables).filter((name) => variables[name] !== null);
  });
  const passedOn = ["env_vars", "env_keys"].flatMap((member) => Names.safeParse(entry[member]).data ?? []);
  return [...set, ...passedOn];
}

function guardedOf(guard: Recognition): Guarded {
  if (guard === undefined) return {};
  return "guardedAs" in guard ? { guardedAs: guard.guardedAs } : { notGuarded: guard.notGuarded };
}

function readHttp(entry: Readonly<Record<string, unknown>>, recognize: RecognizeGuard): HttpEntry | string {
  const options = z.object({ headers: z.unknown() }).safeParse(entry["requestOptions"]).data;
  const { success, data, error } = Http.safeParse({
    url: ADDRESSES.map((name) => entry[name]).find((url) => url !== undefined && url !== null),
    headers: entry["headers"] ?? entry["http_headers"] ?? options?.headers ?? undefined,
    fromVariables: entry["env_http_headers"] ?? undefined,
    token: entry["bearer_token_env_var"] ?? undefined,
  });
  if (!success) return sentenceOf(error);
  const fromVariables = Object.entries(data.fromVariables).map(([header, name]) => [header, reference(name)]);
  const token = data.token === undefined ? {} : { Authorization: `Bearer ${reference(data.token)}` };
  const guard = recognize({ command: [], url: data.url, cwd: undefined, variables: [], isAmbiguous: false });
  return {
    type: "http",
    ...guardedOf(guard),
    url: guard && "url" in guard && guard.url !== undefined ? guard.url : data.url,
    headers: { ...token, ...Object.fromEntries(fromVariables), ...data.headers },
  };
}

function reference(variable: string): string {
  return `\${env:${variable}}`;
}

function sentenceOf({ issues: [issue] }: z.ZodError): string {
  return `${issue?.path.join(".") || "entry"}: ${issue?.message}`;
}
