import type { Launch } from "@agentprint/mcp-lock";
import type { Command } from "commander";
import type { Context } from "../context.ts";
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

/**
 * The servers and the launch on a command line: what stands before `--` and behind it. What begins with `-` behind it is
 * no command but the name of a server, and `--` only ended the options; the launch then follows another `--`.
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

/** The launches that a command line gives itself: one after `--` or with `--url`, or all of a `--config`; else none. */
export async function givenStarts(
  context: Context,
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
  if (options.config !== undefined) return readConfig(context, options.config);
  const launch = launchOf(options, command);
  if (!launch) return [];
  const given = launch.type === "http" ? nameOfUrl(launch.url) : nameOfCommand(command);
  return [startFromEnvironment(context, name ?? given, launch)];
}

function launchOf({ url }: VisitOptions, [command, ...args]: readonly string[]): Launch | undefined {
  if (url !== undefined) return { type: "http", url: requireHttpUrl(url, "--url"), headers: [] };
  return command === undefined ? undefined : { type: "stdio", command, args, env: [] };
}
