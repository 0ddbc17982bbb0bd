import type { Launch } from "../visit/launch.ts";
import { REDACTED } from "./redact-launch.ts";

const SECRET_NAME =
  /(?:^|[-_.])(?:(?:api|access|private|secret|auth|client|subscription)[-_.]?key|apikey|token|accesstoken|authtoken|secret|password|passwd|pwd|pass|credentials?|auth|authorization|bearer|signature|sig|jwt|pat)$|^-*key$/i;
// A lock file is untrusted: each alternative can begin at one place of a run only, so that no text takes quadratic time.
/** Values that are secret by their form alone: well-known token prefixes, JSON Web Tokens, authorization headers. */
const SECRET_VALUE =
  /\b(?:sk|pk|rk)[-_][A-Za-z0-9_-]{16,}|\bgh[pousr]_[A-Za-z0-9]{16,}|\bgithub_pat_\w{16,}|\bglpat-[\w-]{16,}|\bxox[abeoprs]-[\w-]{10,}|\bAKIA[A-Z0-9]{16}\b|(?<![\w-])eyJ[\w-]{8,}\.[\w-]+\.[\w-]*|\b(?:Bearer|Basic)\s+\S+/gi;

/**
 * The redaction of locks of version 1. Their digests depend on its results, so that these rules never change. In places
 * it replaces more than the secret, and it misses some secrets; {@link redactLaunch} is for every newer lock.
 */
export function redactLaunchV1(launch: Launch): Launch {
  const redacted = replaceSecrets(launch);
  // A token can hide another secret from the search, such as a slash before the @ of an address. Each round replaces
  // something, so that the rounds end.
  return JSON.stringify(redacted) === JSON.stringify(launch) ? redacted : redactLaunchV1(redacted);
}

function replaceSecrets(launch: Launch): Launch {
  if (launch.type === "http") {
    return { type: "http", url: redactUrl(launch.url), headers: sortedNames(launch.headers) };
  }
  return {
    type: "stdio",
    command: launch.command,
    args: redactArgs(launch.args),
    ...(launch.cwd !== undefined && { cwd: launch.cwd }),
    env: sortedNames(launch.env),
  };
}

function redactArgs(args: readonly string[]): string[] {
  return args.map((arg, index) => {
    const previous = args[index - 1];
    if (previous?.startsWith("-") && !previous.includes("=") && !arg.startsWith("-") && namesSecret(previous)) {
      return redactValue(arg);
    }
    const equals = arg.indexOf("=");
    if (equals > 0 && /^[\w.-]+$/.test(arg.slice(0, equals)) && namesSecret(arg.slice(0, equals))) {
      return `${arg.slice(0, equals)}=${redactValue(arg.slice(equals + 1))}`;
    }
    const [, header, value = ""] = /^([\w-]+):\s*(\S.*)$/s.exec(arg) ?? [];
    return header !== undefined && namesSecret(header) ? `${header}: ${redactValue(value)}` : redactUrl(arg);
  });
}

function redactUrl(text: string): string {
  return text
    .replace(/^([a-z][a-z0-9+.-]*:\/\/)([^/?#]*)@/i, (_, scheme: string, user: string) => {
      return `${scheme}${user.split(/(?<=\}):/).every(isReference) ? user : REDACTED}@`;
    })
    .replace(/([?&#;])([^=&#;?]*)=([^&#;]*)/g, (match, start: string, name: string, value: string) =>
      namesSecret(name) ? `${start}${name}=${redactValue(value)}` : match,
    )
    .replace(SECRET_VALUE, redactValue);
}

function redactValue(value: string): string {
  return isReference(value) ? value : REDACTED;
}

/** Whether a value is a reference to a secret, such as `${env:TOKEN}` or `${input:token}`, without a default value. */
function isReference(value: string): boolean {
  return /^(?:(?:Bearer|Basic)\s+)?\$\{(?:env|input):[^{}:]+\}$/i.test(value);
}

function namesSecret(name: string): boolean {
  return SECRET_NAME.test(name.replace(/([a-z0-9])([A-Z])/g, "$1-$2"));
}

function sortedNames(names: readonly string[]): string[] {
  return [...new Set(names)].sort();
}
