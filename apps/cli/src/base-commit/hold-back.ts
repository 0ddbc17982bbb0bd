import { resolve } from "node:path";
import { MAX_CONFIG_BYTES } from "@agentprint/client-configs";
import { type Launch, launchedEnvFiles } from "@agentprint/launch";
import { isRedacted, redactLaunch } from "@agentprint/launch/redact";
import { isPinnedLaunch, type LockedServer } from "@agentprint/mcp-lock";
import { readRegularFile } from "../files/read-input.ts";
import { loadsCode } from "../launch/loading-variables.ts";
import { MAX_ENV_FILE_BYTES } from "../launch/refuse-loaded-code.ts";
import { expandLaunch, type LaunchValues, launchWith, type ServerTarget } from "../launch/server-target.ts";
import { expandVariables, qualifyVariables } from "../launch/variables.ts";
import type { Context } from "../run/context.ts";
import { CliError, isMissing } from "../run/errors.ts";
import type { Base } from "./read-base.ts";

/**
 * Returns the targets; a target whose launch differs from the base's pinned one fails before it starts, because an
 * unreviewed change must not choose the program to start. A target with a variable that chooses the loaded code fails
 * as well, because its value can name a file of the change.
 */
export function holdBackLaunches(targets: readonly ServerTarget[], { name: base, lock }: Base): ServerTarget[] {
  const entries = new Map(lock?.servers.map((entry) => [entry.name, entry]));
  return targets.map((target): ServerTarget => {
    const { name, launch } = target;
    const entry = entries.get(name);
    return {
      ...target,
      readValues: async () => {
        if (entry === undefined) throw heldBack(`${name} is not pinned in ${base}`);
        const isOther = () => heldBack(`the launch of ${name} is not the one pinned in ${base}`);
        if (!isPinnedLaunch(entry, withNamesOf(entry, launch))) throw isOther();
        // The names in an `envFile` are known only at this point.
        const values = await target.readValues();
        if (!isPinnedLaunch(entry, launchWith(launch, values))) throw isOther();
        const loading = launch.type === "stdio" ? Object.keys(values).filter(loadsCode) : [];
        if (loading.length > 0)
          throw heldBack(`${name} gets ${loading.join(", ")}, whose value chooses which code is loaded`);
        return values;
      },
    };
  });
}

/** Returns a launch with the variable or header names of an entry. */
function withNamesOf({ launch: pinned }: LockedServer, launch: ServerTarget["launch"]): ServerTarget["launch"] {
  if (launch.type === "stdio") return { ...launch, env: pinned.type === "stdio" ? pinned.env : launch.env };
  return { ...launch, headers: pinned.type === "http" ? pinned.headers : launch.headers };
}

/** Returns the error for a launch that was not started because a change chose a part of it. */
function heldBack(message: string): CliError {
  return new CliError("launch-changed", `${message}, so it was not started`, {
    expected: "the launch that is pinned in the base",
    fix: "review the launch, then run the check with --allow-changed-launch if that is safe",
  });
}

/**
 * Returns the targets; a target fails before it starts if values of its variables or headers come from a configuration
 * of the change and differ from the values in the base's configuration and env files.
 */
export function holdBackValues(
  context: Context,
  targets: readonly ServerTarget[],
  base: Base,
  lock: string,
): ServerTarget[] {
  const ofBase = new Map<string, Promise<readonly ServerTarget[]>>();
  const targetsAtBase = (file: string) => {
    const targets = ofBase.get(file) ?? readAtBase(context, file, base, lock);
    ofBase.set(file, targets);
    return targets;
  };
  return targets.map((target): ServerTarget => {
    const { name, config } = target;
    if (config === undefined || config === "-" || !base.commit.canHave(config)) return target;
    return {
      ...target,
      readValues: async () => {
        const values = await target.readValues();
        const hasSecret = isRedacted(redactLaunch(target.launch));
        if (Object.keys(values).length === 0 && !hasSecret) return values;
        const before = (await targetsAtBase(config)).find((each) => each.name === name);
        const pinned = base.lock?.servers.find((entry) => entry.name === name);
        const names = Object.keys(values).filter((each) => pinned !== undefined && isNamedIn(pinned, each));
        const other = firstOther(names, values, (await before?.readValues()) ?? {});
        if (other !== undefined)
          throw heldBack(`${config} gives ${name} a different value of ${other} than in ${base.name}`);
        // A pinned launch does not contain its secrets, so any text could stand in their place.
        if (hasSecret && !hasSameWords(target.launch, before?.launch))
          throw heldBack(`${config} gives ${name} a launch with a different secret than in ${base.name}`);
        return values;
      },
    };
  });
}

