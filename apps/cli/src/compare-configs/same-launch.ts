import type { Launch } from "@agentprint/launch";
import { redactLaunch } from "@agentprint/launch/redact";
import { isPinnedLaunch, type LockedServer } from "@agentprint/mcp-lock/lock";

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
