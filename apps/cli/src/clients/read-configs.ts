import { isSameJson, type JsonValue } from "@agentprint/canonical-json/json-value";
import type { ServerTarget } from "../launch/server-target.ts";
import type { Context } from "../run/context.ts";
import { CliError } from "../run/errors.ts";
import { readConfig, type TellFault } from "./read-config.ts";

/**
 * The servers of several configurations, each name once.
 *
 * @param tell Default: the error of one entry is thrown
 * @throws {@link CliError} as {@link readConfig}; `usage` when two configurations launch a server of one name differently
 */
export async function readConfigs(
  context: Context,
  files: readonly string[],
  lock: string,
  tell?: TellFault,
): Promise<ServerTarget[]> {
  const targets = new Map<string, ServerTarget>();
  const faulty = new Set<string>();
  const tellAndLeaveOut: TellFault | undefined =
    tell &&
    ((name, error) => {
      faulty.add(name);
      tell(name, error);
    });
  for (const file of files) {
    for (const target of await readConfig(context, file, lock, tellAndLeaveOut)) {
      const known = targets.get(target.name);
      if (known === undefined) targets.set(target.name, target);
      else if (!isSameLaunch(known, target)) {
        if (tellAndLeaveOut === undefined) throw launchedTwice(known, target);
        tellAndLeaveOut(target.name, launchedTwice(known, target));
      }
    }
  }
  // A server that one file launches is left out where another one cannot be read for it.
  return [...targets.values()].filter(({ name }) => !faulty.has(name));
}

function isSameLaunch({ launch: one }: ServerTarget, { launch: other }: ServerTarget): boolean {
  return isSameJson(one as unknown as JsonValue, other as unknown as JsonValue);
}

function launchedTwice({ name, config: first }: ServerTarget, { config: second }: ServerTarget): CliError {
  return new CliError("usage", `${first} and ${second} launch ${name} differently`, {
    where: "--mcp-config",
    expected: "one launch for each name",
    fix: "give the configurations to a command each",
  });
}