/**
 * Returns whether a pinned launch names a variable or header, ignoring case, because a launch with a different name is
 * not the pinned one.
 */
function isNamedIn({ launch }: LockedServer, name: string): boolean {
  const names = launch.type === "stdio" ? launch.env : launch.headers;
  return names.some((each) => each.toLowerCase() === name.toLowerCase());
}

function hasSameWords(launch: Launch, before: Launch | undefined): boolean {
  const wordsOf = (each: Launch) => (each.type === "http" ? [each.url] : [each.command, each.cwd, ...each.args]);
  return before !== undefined && JSON.stringify(wordsOf(launch)) === JSON.stringify(wordsOf(before));
}

function firstOther(names: readonly string[], values: LaunchValues, before: LaunchValues): string | undefined {
  return names.find((name) => !Object.hasOwn(before, name) || before[name] !== values[name]);
}

/** Returns the targets that a configuration describes in the base, with values from the base's env files. */
async function readAtBase(
  context: Context,
  file: string,
  { commit }: Base,
  lock: string,
): Promise<readonly ServerTarget[]> {
  const bytes = await commit.read(file, MAX_CONFIG_BYTES);
  if (bytes === undefined) return [];
  const { readConfigText } = await import("../clients/read-config.ts");
  const readNamedFile = async (named: string, maxBytes: number): Promise<Uint8Array> => {
    if (!commit.canHave(named)) return readRegularFile(context, named, maxBytes);
    return (await commit.read(named, maxBytes)) ?? new Uint8Array();
  };
  return readConfigText(context, new TextDecoder().decode(bytes), file, { lock, readNamedFile });
}

/**
 * Returns the targets; a target fails before it starts if its variables come from a file that differs from the base or
 * is missing there: a file that an argument of the launch names (`node --env-file=.env`), or that a configuration
 * outside of the repository names.
 */
export function holdBackEnvFiles(context: Context, targets: readonly ServerTarget[], base: Base): ServerTarget[] {
  return targets.map((target) => ({
    ...target,
    readValues: async () => {
      const values = await target.readValues();
      for (const file of envFilesOf(context, target, base)) {
        if (base.commit.canHave(file) && !(await isAsInBase(context, file, base)))
          throw heldBack(`${target.name} gets variables from ${file}, which differs in ${base.name}`);
      }
      return values;
    },
  }));
}

function envFilesOf(context: Context, target: ServerTarget, { commit }: Base): string[] {
  const { name, config, envFile } = target;
  // Values from a configuration of the repository are compared one by one.
  const isCompared = config !== undefined && config !== "-" && commit.canHave(config);
  const ofConfig =
    envFile === undefined || isCompared ? [] : [expandVariables(context, qualifyVariables(envFile), name)];
  const launch = expandLaunch(context, target);
  const { cwd = "." } = launch.type === "stdio" ? launch : {};
  const ofWords = launchedEnvFiles(launch).map(({ path, folder = "." }) => resolve(context.pathOf(cwd), folder, path));
  return [...ofConfig, ...ofWords];
}

async function isAsInBase(context: Context, file: string, { commit }: Base): Promise<boolean> {
  const [present, before] = await Promise.all([readIfPresent(context, file), commit.read(file, MAX_ENV_FILE_BYTES)]);
  if (present === undefined || before === undefined) return present === before;
  return Buffer.from(present).equals(before);
}

async function readIfPresent(context: Context, file: string): Promise<Uint8Array | undefined> {
  try {
    return await readRegularFile(context, file, MAX_ENV_FILE_BYTES);
  } catch (error) {
    if (error instanceof CliError && isMissing(error.cause)) return undefined;
    throw error;
  }
}
