import { CliError } from "../run/errors.ts";
import { collect } from "../terminal/option-parsers.ts";

/** The characters of a header's name: RFC 9110, section 5.6.2. */
const TOKEN = /^[!#$%&'*+.^_`|~\w-]+$/;

/**
 * Commander argument parser of `--env`: the name of a variable. No message quotes what follows a name, because it is
 * often a secret.
 */
export function variableNames(text: string, previous: readonly string[] = []): string[] {
  if (/^[^=\0]+$/.test(text)) return collect(text, previous);
  throw refused("--env", "variable", /^[A-Za-z_]\w*(?==)/.exec(text)?.[0]);
}

/** Commander argument parser of `--header`: the name of a header. No message quotes what follows a name. */
export function headerNames(text: string, previous: readonly string[] = []): string[] {
  if (TOKEN.test(text)) return collect(text, previous);
  throw refused("--header", "header", /^[A-Za-z][\w-]*(?=\s*[:=])/.exec(text)?.[0]);
}

function refused(option: string, kind: string, name: string | undefined): CliError {
  const variable = kind === "header" ? "the variable AGENTPRINT_HEADER_<NAME>" : "the variable";
  return new CliError("usage", `${option} takes only the name of a ${kind}; its value comes from the environment`, {
    where: option,
    expected: `${option} <NAME>`,
    fix: name === undefined ? `give the name of a ${kind}` : `set ${variable}, and pass ${option} ${name}`,
  });
}
