import type { Guarded } from "@agentprint/client-configs";
import type { Launch } from "@agentprint/launch";
import { isRedacted, redactLaunch } from "@agentprint/launch/redact";
import { credentialsOfUrl } from "@agentprint/mcp-visit";
import { CliError } from "../run/errors.ts";
import type { EditablePlace } from "./editable-place.ts";
import { secretsInLaunch } from "./launch-secrets.ts";
import { pinAgainLine, variablesInWords, withSecretReferences } from "./secret-references.ts";
import { environmentValue, expandVariables, type LaunchContext, requireVariables, variablesIn } from "./variables.ts";

/** Values of environment variables or request headers, by name. They are never written to a file. */
export type LaunchValues = Readonly<Record<string, string>>;

/** A server that can be visited: its name, its launch, and the source of the values that the launch names. */
export interface ServerTarget extends Guarded {
  readonly name: string;
  readonly launch: Launch;
  /** The names of variables or headers whose values the configuration itself contains, without a reference. */
  readonly written?: readonly string[];
  /** The file with variables that a configuration names in addition to the launch, as written there. */
  readonly envFile?: string;
  /** The configuration that supplies the values; absent if they come from the environment of agentprint. */
  readonly config?: string;
  /** The entry of a configuration that the command line named. */
  readonly place?: EditablePlace;
  /**
   * Reads the values of the environment variables or request headers that the launch names, and of the variables in its
   * `envFile`. A visit reads the values just before it starts, so that a missing value makes only this server fail.
   *
   * @throws {@link CliError} `missing-variable` when a variable is not set, or the lock does not keep a secret of the launch
   * @throws {@link CliError} `unreadable-input`, `too-large` when the `envFile` cannot be read
   * @throws {@link ClientConfigError} when only an editor can fill in a reference
   */
  readValues(): LaunchValues | Promise<LaunchValues>;
}

/**
 * Returns a target whose values come from the environment of agentprint.
 *
 * @param lock The path of the lock that contains the launch; absent for the default lock
 */
export function targetFromEnvironment(
  context: LaunchContext,
  name: string,
  launch: Launch,
  lock?: string,
): ServerTarget {
  const readValues = () => valuesFromEnvironment(context, name, launch, lock);
  return withHiddenValues(context, { name, launch, readValues });
}

/** Returns the target, and makes outputs show the names of its values and credentials instead of the values. */
export function withHiddenValues(context: LaunchContext, target: ServerTarget): ServerTarget {
  const { launch } = target;
  // A URL with references is hidden by `expandLaunch`, which knows their values.
  if (launch.type === "http" && !launch.url.includes("${")) hideUrl(context, launch.url);
  const secrets = secretsInLaunch(launch);
  context.hidden.hideFromOutput(secrets);
  return {
    ...target,
    readValues: async () => {
      // The server receives them now, so a lock must not hold them if the server serves them.
      context.hidden.hide(secrets);
      const values = await target.readValues();
      context.hidden.hide(Object.entries(values).map(([name, value]) => ({ name, value })));
      return values;
    },
  };
}

function hideUrl({ hidden }: LaunchContext, url: string): void {
  hidden.hide(credentialsOfUrl("the URL's login", url));
}

function valuesFromEnvironment(
  context: LaunchContext,
  name: string,
  launch: Launch,
  lock: string | undefined,
): Record<string, string> {
  if (isRedacted(launch)) throw secretLeftOut(name, launch, lock);
  const names = launch.type === "stdio" ? launch.env : launch.headers.map(headerVariable);
  const words = launch.type === "stdio" ? [launch.command, ...launch.args, launch.cwd ?? ""] : [launch.url];
  requireVariables(context, [...names, ...words.flatMap(variablesIn)], name);
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

function secretLeftOut(name: string, given: Launch, lock: string | undefined): CliError {
  const { launch, references } = withSecretReferences(name, given);
  const again = pinAgainLine(name, launch, { lock });
  // Only a configuration can name a folder.
  const isTyped = launch.type === "http" || launch.cwd === undefined;
  const orAgain = isTyped
    ? `; or, if no configuration has it, set ${variablesInWords(references)} to the omitted value, and run: ${again}`
    : "";
  return new CliError("missing-variable", `the launch of ${name} had a secret in it, which the lock does not keep`, {
    where: references.map(({ pointer }) => `${name}, launch at ${pointer}`).join("\n"),
    expected: "the full launch, or one that names the variable of the secret",
    fix: `give the full launch with --mcp-config <file> or after --${orAgain}`,
  });
}

/** Returns the environment variable that carries the value of a request header. */
export function headerVariable(header: string): string {
  return `AGENTPRINT_HEADER_${header.toUpperCase().replace(/[^A-Z0-9]/g, "_")}`;
}

/** Returns the launch as a lock records it: with the names of all values that the server was started or called with. */
export function launchWith(launch: Launch, values: LaunchValues): Launch {
  const names = Object.keys(values);
  return launch.type === "stdio" ? { ...launch, env: names } : { ...launch, headers: names };
}

/**
 * Returns the launch of a target with every reference filled in.
 *
 * @throws {@link CliError} `missing-variable` when a referenced variable is not set; `usage` when the URL is not an
 * HTTP address
 */
export function expandLaunch(context: LaunchContext, { name, launch, written }: ServerTarget): Launch {
  const expand = (text: string): string => expandVariables(context, text, `the launch of ${name}`, written);
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
 * Returns the URL unchanged after checking it.
 *
 * @param written The URL as the user wrote it, with its references, as errors show it
 * @throws {@link CliError} `usage` when the URL does not begin with `http://` or `https://`, or is malformed
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
