import { homedir } from "node:os";
import { basename, resolve, sep } from "node:path";
import { type Launch, readLauncher } from "@agentprint/launch";
import { credentialsOfUrl } from "@agentprint/mcp-visit/secrets";
import type { Context } from "../run/context.ts";
import { CliError } from "../run/errors.ts";

/** The part of a context that filling in a launch needs. */
export type LaunchContext = Pick<Context, "cwd" | "env" | "hidden">;

/** A reference in a text of a launch. */
export interface Reference {
  /** The reference as it is written in the text. */
  readonly text: string;
  /** The environment variable with its value; absent if an editor defines the reference by itself. */
  readonly variable?: string;
  /** `env:NAME`, `input:id`, or the name of what an editor defines. */
  readonly name: string;
  /** The text that replaces the reference if the variable is not set. */
  readonly fallback?: string;
}

/** The values of the references that editors define by themselves, for the folder that is open in an editor. */
const PREDEFINED: ReadonlyMap<string, (workspace: string) => string> = new Map([
  ["workspaceFolder", (workspace: string) => workspace],
  ["workspaceFolderBasename", (workspace: string) => basename(workspace)],
  ["userHome", homedir],
  ["pathSeparator", () => sep],
  ["/", () => sep],
]);

/** Returns the value of a reference that editors define by themselves. */
export function predefinedValue({ name }: Reference, workspace: string): string {
  return PREDEFINED.get(name)?.(workspace) ?? "";
}

/** Returns the environment variable that carries the answer to a VS Code input. */
function inputVariable(id: string): string {
  return `AGENTPRINT_INPUT_${id.toUpperCase().replace(/[^A-Z0-9]/g, "_")}`;
}

/**
 * Returns the references in a text, and the stretches of text between them: `${env:NAME}`, `${env:NAME:-default}`,
 * `${input:id}`, and what editors define. The running time is linear in the length of the text.
 */
export function partsOf(text: string): (string | Reference)[] {
  const parts: (string | Reference)[] = [];
  let written = 0;
  const last = text.lastIndexOf("}");
  for (let start = text.indexOf("${"); start !== -1 && start < last; start = text.indexOf("${", start + 2)) {
    const reference = referenceAt(text, start);
    if (reference === undefined) continue;
    if (start > written) parts.push(text.slice(written, start));
    parts.push(reference);
    written = start + reference.text.length;
    start = written - 2;
  }
  return written < text.length ? [...parts, text.slice(written)] : parts;
}

function referenceAt(text: string, start: number): Reference | undefined {
  const name = [...PREDEFINED.keys()].find((each) => text.startsWith(`${each}}`, start + 2));
  if (name !== undefined) return { text: `\${${name}}`, name };
  const scheme = ["env", "input"].find((each) => text.startsWith(`${each}:`, start + 2));
  if (scheme === undefined) return undefined;
  const end = text.indexOf("}", start);
  const inner = text.slice(start + 2 + scheme.length + 1, end);
  if (inner === "") return undefined;
  const sign = inner.indexOf(":-", 1);
  const key = sign === -1 ? inner : inner.slice(0, sign);
  return {
    text: text.slice(start, end + 1),
    variable: scheme === "input" ? inputVariable(key) : key,
    name: `${scheme}:${key}`,
    ...(sign !== -1 && { fallback: inner.slice(sign + 2) }),
  };
}

const BARE_REFERENCE =
  /\$\{(?!(?:workspaceFolder|workspaceFolderBasename|userHome|pathSeparator)\})([A-Za-z_]\w*)(:-[^}]*)?\}/g;
/**
 * Matches a reference that only an editor resolves, such as `${config:…}`, but not a shell's `${NAME:=…}` or
 * `${NAME:0:3}`.
 */
const UNKNOWN_REFERENCE = /\$\{(?!(?:env|input):)([A-Za-z]\w*):[^-=?+\s\d}][^}]*\}/;

/**
 * Returns a text of a client's configuration in the form that {@link expandVariables} reads: `${NAME}`, as some clients
 * write a variable, becomes `${env:NAME}`. `${cwd}` is the folder in which the editor was started, here the workspace.
 */
export function qualifyVariables(text: string): string {
  const end = text.lastIndexOf("}") + 1;
  // There is no reference after the last brace, so that each beginning of one is examined only once.
  const qualified = text
    .slice(0, end)
    .replace(BARE_REFERENCE, (reference, name: string, fallback = "") =>
      reference === `\${cwd}` ? `\${workspaceFolder}` : `\${env:${name}${fallback}}`,
    );
  return qualified + text.slice(end);
}

