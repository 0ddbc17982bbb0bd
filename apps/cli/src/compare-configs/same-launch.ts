import type { Launch } from "@agentprint/launch";
import { redactLaunch } from "@agentprint/launch/redact";
import { isPinnedLaunch, type LockedServer } from "@agentprint/mcp-lock/lock";
import { type LaunchValues, type ServerTarget, targetFromEnvironment } from "../launch/server-target.ts";
import type { Context } from "../run/context.ts";
import { isExplained } from "../run/errors.ts";

/** A launch in a client's entry, to be compared with a locked one. */
export interface ComparedLaunch {
  readonly launch: Launch;
  /** Whether there may be more names, in a file of variables that cannot be read. */
  readonly hasMore: boolean;
}

/** Names of variables and of headers that a command line adds to a launch. */
export interface AddedNames {
  readonly env: readonly string[];
  readonly header: readonly string[];
}

/** Adds names to a launch. */
export function withNames({ launch, hasMore }: ComparedLaunch, { env, header }: AddedNames): ComparedLaunch {
  const more: Launch =
    launch.type === "stdio"
      ? { ...launch, env: [...launch.env, ...env] }
      : { ...launch, headers: [...launch.headers, ...header] };
  return { launch: more, hasMore };
}

/**
 * Returns whether a client's entry launches the locked target, by its command or address and the names of its variables
 * or headers.
 */
export function isLockedLaunch(entry: LockedServer, compared: ComparedLaunch): boolean {
  return isPinnedLaunch(entry, spelledAs(entry.launch, compared));
}

/**
 * Returns the launch with header names spelled as in the locked launch, and with the variables that it could get from a
 * file that cannot be read.
 */
function spelledAs(locked: Launch, { launch, hasMore }: ComparedLaunch): Launch {
  if (launch.type === "http") {
    const spelling = new Map(locked.type === "http" ? locked.headers.map((name) => [name.toLowerCase(), name]) : []);
    return { ...launch, headers: launch.headers.map((name) => spelling.get(name.toLowerCase()) ?? name) };
  }
  if (!hasMore || locked.type === "http") return launch;
  return { ...launch, env: [...launch.env, ...locked.env] };
}

/** Returns, in order, the words of a launch that the other launch does not have at the same place. */
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

/**
 * Returns the pinned launch with the values that an entry with a different launch has for the variables or headers.
 * Settings that the entry lacks come from the environment.
 */
export function pinnedWithValues(
  context: Context,
  { name, launch }: LockedServer,
  configured: ServerTarget,
): ServerTarget {
  const names = launch.type === "stdio" ? launch.env : launch.headers;
  const spell = (each: string): string => (launch.type === "stdio" ? each : each.toLowerCase());
  const { config } = configured;
  return {
    name,
    launch,
    ...(config !== undefined && { config }),
    readValues: async () => {
      const isSameKind = launch.type === configured.launch.type;
      const values = (isSameKind ? await valuesOf(configured) : undefined) ?? {};
      const given = new Map(Object.entries(values).map(([each, value]) => [spell(each), value]));
      const missing = names.filter((each) => !given.has(spell(each)));
      const rest = launch.type === "stdio" ? { ...launch, env: missing } : { ...launch, headers: missing };
      const own = names.flatMap((each): [string, string][] => {
        const value = given.get(spell(each));
        return value === undefined ? [] : [[each, value]];
      });
      return { ...(await targetFromEnvironment(context, name, rest).readValues()), ...Object.fromEntries(own) };
    },
  };
}

/** Returns whether all values of a target can be read. */
export async function hasValues(target: ServerTarget): Promise<boolean> {
  return (await valuesOf(target)) !== undefined;
}

async function valuesOf(target: ServerTarget): Promise<LaunchValues | undefined> {
  try {
    return await target.readValues();
  } catch (error) {
    if (isExplained(error)) return undefined;
    throw error;
  }
}
