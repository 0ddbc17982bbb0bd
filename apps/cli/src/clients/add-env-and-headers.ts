import type { Launch } from "@agentprint/launch";
import { type ServerTarget, targetFromEnvironment } from "../launch/server-target.ts";
import type { LaunchContext } from "../launch/variables.ts";
import type { ValueOptions } from "../options/visit-options.ts";
import { CliError } from "../run/errors.ts";

/**
 * Adds the variables of `--env` to each target with a command and the headers of `--header` to each target with a URL. The
 * values come from the environment of agentprint. A name that the launch of a target did not have changes the launch.
 *
 * @throws {@link CliError} `usage` when there are targets and an option is for none of them
 */
export function addEnvAndHeaders(
  context: LaunchContext,
  targets: readonly ServerTarget[],
  names: ValueOptions,
): ServerTarget[] {
  const types = new Set(targets.map(({ launch }) => launch.type));
  if (types.size > 0) {
    if (names.env.length > 0 && !types.has("stdio")) {
      throw useless("--env", "passes a variable to a command", "a server that is started as a command");
    }
    if (names.header.length > 0 && !types.has("http")) {
      throw useless("--header", "sends a header to a URL", "a server over HTTP");
    }
  }
  return targets.map((target) => addTo(context, target, names));
}

function addTo(context: LaunchContext, target: ServerTarget, names: ValueOptions): ServerTarget {
  const added = targetFromEnvironment(context, target.name, launchWithOnly(target.launch, names));
  return { ...target, readValues: async () => ({ ...(await target.readValues()), ...(await added.readValues()) }) };
}

/** The launch with the added names alone, in place of the names that it had. */
function launchWithOnly(launch: Launch, { env, header }: ValueOptions): Launch {
  if (launch.type === "stdio") return { ...launch, env: [...env] };
  // The case of a header's name makes no difference. Spelled as the launch spells it, the name does not change the launch.
  const spelling = new Map(launch.headers.map((known) => [known.toLowerCase(), known]));
  return { ...launch, headers: header.map((given) => spelling.get(given.toLowerCase()) ?? given) };
}

function useless(option: string, does: string, expected: string): CliError {
  return new CliError("usage", `${option} is for none of these servers: it ${does}`, { where: option, expected });
}