/**
 * Returns the first reference in a text of a client's configuration that only its editor can fill in; its target is
 * left out, because a text that holds a secret can look like a reference.
 */
export function findUnknownVariable(text: string): string | undefined {
  const scheme = UNKNOWN_REFERENCE.exec(text)?.[1];
  return scheme === undefined ? undefined : `\${${scheme}:…}`;
}

/**
 * Fills in `${env:NAME}`, `${env:NAME:-default}`, `${input:id}` and what editors predefine: `${workspaceFolder}`,
 * `${workspaceFolderBasename}`, `${userHome}`, `${pathSeparator}` and `${/}`. The lock keeps the text with the
 * references. A bare `${NAME}` stays, because in a command it may be meant for a shell.
 *
 * @param own The variables that the server receives in any case; the server itself expands a variable that agentprint
 * does not have
 */
export function expandVariables(
  context: LaunchContext,
  text: string,
  where: string,
  own: readonly string[] = [],
): string {
  const filledIn = partsOf(text).map((part) => {
    if (typeof part === "string") return part;
    const { variable, fallback } = part;
    if (variable === undefined) return predefinedValue(part, resolve(context.cwd));
    const known = context.env[variable] ?? fallback;
    if (known === undefined && part.name.startsWith("env:") && own.includes(variable)) return `\${${variable}}`;
    const value = known ?? missing(variable, `${part.text} in ${where}`);
    context.hidden.hide([{ name: variable, value }]);
    return value;
  });
  return filledIn.join("");
}

/** Returns the environment variables that have to be set for {@link expandVariables} to fill in a text. */
export function variablesIn(text: string): string[] {
  return partsOf(text).flatMap((part) =>
    typeof part === "string" || part.variable === undefined || part.fallback !== undefined ? [] : [part.variable],
  );
}

/** Returns the value of an environment variable that a launch names. */
export function environmentValue({ env }: LaunchContext, name: string, where: string): string {
  return env[name] ?? missing(name, where);
}

/**
 * Requires that these variables of the environment are set.
 *
 * @throws {@link CliError} `missing-variable` that names every missing variable, if there are several
 */
export function requireVariables({ env }: LaunchContext, names: readonly string[], where: string): void {
  const absent = [...new Set(names)].filter((name) => env[name] === undefined);
  if (absent.length < 2) return;
  const list = `${absent.slice(0, -1).join(", ")} and ${absent.at(-1)}`;
  throw missingVariables(`the environment variables ${list} are not set`, where, absent);
}

function missing(variable: string, where: string): never {
  throw missingVariables(`the environment variable ${variable} is not set`, where, [variable]);
}

function missingVariables(message: string, where: string, names: readonly string[]): CliError {
  const [variables, values] = names.length === 1 ? ["the variable", "its value"] : ["the variables", "their values"];
  return new CliError("missing-variable", message, {
    where,
    expected: "a value in the environment of agentprint; it is passed on and never written to a file",
    fix: `set ${variables} (export ${names.map((name) => `${name}=…`).join(" ")}), or name the file that has ${values} with --mcp-config`,
  });
}

/**
 * The variables for network access: certificates and proxies. Variables that choose the fetched code, such as a
 * registry or an index, are not among them.
 */
export const NETWORK_VARIABLES: readonly string[] = [
  "NODE_EXTRA_CA_CERTS",
  "SSL_CERT_FILE",
  "SSL_CERT_DIR",
  "REQUESTS_CA_BUNDLE",
  "HTTP_PROXY",
  "HTTPS_PROXY",
  "NO_PROXY",
  "http_proxy",
  "https_proxy",
  "no_proxy",
];

/**
 * Returns the environment variables with which a program that fetches packages reaches their registry from this
 * machine; none for any other launch. No lock names them, because they differ from machine to machine.
 */
export function networkVariables({ env, hidden }: LaunchContext, launch: Launch): Record<string, string> {
  const launcher = readLauncher(launch);
  if (!("package" in launcher) || launcher.kind === "image") return {};
  const values = NETWORK_VARIABLES.flatMap((name): [string, string][] => {
    const value = env[name];
    return value === undefined || value === "" ? [] : [[name, value]];
  });
  hidden.hide(values.flatMap(([name, value]) => credentialsOfUrl(`the login of ${name}`, value)));
  return Object.fromEntries(values);
}
