import type { Launch } from "@agentprint/launch";
import { redactLaunch } from "@agentprint/launch/redact";
import { isPinnedLaunch, type LockedServer, type LockFile } from "@agentprint/mcp-lock/lock";
import type { ConfiguredServer } from "./configured-server.ts";

/** A launch as a client's entry has it, to be compared with a locked one. */
export interface ComparedLaunch {
  readonly launch: Launch;
  /** Whether a file of variables that cannot be read has more names. */
  readonly hasMore: boolean;
}

/** Names of variables and of headers that a command line adds to a launch. */
export interface AddedNames {
  readonly env: readonly string[];
  readonly header: readonly string[];
}

/** The launch with more names. */
export function withNames({ launch, hasMore }: ComparedLaunch, { env, header }: AddedNames): ComparedLaunch {
  const more: Launch =
    launch.type === "stdio"
      ? { ...launch, env: [...launch.env, ...env] }
      : { ...launch, headers: [...launch.headers, ...header] };
  return { launch: more, hasMore };
}

/** Whether a client's entry launches what the lock has: the command or address, and the names of variables or headers. */
export function isLockedLaunch(entry: LockedServer, compared: ComparedLaunch): boolean {
  return isPinnedLaunch(entry, spelledAs(entry.launch, compared));
}

/** The launch with the names that the locked one has in another case, or could have from a file of variables. */
function spelledAs(locked: Launch, { launch, hasMore }: ComparedLaunch): Launch {
  if (launch.type === "http") {
    const spelling = new Map(locked.type === "http" ? locked.headers.map((name) => [name.toLowerCase(), name]) : []);
    return { ...launch, headers: launch.headers.map((name) => spelling.get(name.toLowerCase()) ?? name) };
  }
  if (!hasMore || locked.type === "http") return launch;
  return { ...launch, env: [...launch.env, ...locked.env] };
}

/** The texts of a launch that the other one does not have at the same place, in order. */
export function otherWords(locked: Launch, launch: Launch): string[] {
  const [before, after] = [wordsOf(redactLaunch(locked)), wordsOf(redactLaunch(launch))];
  const words = wordsOf(launch);
  const start = after.findIndex((word, index) => word !== before[index]);
  const names = namesOf(launch).filter((name) => !namesOf(locked).includes(name));
  return [...(start === -1 ? [] : words.slice(start)), ...names];
}

function wordsOf(launch: Launch): string[] {
  return launch.type === "http" ? [launch.url] : [launch.command, ...launch.args, launch.cwd ?? ""];
}

function namesOf(launch: Launch): readonly string[] {
  return launch.type === "http" ? launch.headers : launch.env;
}

/** The lock entry of a configured server; absent if the server is not pinned. */
export interface Match {
  readonly entry: LockedServer | undefined;
  readonly isSame: boolean;
}

/** The names, other than the server's own, that decide which entry matches it. */
interface Matching {
  /** The names that configurations have for servers. */
  readonly configured: ReadonlySet<string>;
  /** The names that the command line adds to each launch. */
  readonly added?: AddedNames | undefined;
}

/**
 * Finds the lock entry of a server by the name in its guard, by the source that was recorded when the server was
 * pinned, or else by its own name, to which `init` may have added the client.
 */
export function matchServer(
  { servers, sources = [] }: LockFile,
  server: ConfiguredServer,
  { configured, added = { env: [], header: [] } }: Matching,
): Match {
  const { name, config, client, place, compared } = server;
  const source = sources.find((each) => each.config === config && each.entry === name);
  const known = place.guardedAs ?? source?.server;
  const names = known === undefined ? [...(client ? [`${name}-${client.id}`] : []), name] : [known];
  const named = names.flatMap((each) => servers.find((entry) => entry.name === each) ?? []);
  // A server that was pinned by its command alone has a name that no configuration has.
  const others = known === undefined ? servers.filter((entry) => !configured.has(entry.name)) : [];
  const candidates = named.length > 0 ? named : others;
  const same = candidates.find(
    (entry) => isLockedLaunch(entry, compared) || isLockedLaunch(entry, withNames(compared, added)),
  );
  return { entry: same ?? named[0], isSame: same !== undefined };
}
