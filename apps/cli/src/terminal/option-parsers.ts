import { CanonicalJsonError, parseJson } from "@agentprint/canonical-json";
import { isJsonObject, type JsonObject } from "@agentprint/canonical-json/json-value";
import { isSha256Hex } from "@agentprint/canonical-json/text";
import { InvalidArgumentError } from "commander";
import { CliError } from "../run/errors.ts";

/** Commander argument parser: a whole number above zero. */
export function positiveInteger(text: string): number {
  if (isWholeNumber(text) && Number(text) > 0) return Number(text);
  throw new InvalidArgumentError("expected a whole number above zero.");
}

/** Commander argument parser: a whole number, zero included. */
export function wholeNumber(text: string): number {
  if (isWholeNumber(text)) return Number(text);
  throw new InvalidArgumentError("expected a whole number.");
}

function isWholeNumber(text: string): boolean {
  return /^\d+$/.test(text) && Number.isSafeInteger(Number(text));
}

/** Commander argument parser: the name of a server. */
export function serverName(text: string): string {
  if (text !== "") return text;
  throw new InvalidArgumentError("expected a name that is not empty.");
}

/** Commander argument parser of a repeatable option. */
export function collect(value: string, previous: readonly string[] = []): string[] {
  return [...previous, value];
}

/** Commander argument parser: a number of seconds above zero, as milliseconds. */
function seconds(text: string): number {
  const milliseconds = Number(text) * 1000;
  if (!/^\d+(\.\d+)?$/.test(text) || milliseconds <= 0 || milliseconds > MAX_TIMER_MS) {
    throw new InvalidArgumentError("expected a number of seconds above zero.");
  }
  return milliseconds;
}

/** Commander argument parser: a number of seconds, zero included, as milliseconds. */
export function secondsFromZero(text: string): number {
  return /^0+(\.0+)?$/.test(text) ? 0 : seconds(text);
}

/** Commander argument parser: a number of days, such as `90d`, as milliseconds. */
export function days(text: string): number {
  if (/^\d{1,6}d$/.test(text)) return Number.parseInt(text, 10) * 86_400_000;
  throw new InvalidArgumentError("expected a number of days, such as 90d.");
}

/** Commander argument parser: the address of a service, with `https` unless it is on this machine. */
export function instance(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const isLocal = url !== undefined && ["localhost", "127.0.0.1", "[::1]"].includes(url.hostname);
  if (url?.protocol === "https:" || (isLocal && url.protocol === "http:")) return text.replace(/\/+$/, "");
  throw new InvalidArgumentError("expected an address with https.");
}

/** Commander argument parser: a time in UTC, such as `2026-05-01T00:00:00Z`. */
export function time(text: string): Date {
  const at = new Date(text);
  if (!Number.isNaN(at.getTime()) && at.toISOString() === text.replace("Z", ".000Z")) return at;
  throw new InvalidArgumentError("expected a time in UTC, such as 2026-05-01T00:00:00Z.");
}

/** Commander argument parser: a time in UTC with seconds, or the beginning of a day. */
export function utcTime(text: string): string {
  const time = /^\d{4}-\d\d-\d\d$/.test(text) ? `${text}T00:00:00Z` : text;
  const at = new Date(time);
  if (!Number.isNaN(at.getTime()) && at.toISOString() === time.replace(/Z$/, ".000Z")) return time;
  throw new InvalidArgumentError("expected a time in UTC, such as 2026-01-31 or 2026-01-31T12:00:00Z.");
}

const UNITS: Readonly<Record<string, number>> = { m: 60_000, h: 3_600_000, d: 86_400_000 };

/** Commander argument parser: a time from one minute to ten days, such as `90m`, `6h` or `1d`, as milliseconds. */
export function interval(text: string): number {
  const [, count = "0", unit = "m"] = /^([1-9]\d{0,4})([mhd])$/.exec(text) ?? [];
  const milliseconds = Number(count) * (UNITS[unit] ?? 0);
  if (milliseconds > 0 && milliseconds <= 864_000_000) return milliseconds;
  throw new InvalidArgumentError("expected a time from 1m to 10d, such as 90m, 6h or 1d.");
}

/** The longest time that a Node timer can wait. */
const MAX_TIMER_MS = 2 ** 31 - 1;

/** Commander argument parser: the name or address of a machine, and a port. */
export function hostAndPort(text: string): string {
  if (/^(?:[\w.-]+|\[[\da-f:]+\]):\d{1,5}$/i.test(text)) return text;
  throw new InvalidArgumentError("expected host:port, such as 127.0.0.1:4000.");
}

/** Commander argument parser: a SHA-256. */
export function digest(text: string): string {
  if (isSha256Hex(text)) return text;
  throw new InvalidArgumentError("expected 64 lowercase hexadecimal digits.");
}

const CLIENT_CAPABILITIES = ["roots", "sampling", "elicitation", "tasks", "experimental"];

/** Commander argument parser: `sampling,elicitation,roots`, or the `capabilities` object of `initialize` as JSON. */
export function clientCapabilities(text: string): JsonObject {
  if (text.trimStart().startsWith("{")) return objectFromJson(text);
  const names = text.split(",").map((name) => name.trim());
  const unknown = names.find((name) => name !== "" && !CLIENT_CAPABILITIES.includes(name));
  if (unknown !== undefined) {
    throw new InvalidArgumentError(
      `${unknown} is none of ${CLIENT_CAPABILITIES.join(", ")}; write any other capability in a JSON object.`,
    );
  }
  return Object.fromEntries(names.filter((name) => name !== "").map((name) => [name, {}]));
}

function objectFromJson(text: string): JsonObject {
  try {
    const value = parseJson(text);
    if (isJsonObject(value)) return value;
  } catch (error) {
    if (!(error instanceof CanonicalJsonError)) throw error;
    throw new InvalidArgumentError(error.message);
  }
  throw new InvalidArgumentError("expected a JSON object.");
}

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
