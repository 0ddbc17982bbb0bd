import type { Launch } from "@agentprint/mcp-lock";
import { CliError } from "../errors.ts";
import type { VisitOptions } from "../visit-options.ts";
import { type Start, startFromEnvironment } from "./start.ts";
import type { LaunchContext } from "./variables.ts";

type Passed = Pick<VisitOptions, "env" | "header">;

/**
 * Adds the variables of `--env` to each launch of a command and the headers of `--header` to each URL, with values from
 * the environment of agentprint. A name that a launch did not have changes it.
 *
 * @throws {CliError} `usage` when there is no launch that an option is for
 */
export function passOn(context: LaunchContext, starts: readonly Start[], passed: Passed): Start[] {
  const types = new Set(starts.map(({ launch }) => launch.type));
  if (types.size > 0) {
    if (passed.env.length > 0 && !types.has("stdio")) throw useless("--env", "a server that is started as a command");
    if (passed.header.length > 0 && !types.has("http")) throw useless("--header", "a server over HTTP");
  }
  return starts.map((start) => add(context, start, passed));
}

function add(context: LaunchContext, start: Start, passed: Passed): Start {
  const added = startFromEnvironment(context, start.name, namesOf(start.launch, passed));
  return { ...start, values: async () => ({ ...(await start.values()), ...(await added.values()) }) };
}

/** The launch with what is passed on to it, and nothing else. */
function namesOf(launch: Launch, { env, header }: Passed): Launch {
  if (launch.type === "stdio") return { ...launch, env: [...env] };
  // The name of a header is the same in any case: written as the launch has it, it changes nothing.
  const spelling = new Map(launch.headers.map((known) => [known.toLowerCase(), known]));
  return { ...launch, headers: header.map((given) => spelling.get(given.toLowerCase()) ?? given) };
}

function useless(option: string, expected: string): CliError {
  return new CliError("usage", `${option} is for none of these servers`, { where: option, expected });
}
