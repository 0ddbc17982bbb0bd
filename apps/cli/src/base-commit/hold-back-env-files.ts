import { resolve } from "node:path";
import { launchedEnvFiles } from "@agentprint/launch";
import { readRegularFile } from "../files/read-input.ts";
import { MAX_ENV_FILE_BYTES } from "../launch/refuse-loaded-code.ts";
import { expandLaunch, type ServerTarget } from "../launch/server-target.ts";
import { expandVariables, qualifyVariables } from "../launch/variables.ts";
import type { Context } from "../run/context.ts";
import { CliError, isMissing } from "../run/errors.ts";
import { heldBack } from "./hold-back-launches.ts";
import type { Base } from "./read-base.ts";

/**
 * Returns the targets, but fails those before they start that get variables from a file of the change which differs
 * from the base or is missing there: a file that the words of a launch name (`node --env-file=.env`), or that a
 * configuration outside of the repository names.
 */
export function holdBackEnvFiles(context: Context, targets: readonly ServerTarget[], base: Base): ServerTarget[] {
  return targets.map((target) => ({
    ...target,
    readValues: async () => {
      const values = await target.readValues();
      for (const file of envFilesOf(context, target, base)) {
        if (base.commit.canHave(file) && !(await isAsInBase(context, file, base)))
          throw heldBack(`${target.name} gets variables from ${file}, which is another file in ${base.name}`);
      }
      return values;
    },
  }));
}

function envFilesOf(context: Context, target: ServerTarget, { commit }: Base): string[] {
  const { name, config, envFile } = target;
  // The values that a configuration of the repository gives are compared one by one.
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
