import { checkLaunch } from "../check-argument.ts";
import type { Launch } from "../launch.ts";
import { REDACTED } from "../redacted.ts";
import { redactArguments } from "./redact-arguments.ts";
import { redactText } from "./redact-text.ts";

export { REDACTED } from "../redacted.ts";

/**
 * Returns a launch in which `<redacted>` replaces each secret; all other text is unchanged.
 *
 * Secrets are the passwords of URLs, values after secret names (`--token value`, `--token=value`, `TOKEN=value`,
 * `?token=value`, `"token": "value"`, `Authorization: Bearer value`), tokens of well-known forms and private keys, in
 * each argument and within a shell's command line. A secret ends where a shell, JSON or a URL would end it, and white
 * space, quotes and other characters that give a text its structure are never replaced, so launches that differ outside
 * their secrets still differ after redaction.
 *
 * References (`${env:TOKEN}`, `${input:token}`, `$TOKEN`) contain no secret and are kept. Redacting a redacted launch
 * changes nothing. Some secrets have no recognizable form: `suspectedSecrets` of `@agentprint/launch` names the places
 * that may contain one.
 *
 * @example
 * ```ts
 * import { redactLaunch } from "@agentprint/launch/redact";
 *
 * const launch = redactLaunch({ type: "stdio", command: "npx", args: ["server", "--api-key", "hunter2"], env: [] });
 * console.log(launch.type === "stdio" && launch.args); // ["server", "--api-key", "<redacted>"]
 * ```
 */
export function redactLaunch(launch: Launch): Launch {
  checkLaunch("launch", launch);
  const redacted = replaceSecrets(launch);
  // A token can hide another secret from the search. Each round replaces something, so the rounds end.
  return JSON.stringify(redacted) === JSON.stringify(launch) ? redacted : redactLaunch(redacted);
}

/** Returns whether a launch contains `<redacted>`, so that it cannot be started from the lock. */
export function isRedacted(launch: Launch): boolean {
  checkLaunch("launch", launch);
  return JSON.stringify(launch).includes(REDACTED);
}

function replaceSecrets(launch: Launch): Launch {
  if (launch.type === "http") {
    return { type: "http", url: redactText(launch.url), headers: sortedNames(launch.headers) };
  }
  const { command, args, cwd, env } = launch;
  return {
    type: "stdio",
    command: redactText(command),
    args: redactArguments(command, args),
    ...(cwd !== undefined && { cwd: redactText(cwd) }),
    env: sortedNames(env),
  };
}

function sortedNames(names: readonly string[]): string[] {
  return [...new Set(names)].sort();
}
