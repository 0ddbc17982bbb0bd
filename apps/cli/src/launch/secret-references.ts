import type { Launch } from "@agentprint/launch";
import { isRedacted, isSecretName, REDACTED, redactLaunch } from "@agentprint/launch/redact";
import { commandLine } from "../terminal/command-line.ts";
import { wordsOfLaunch } from "./launch-secrets.ts";
import { variablesIn } from "./variables.ts";

/** A launch with references instead of the secrets that a lock leaves out. */
export interface ReferencingLaunch {
  readonly launch: Launch;
  /** Where each secret was left out, and the variable that holds it, in the order of the launch. */
  readonly references: readonly SecretReference[];
}

/** A reference to the variable that holds a secret. */
export interface SecretReference {
  /** The RFC 6901 JSON Pointer of the word, relative to the launch. */
  readonly pointer: string;
  readonly variable: string;
}

/**
 * Matches a left-out secret, including the characters in it that a shell may act on, which a lock keeps; the default of
 * a reference matches together with the reference.
 */
const LEFT_OUT = new RegExp(
  `\\$\\{(?:env:)?([A-Za-z_]\\w*):-${REDACTED}[^{}]*\\}|${REDACTED}(?:[\\0- ;&|<>()$\`\\\\"'{}\\x7f]{0,64}${REDACTED})*`,
  "g",
);
/** The number of characters before a secret in which its name is looked for. */
const MAX_BEFORE = 200;
const MAX_VARIABLE_LENGTH = 64;

/**
 * Returns a redacted launch with a reference to a variable instead of each secret, so that the server can be started
 * from a lock that holds it.
 *
 * @param name The name of the server, with which a variable's name begins if the launch gives none
 */
export function withSecretReferences(name: string, launch: Launch): ReferencingLaunch {
  const { launch: referencing, references } = referencesOnce(name, launch);
  const redacted = redactLaunch(referencing);
  if (!isRedacted(redacted)) return { launch: referencing, references };
  // In a broken text, a variable's name can look like the name of what follows it.
  const { launch: last, references: others } = withSecretReferences(name, redacted);
  return { launch: last, references: [...references, ...others] };
}

function referencesOnce(name: string, launch: Launch): ReferencingLaunch {
  const words = wordsOfLaunch(launch);
  const taken = new Set([...words.flatMap(variablesIn), ...(launch.type === "stdio" ? launch.env : [])]);
  const references: SecretReference[] = [];
  const rewrite = (pointer: string, word: string, previous = ""): string =>
    word.replace(LEFT_OUT, (_, variable: string | undefined, at: number) => {
      const wanted = variable ?? unused(variableFor(name, word.slice(0, at), previous), taken);
      taken.add(wanted);
      references.push({ pointer, variable: wanted });
      return `\${env:${wanted}}`;
    });
  if (launch.type === "http") return { launch: { ...launch, url: rewrite("/url", launch.url) }, references };
  const { command, args, cwd } = launch;
  return {
    launch: {
      ...launch,
      command: rewrite("/command", command),
      args: args.map((word, index) => rewrite(`/args/${index}`, word, args[index - 1])),
      ...(cwd !== undefined && { cwd: rewrite("/cwd", cwd) }),
    },
    references,
  };
}

/** The options of a visit, as far as a command line sets them. */
export interface PinnedWith {
  /** The path of the lock; absent for the default lock. */
  readonly lock?: string | undefined;
  readonly as?: string | undefined;
  readonly capabilities?: unknown;
  readonly account?: string | undefined;
  readonly allowUnstable?: readonly string[];
  readonly allowScripts?: readonly string[];
}

/** Returns the command line that pins a launch instead of the pinned one. */
export function pinAgainLine(name: string, launch: Launch, given: PinnedWith = {}): string {
  const { lock, as, capabilities, account, allowUnstable = [], allowScripts = [] } = given;
  const option = (flag: string, value: string | undefined): string[] => (value === undefined ? [] : [flag, value]);
  const declared = capabilities === undefined ? undefined : JSON.stringify(capabilities);
  const words = [
    ...["agentprint", "pin", "--replace", "--name", name],
    ...option("--lock", lock),
    ...option("--as", as),
    ...option("--capabilities", declared),
    ...option("--account", account),
    ...allowUnstable.flatMap((pointer) => ["--allow-unstable", pointer]),
    ...allowScripts.flatMap((each) => ["--allow-scripts", each]),
  ];
  return commandLine(
    launch.type === "http"
      ? [...words, ...launch.headers.flatMap((header) => ["--header", header]), "--url", launch.url]
      : [...words, ...launch.env.flatMap((variable) => ["--env", variable]), "--", launch.command, ...launch.args],
  );
}

/** Returns the names of variables as a phrase: `A`, `A and B`, `A, B and C`. */
export function variablesInWords(references: readonly SecretReference[]): string {
  const names = [...new Set(references.map(({ variable }) => variable))];
  const last = names.pop() ?? "";
  return names.length === 0 ? last : `${names.join(", ")} and ${last}`;
}

/** Returns a name for the variable of a secret: the server's name, followed by the launch's name for it. */
function variableFor(server: string, before: string, previous: string): string {
  const text = before.slice(-MAX_BEFORE);
  const environment = /(?:^|[\s;&"'])([A-Z][A-Z0-9_]*)=["']?$/.exec(text)?.[1];
  if (environment !== undefined && isSecretName(environment)) return environment;
  const prefix = inCapitals(server) || "MCP";
  const own = inCapitals(nameOfSecret(text, previous));
  const [first = "", ...rest] = own.split("_");
  // `--brave-api-key` of `brave-search` names its owner.
  const isNamed = own.startsWith(`${prefix}_`) || (rest.length > 1 && prefix.split("_").includes(first));
  const name = isNamed ? own : `${prefix}_${own}`;
  return (/^\d/.test(name) ? `MCP_${name}` : name).slice(0, MAX_VARIABLE_LENGTH);
}

function nameOfSecret(before: string, previous: string): string {
  const scheme = /([A-Za-z][A-Za-z0-9+.-]{0,32}):\/\/[^\s/?#]*$/.exec(before)?.[1];
  if (scheme !== undefined) return /^(?:http|ws)s?$/i.test(scheme) ? "PASSWORD" : `${scheme}_PASSWORD`;
  const assigned = /([A-Za-z_][\w.-]{0,64})["']?\s{0,4}[=:]\s{0,4}["']?(?:[A-Za-z]{1,16}\s{1,4})?$/.exec(before)?.[1];
  const flag = /^--?([A-Za-z][\w.-]{0,64})$/.exec(previous)?.[1];
  const name = assigned ?? (/^(?:[A-Za-z]{1,16}\s)?$/.test(before) ? flag : undefined);
  return name !== undefined && isSecretName(name) ? name : "SECRET";
}

function inCapitals(name: string): string {
  const words = name.replace(/([a-z0-9])([A-Z])/g, "$1_$2").replace(/[^A-Za-z0-9]+/g, "_");
  return words.replace(/^_+|_+$/g, "").toUpperCase();
}

function unused(name: string, taken: ReadonlySet<string>): string {
  for (let number = 1; ; number++) {
    const candidate = number === 1 ? name : `${name}_${number}`;
    if (!taken.has(candidate)) return candidate;
  }
}
