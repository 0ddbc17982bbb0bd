import type { Launch } from "@agentprint/launch";
import type { Command } from "commander";
import { requireHttpUrl, type ServerTarget, targetFromEnvironment } from "../launch/server-target.ts";
import type { LaunchContext } from "../launch/variables.ts";
import type { LaunchOptions, ValueOptions } from "../options/visit-options.ts";
import type { Context } from "../run/context.ts";
import { CliError } from "../run/errors.ts";
import type { TellFault } from "./read-config.ts";

/** Returns the words after `--` on the command line. Commander gives the operands before and after `--` as one list. */
export function commandAfterDashes(command: Command): string[] {
  let root = command;
  while (root.parent) root = root.parent;
  const args = (root as Command & { readonly rawArgs: string[] }).rawArgs;
  const dashes = args.indexOf("--");
  return dashes === -1 ? [] : args.slice(dashes + 1);
}

/**
 * Returns the server names before `--` on a command line, and the command after it. A word after `--` that begins with
 * `-` is not a command but the name of a server; the command then follows a second `--`.
 */
export function splitAtDashes(
  command: Command,
  operands: readonly string[],
): { servers: readonly string[]; launched: readonly string[] } {
  const launched = commandAfterDashes(command);
  const servers = operands.slice(0, operands.length - launched.length);
  if (servers.length > 0 || !launched[0]?.startsWith("-")) return { servers, launched };
  const dashes = launched.indexOf("--");
  if (dashes === -1) return { servers: launched, launched: [] };
  return { servers: launched.slice(0, dashes), launched: launched.slice(dashes + 1) };
}

/**
 * Returns the targets that the command line itself defines: one by a command after `--` or by `--url`, or all servers
 * of each `--mcp-config`. The list is empty when the command line defines none.
 *
 * @param nameOf Names the one target of a command or a URL. The servers in a configuration have names.
 * @param tell Called with the error about each entry that cannot be read. By default the first such error is thrown.
 * @throws {@link CliError} `usage` when there is more than one of a command, `--url` and `--mcp-config`, or the URL is not an
 * HTTP address; `unreadable-input`, `too-large` or `invalid-config` when the configuration cannot be read
 */
export async function targetsFromArguments(
  context: Context,
  options: LaunchOptions,
  command: readonly string[],
  nameOf: (launch: Launch) => string,
  tell?: TellFault,
): Promise<ServerTarget[]> {
  const ways = [command.length > 0, options.url !== undefined, options.mcpConfig.length > 0].filter(Boolean).length;
  if (ways > 1) {
    throw new CliError("usage", "the command line launches the server in more than one way", {
      expected: "one of: a command after --, --url <url>, --mcp-config <file>",
    });
  }
  if (options.mcpConfig.length > 0) {
    // Loading its parsers takes longer than the rest of this function.
    const { readConfigs } = await import("./read-configs.ts");
    return readConfigs(context, options.mcpConfig, options.lock, tell);
  }
  const launch = launchFromArguments(options, command);
  return launch === undefined ? [] : [targetFromEnvironment(context, nameOf(launch), launch)];
}

function launchFromArguments({ url }: LaunchOptions, [command, ...args]: readonly string[]): Launch | undefined {
  if (url !== undefined) return { type: "http", url: requireHttpUrl(url, "--url"), headers: [] };
  return command === undefined ? undefined : { type: "stdio", command, args, env: [] };
}

/**
 * Adds the variables of `--env` to each target with a command and the headers of `--header` to each target with a URL.
 * The values come from the environment of agentprint. A name that is new to a target's launch changes the launch.
 *
 * @throws {@link CliError} `usage` when there are targets and an option applies to none of them
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

/** Returns the launch with the added names in place of its own. */
function launchWithOnly(launch: Launch, { env, header }: ValueOptions): Launch {
  if (launch.type === "stdio") return { ...launch, env: [...env] };
  // Header names ignore case: a name spelled as the launch spells it does not change the launch.
  const spelling = new Map(launch.headers.map((known) => [known.toLowerCase(), known]));
  return { ...launch, headers: header.map((given) => spelling.get(given.toLowerCase()) ?? given) };
}

function useless(option: string, does: string, expected: string): CliError {
  return new CliError("usage", `${option} applies to none of these servers: it ${does}`, { where: option, expected });
}
