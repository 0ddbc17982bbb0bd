import { fileURLToPath } from "node:url";
import packageJson from "../../package.json" with { type: "json" };
import { decodeName } from "../guard/decode-name.ts";

/** A server of a configuration that is started or reached behind the guard. */
export interface GuardedLaunch {
  /** The name of the server in the lock. */
  readonly server: string;
  /** How many words of the launch belong to the guard, the program among them. */
  readonly words: number;
}

/**
 * The words with which a client starts the guard in place of a server; the command of the server follows them. A package from npm
 * is started by `npx` in this version, wherever the configuration is read; any other agentprint by its path.
 *
 * @param lock The path of the lock, as the configuration shall have it
 * @param file A file of this package, as the system writes paths
 */
export function guardWords(server: string, lock: string, file: string = fileURLToPath(import.meta.url)): string[] {
  return [...programWords(file), "guard", server, "--lock", lock, "--"];
}

function programWords(file: string): string[] {
  const { name, version } = packageJson;
  if (/[\\/]node_modules[\\/]/.test(file)) return ["npx", "-y", `${name}@${version}`];
  const [, folder = "", kind] = /^(.*[\\/](src|dist)[\\/])/.exec(file) ?? [];
  if (kind === "dist") return [process.execPath, `${folder}main.js`];
  return [process.execPath, "--conditions=@agentprint/source", `${folder}main.ts`];
}

/** The guard in front of a command; `undefined` where there is none. */
export function guardOfCommand(command: readonly string[]): GuardedLaunch | undefined {
  const at = command.indexOf("guard");
  const [, server, option, , dashes] = at === -1 ? [] : command.slice(at);
  if (at < 1 || at > 3 || server === undefined || option !== "--lock" || dashes !== "--") return undefined;
  return /^agentprint@|[\\/]main\.[jt]s$/.test(command[at - 1] ?? "") ? { server, words: at + 5 } : undefined;
}

/** The beginning of an address behind the guard at `host:port`; the address of the server follows it. */
export function guardAddress(server: string, at: string): string {
  return `http://${at}/${encodeURIComponent(server)}#`;
}

/** The guard in front of an address, and that address; `undefined` where there is none. */
export function guardOfAddress(url: string): { readonly server: string; readonly url: string } | undefined {
  // What is behind `#` is never sent, so that the address of the server is kept where no client minds.
  const [, server, inner] = /^http:\/\/[^/#?]+\/([^/#?]+)#(https?:\/\/.*|[${].*)$/is.exec(url) ?? [];
  if (server === undefined || inner === undefined) return undefined;
  return { server: decodeName(server), url: inner };
}
