import { fileURLToPath } from "node:url";
import { decodePercent } from "@agentprint/mcp-visit/secrets";
import packageJson from "../../package.json" with { type: "json" };

/** The words that put a guard in front of a server's command, in the form that `wrap` writes. */
export interface GuardWords {
  /** The name of the server in the lock. */
  readonly server: string;
  /** The path of the lock, as written in the configuration. */
  readonly lock: string;
  /** The words that start agentprint. */
  readonly program: readonly string[];
  /** The number of words in the launch that belong to the guard, including its program. */
  readonly words: number;
}

/** A guard in front of a server's address. */
export interface GuardAddress {
  readonly server: string;
  /** `host:port` of the guard. */
  readonly at: string;
  /** The address of the server itself. */
  readonly url: string;
}

const { name: NAME, version: VERSION } = packageJson;
const SOURCE = "--conditions=@agentprint/source";
const EXACT_VERSION = /^\d+\.\d+\.\d+(?:-[0-9A-Za-z.-]+)?$/;
/** Matches a path that is independent of the working directory. */
const ABSOLUTE = /^(?:\/|[A-Za-z]:[\\/]|\\\\)/;

/**
 * Returns the arguments with which a client starts the guard instead of a server; the server's command follows them. An
 * agentprint from npm is started through `npx`, in this version on every machine; any other is started by its path.
 *
 * @param lock The path of the lock to write to the configuration
 * @param file The path of a file of this package, as the system writes paths
 */
export function guardWords(server: string, lock: string, file: string = fileURLToPath(import.meta.url)): string[] {
  return [...programWords(file), "guard", server, "--lock", lock, "--"];
}

function programWords(file: string): readonly string[] {
  if (/[\\/]node_modules[\\/]/.test(file)) return ["npx", "-y", `${NAME}@${VERSION}`];
  const [built, source] = ownPrograms(file);
  return /[\\/]dist[\\/]/.test(file) ? built : source;
}

/** Returns the words that start an agentprint by its path: a built one, and one run from source. */
function ownPrograms(file: string): readonly [built: readonly string[], source: readonly string[]] {
  const [, root = ""] = /^(.*[\\/])(?:src|dist)[\\/]/.exec(file) ?? [];
  const slash = root.at(-1) ?? "/";
  return [
    [process.execPath, `${root}dist${slash}main.js`],
    [process.execPath, SOURCE, `${root}src${slash}main.ts`],
  ];
}

/** Returns whether these words let npm start agentprint in an exact version. */
export function isFromNpm([npx, yes, spec = "", ...others]: readonly string[]): boolean {
  const version = spec.startsWith(`${NAME}@`) ? spec.slice(NAME.length + 1) : "";
  return npx === "npx" && yes === "-y" && EXACT_VERSION.test(version) && others.length === 0;
}

/** Returns whether these words start this installation of agentprint by its path. */
export function isThisProgram(words: readonly string[], file: string = fileURLToPath(import.meta.url)): boolean {
  return ownPrograms(file).some((own) => own.length === words.length && own.every((word, at) => word === words[at]));
}

/** Returns whether these words have the form that starts some agentprint by its path. */
function isSomeProgram([node = "", ...others]: readonly string[]): boolean {
  const [option, file = ""] = others.length === 1 ? [SOURCE, ...others] : others;
  const isMain = others.length === 1 ? /[\\/]main\.js$/.test(file) : /[\\/]main\.ts$/.test(file);
  return others.length < 3 && option === SOURCE && isMain && ABSOLUTE.test(file) && ABSOLUTE.test(node);
}

/**
 * Parses the guard in front of a command, exactly in the form that `wrap` writes on any machine; returns `undefined`
 * for any other form, such as an additional word. The program that the words start is not examined.
 */
export function guardOfCommand(command: readonly string[]): GuardWords | undefined {
  const at = command.indexOf("guard");
  if (at === -1) return undefined;
  const program = command.slice(0, at);
  const [, server = "", option, lock, dashes, own] = command.slice(at);
  const isForm = option === "--lock" && lock !== undefined && dashes === "--" && own !== undefined;
  if (!isForm || !/^[^-]/s.test(server) || !(isFromNpm(program) || isSomeProgram(program))) return undefined;
  return { server, lock, program, words: at + 5 };
}

/** Returns whether a command names agentprint and `guard`, in any form. */
export function namesGuard(command: readonly string[]): boolean {
  const at = command.indexOf("guard");
  return command.slice(0, Math.max(0, at)).some((word) => /agentprint|[\\/]main\.[cm]?[jt]s$/i.test(word));
}

/** Returns the beginning of an address through the guard at `host:port`; the address of the server follows it. */
export function guardAddress(server: string, at: string): string {
  return `http://${at}/${encodeURIComponent(server)}#`;
}

/**
 * Parses the guard in front of an address, exactly in the form that `wrap` writes; returns `undefined` for any other
 * form.
 */
export function guardOfAddress(url: string): GuardAddress | undefined {
  // Clients never send a fragment, so the server's address can be kept behind `#`.
  const [, at = "", name = "", inner = ""] =
    /^http:\/\/((?:[\w.-]+|\[[\da-f:]+\]):\d{1,5})\/([^/#?]+)#(https?:\/\/.*|[${].*)$/is.exec(url) ?? [];
  const server = decodePercent(name);
  return server !== "" && guardAddress(server, at) + inner === url ? { server, at, url: inner } : undefined;
}
