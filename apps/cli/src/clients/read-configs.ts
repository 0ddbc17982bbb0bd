import { toPointer } from "@agentprint/canonical-json";
import { isSameJson, type JsonValue } from "@agentprint/canonical-json/json-value";
import { ClientConfigError } from "@agentprint/client-configs";
import type { ServerTarget } from "../launch/server-target.ts";
import type { Context } from "../run/context.ts";
import { CliError } from "../run/errors.ts";
import { readConfig, type TellFault } from "./read-config.ts";

/**
 * Reads the servers of several configurations, each name once.
 *
 * @param tell Called with the error about an entry. Default: the error is thrown.
 * @throws {@link CliError} as {@link readConfig}; `usage` when two configurations launch servers of the same name
 * differently
 * @throws {@link ClientConfigError} as {@link readConfig}, and when two entries of one configuration launch servers of
 * the same name differently
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
  // A server is left out if any of its entries cannot be read.
  return uniqueTargets(targets, tellAndLeaveOut).filter(({ name }) => !faulty.has(name));
}

/**
 * Returns the targets of configurations, each name once.
 *
 * @param tell Called for each name that is launched in two ways. Default: the error is thrown.
 */
function uniqueTargets(targets: readonly ServerTarget[], tell?: TellFault): ServerTarget[] {
  const unique = new Map<string, ServerTarget>();
  for (const target of targets) {
    const known = unique.get(target.name);
    if (known === undefined) unique.set(target.name, target);
    else if (!isSameLaunch(known, target)) {
      const error = launchedTwice(known, target);
      if (tell === undefined) throw error;
      tell(target.name, error);
    }
  }
  return [...unique.values()];
}

function isSameLaunch({ launch: one }: ServerTarget, { launch: other }: ServerTarget): boolean {
  return isSameJson(one as unknown as JsonValue, other as unknown as JsonValue);
}

function launchedTwice(one: ServerTarget, other: ServerTarget): CliError | ClientConfigError {
  const { name, config: file } = one;
  const expected = "one launch for each name";
  if (other.config === file) {
    const pointers = [one, other].map(({ place }) => toPointer(place?.entry ?? []));
    return new ClientConfigError(`${pointers.join(" and ")} of ${file} launch ${name} differently`, {
      where: `${file}, server ${name}`,
      expected,
      fix: "remove the entry that no client reads, or give one of them another name",
    });
  }
  return new CliError("usage", `${file} and ${other.config} launch ${name} differently`, {
    where: "--mcp-config",
    expected,
    fix: "give each configuration to a separate command",
  });
}
