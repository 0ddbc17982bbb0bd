import { homedir } from "node:os";
import { CliError } from "../errors.ts";

const REFERENCE = /\$\{(?:(env|input):([^}]+?)(?::-([^}]*))?|(workspaceFolder|userHome))\}/g;
const BARE_REFERENCE = /\$\{(?!workspaceFolder\}|userHome\})([A-Za-z_]\w*)(:-[^}]*)?\}/g;

/** Environment variable that carries the answer to a VS Code input. */
function inputVariable(id: string): string {
  return `AGENTPRINT_INPUT_${id.toUpperCase().replace(/[^A-Z0-9]/g, "_")}`;
}

/** `${NAME}`, as some clients write a variable in their configuration, as `${env:NAME}`. */
export function qualifyVariables(text: string): string {
  return text.replace(BARE_REFERENCE, (_, name: string, fallback = "") => `\${env:${name}${fallback}}`);
}

/**
 * Fills in `${env:NAME}`, `${env:NAME:-default}`, `${input:id}`, `${workspaceFolder}` and `${userHome}`. The lock keeps
 * the text with the references. A bare `${NAME}` stays: in a command it may be meant for a shell.
 */
export function expandVariables(text: string, where: string): string {
  return text.replace(REFERENCE, (reference, scheme?: string, key = "", fallback?: string, folder?: string) => {
    if (folder === "userHome") return homedir();
    if (folder === "workspaceFolder") return process.cwd();
    const variable = scheme === "input" ? inputVariable(key) : key;
    return process.env[variable] ?? fallback ?? missing(variable, `${reference} in ${where}`);
  });
}

/** The value of an environment variable that a launch names. */
export function environmentValue(name: string, where: string): string {
  return process.env[name] ?? missing(name, where);
}

function missing(variable: string, where: string): never {
  throw new CliError("missing-variable", `the environment variable ${variable} is not set`, {
    where,
    expected: "a value in the environment of agentprint; it is passed on and never written to a file",
    fix: `set it (export ${variable}=…), or name the file that has it with --config`,
  });
}
