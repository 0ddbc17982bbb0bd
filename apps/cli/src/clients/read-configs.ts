import type { ServerTarget } from "../launch/server-target.ts";
import type { Context } from "../run/context.ts";
import { readConfig } from "./read-config.ts";
import { type TellFault, uniqueTargets } from "./unique-targets.ts";

/**
 * The servers of several configurations, each name once.
 *
 * @param tell Default: the error of one entry is thrown
 * @throws {@link CliError} as {@link readConfig}, and as {@link uniqueTargets}
 */
export async function readConfigs(
  context: Context,
  files: readonly string[],
  lock: string,
  tell?: TellFault,
): Promise<ServerTarget[]> {
  const faulty = new Set<string>();
  const tellAndLeaveOut: TellFault | undefined =
    tell &&
    ((name, error) => {
      faulty.add(name);
      tell(name, error);
    });
  const targets: ServerTarget[] = [];
  for (const file of files) targets.push(...(await readConfig(context, file, lock, tellAndLeaveOut)));
  // A server that one entry launches is left out where another one cannot be read for it.
  return uniqueTargets(targets, tellAndLeaveOut).filter(({ name }) => !faulty.has(name));
}
