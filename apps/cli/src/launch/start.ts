import { isRedacted, type Launch, redactLaunch } from "@agentprint/mcp-lock";
import { credentialsOfUrl } from "@agentprint/mcp-visit";
import { CliError } from "../errors.ts";
import { environmentValue, expandVariables, type LaunchContext } from "./variables.ts";

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
export function startFromEnvironment(context: LaunchContext, name: string, launch: Launch): Start {
  return hidingValues(context, { name, launch, values: () => valuesFromEnvironment(context, name, launch) });
}

/** The same start, whose values and credentials are shown by name only. */
export function hidingValues(context: LaunchContext, start: Start): Start {
  const { launch } = start;
  // What references stand for is known when they are filled in.
  if (launch.type === "http" && !launch.url.includes("${")) hideUrl(context, launch.url);
  return {
    ...start,
    values: async () => {
      const values = await start.values();
      context.hidden.hide(Object.entries(values).map(([name, value]) => ({ name, value })));
      return values;
    },
  };
}

function hideUrl({ hidden }: LaunchContext, url: string): void {
  hidden.hide(credentialsOfUrl("the URL's login", url));
}

function valuesFromEnvironment(context: LaunchContext, name: string, launch: Launch): Record<string, string> {
  if (isRedacted(launch)) {
    throw new CliError("missing-variable", `the launch of ${name} had a secret in it, which the lock does not keep`, {
      expected: "the full launch",
      fix: "give it with --config <file> or after --; better, let a server read the secret from a variable (--env NAME)",
    });
  }
  if (launch.type === "stdio") {
    return Object.fromEntries(launch.env.map((variable) => [variable, environmentValue(context, variable, name)]));
  }
  return Object.fromEntries(
    launch.headers.map((header) => [
      header,
      environmentValue(context, headerVariable(header), `header ${header} of ${name}`),
    ]),
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
export function expandLaunch(context: LaunchContext, { name, launch }: Start): Launch {
  const expand = (text: string): string => expandVariables(context, text, `the launch of ${name}`);
  if (launch.type === "http") {
    const url = expand(launch.url);
    hideUrl(context, url);
    return { ...launch, url: requireHttpUrl(url, name, launch.url) };
  }
  return {
    ...launch,
    command: expand(launch.command),
    args: launch.args.map(expand),
    ...(launch.cwd !== undefined && { cwd: expand(launch.cwd) }),
  };
}

/**
 * The same URL, if MCP can be spoken there.
 *
 * @param written The URL as it was given, with its references: what an error names
 */
export function requireHttpUrl(url: string, where: string, written: string = url): string {
  if (/^https?:\/\//i.test(url) && URL.canParse(url)) return url;
  const shown = redactLaunch({ type: "http", url: written, headers: [] });
  throw new CliError("usage", `this is not an HTTP address: ${shown.type === "http" ? shown.url : ""}`, {
    where,
    expected: "https://host/path",
    fix: "give an address that begins with https:// or http://, or a command after --",
  });
}
