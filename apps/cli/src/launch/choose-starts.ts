import type { Launch } from "@agentprint/mcp-lock";
import type { Command } from "commander";
import { CliError } from "../errors.ts";
import type { VisitOptions } from "../visit-options.ts";
import { readConfig } from "./read-config.ts";
import { nameOfCommand, nameOfUrl } from "./server-name.ts";
import { requireHttpUrl, type Start, startFromEnvironment } from "./start.ts";

/** What follows `--` on the command line; commander gives operands before and after it as one list. */
export function commandAfterDashes(command: Command): string[] {
  let root = command;
  while (root.parent) root = root.parent;
  const args = (root as Command & { readonly rawArgs: string[] }).rawArgs;
  const dashes = args.indexOf("--");
  return dashes === -1 ? [] : args.slice(dashes + 1);
}

/** The launches that a command line gives itself: one after `--` or with `--url`, or all of a `--config`; else none. */
export async function givenStarts(
  options: VisitOptions,
  command: readonly string[],
  name: string | undefined,
): Promise<Start[]> {
  const ways = [command.length > 0, options.url !== undefined, options.config !== undefined].filter(Boolean).length;
  if (ways > 1) {
    throw new CliError("usage", "a server is launched in one way", {
      expected: "one of: a command after --, --url <url>, --config <file>",
    });
  }
  if (options.config !== undefined) {
    const starts = await readConfig(options.config);
    return options.env.length === 0 ? starts : starts.map((start) => passOn(start, options.env));
  }
  const launch = launchOf(options, command);
  if (!launch) return [];
  const given = launch.type === "http" ? nameOfUrl(launch.url) : nameOfCommand(command);
  return [startFromEnvironment(name ?? given, launch)];
}

function launchOf(options: VisitOptions, [command, ...args]: readonly string[]): Launch | undefined {
  if (options.url !== undefined) {
    return { type: "http", url: requireHttpUrl(options.url, "--url"), headers: [...options.header] };
  }
  return command === undefined ? undefined : { type: "stdio", command, args, env: [...options.env] };
}

/** Adds variables of our own environment to a launch from a file. */
function passOn(start: Start, names: readonly string[]): Start {
  const { launch } = start;
  if (launch.type === "http") return start;
  const added = startFromEnvironment(start.name, { ...launch, env: [...names] });
  return {
    name: start.name,
    launch: { ...launch, env: [...new Set([...launch.env, ...names])] },
    values: async () => ({ ...(await start.values()), ...(await added.values()) }),
  };
}
