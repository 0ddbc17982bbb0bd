import { isRedacted, type Launch } from "@agentprint/mcp-lock";
import { CliError } from "../errors.ts";
import { environmentValue, expandVariables } from "./variables.ts";

/** Values of environment variables or request headers by their names. No file gets to see them. */
export type LaunchValues = Readonly<Record<string, string>>;

/** A server to visit. */
export interface Start {
  readonly name: string;
  readonly launch: Launch;
  /**
   * Values of the environment variables or request headers that the launch names, and of others that only a file names
   * (`envFile`). They are looked up when the server is visited.
   *
   * @throws {CliError} `missing-variable`, `unreadable-input`, `invalid-config`
   */
  values(): LaunchValues | Promise<LaunchValues>;
}

/** A start whose values come from the environment of agentprint. */
export function startFromEnvironment(name: string, launch: Launch): Start {
  return { name, launch, values: () => valuesFromEnvironment(name, launch) };
}

function valuesFromEnvironment(name: string, launch: Launch): Record<string, string> {
  if (isRedacted(launch)) {
    throw new CliError("missing-variable", `the launch of ${name} had a secret in it, which the lock does not keep`, {
      expected: "the full launch",
      fix: "give it with --config <file> or after --; better, let a server read the secret from a variable (--env NAME)",
    });
  }
  if (launch.type === "stdio") {
    return Object.fromEntries(launch.env.map((variable) => [variable, environmentValue(variable, name)]));
  }
  return Object.fromEntries(
    launch.headers.map((header) => [header, environmentValue(headerVariable(header), `header ${header} of ${name}`)]),
  );
}

/** Environment variable that carries the value of a request header. */
function headerVariable(header: string): string {
  return `AGENTPRINT_HEADER_${header.toUpperCase().replace(/[^A-Z0-9]/g, "_")}`;
}

/** The launch as a lock writes it: with the names of all values that it was run with. */
export function launchWith(launch: Launch, values: LaunchValues): Launch {
  const names = Object.keys(values);
  return launch.type === "stdio" ? { ...launch, env: names } : { ...launch, headers: names };
}

/** The launch with its references filled in, as it is run. */
export function expandLaunch({ name, launch }: Start): Launch {
  const expand = (text: string): string => expandVariables(text, `the launch of ${name}`);
  if (launch.type === "http") return { ...launch, url: requireHttpUrl(expand(launch.url), name) };
  return {
    ...launch,
    command: expand(launch.command),
    args: launch.args.map(expand),
    ...(launch.cwd !== undefined && { cwd: expand(launch.cwd) }),
  };
}

/** The same URL, if MCP can be spoken there. */
export function requireHttpUrl(url: string, where: string): string {
  if (/^https?:\/\//i.test(url) && URL.canParse(url)) return url;
  throw new CliError("usage", `this is not an HTTP address: ${url}`, {
    where,
    expected: "https://host/path",
    fix: "a server that is started as a command is given after --",
  });
}
