import { homedir } from "node:os";
import { basename, resolve, sep } from "node:path";
import type { Context } from "../run/context.ts";
import { CliError } from "../run/errors.ts";

/** The part of a context that filling in a launch needs. */
export type LaunchContext = Pick<Context, "cwd" | "env" | "hidden">;

/** The references that editors define by themselves. */
const PREDEFINED: Readonly<Record<string, (context: LaunchContext) => string>> = {
  workspaceFolder: ({ cwd }) => resolve(cwd),
  workspaceFolderBasename: ({ cwd }) => basename(resolve(cwd)),
  userHome: homedir,
  pathSeparator: () => sep,
  "/": () => sep,
};
const REFERENCE =
  /\$\{(?:(env|input):([^}]+?)(?::-([^}]*))?|(workspaceFolder|workspaceFolderBasename|userHome|pathSeparator|\/))\}/g;
const BARE_REFERENCE =
  /\$\{(?!(?:workspaceFolder|workspaceFolderBasename|userHome|pathSeparator)\})([A-Za-z_]\w*)(:-[^}]*)?\}/g;
/**
 * Matches a reference that only an editor resolves, such as `${config:…}`, but not a shell's `${NAME:=…}` or
 * `${NAME:0:3}`.
 */
const UNKNOWN_REFERENCE = /\$\{(?!(?:env|input):)([A-Za-z]\w*):[^-=?+\s\d}][^}]*\}/;

/** Environment variable that carries the answer to a VS Code input. */
function inputVariable(id: string): string {
  return `AGENTPRINT_INPUT_${id.toUpperCase().replace(/[^A-Z0-9]/g, "_")}`;
}

/**
 * A text of a client's configuration in the form that {@link expandVariables} reads: `${NAME}`, as some clients write a
 * variable, as `${env:NAME}`. `${cwd}` is the folder that the editor was started in, for us the workspace.
 */
export function qualifyVariables(text: string): string {
  return text.replace(BARE_REFERENCE, (reference, name: string, fallback = "") =>
    reference === `\${cwd}` ? `\${workspaceFolder}` : `\${env:${name}${fallback}}`,
  );
}

/**
 * Returns the first reference in a text of a client's configuration that only its editor can fill in, without its
 * target: a text that holds a secret can look like a reference.
 */
export function findUnknownVariable(text: string): string | undefined {
  const scheme = UNKNOWN_REFERENCE.exec(text)?.[1];
  return scheme === undefined ? undefined : `\${${scheme}:…}`;
}

/**
 * Fills in `${env:NAME}`, `${env:NAME:-default}`, `${input:id}` and what editors predefine: `${workspaceFolder}`,
 * `${workspaceFolderBasename}`, `${userHome}`, `${pathSeparator}` and `${/}`. The lock keeps the text with the
 * references. A bare `${NAME}` stays: in a command it may be meant for a shell.
 *
 * @param own The variables that the server gets in any case: the server itself fills in one that agentprint does not have
 */
export function expandVariables(
  context: LaunchContext,
  text: string,
  where: string,
  own: readonly string[] = [],
): string {
  return text.replace(REFERENCE, (reference, scheme?: string, key = "", fallback?: string, predefined = "") => {
    const value = PREDEFINED[predefined]?.(context);
    if (value !== undefined) return value;
    const variable = scheme === "input" ? inputVariable(key) : key;
    const known = context.env[variable] ?? fallback;
    if (known === undefined && scheme === "env" && own.includes(variable)) return `\${${variable}}`;
    const filledIn = known ?? missing(variable, `${reference} in ${where}`);
    context.hidden.hide([{ name: variable, value: filledIn }]);
    return filledIn;
  });
}

/** The environment variables that have to be set for {@link expandVariables} to fill in a text. */
export function variablesIn(text: string): string[] {
  return [...text.matchAll(REFERENCE)].flatMap(([, scheme, key = "", fallback]) => {
    if (scheme === undefined || fallback !== undefined) return [];
    return [scheme === "input" ? inputVariable(key) : key];
  });
}

/** The value of an environment variable that a launch names. */
export function environmentValue({ env }: LaunchContext, name: string, where: string): string {
  return env[name] ?? missing(name, where);
}

/**
 * Requires that these variables of the environment are set.
 *
 * @throws {@link CliError} `missing-variable` that names all that are not, where there are several
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
