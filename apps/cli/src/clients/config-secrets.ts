import { ADDRESSES, COMMANDS, type ConfiguredEntry } from "@agentprint/client-configs";
import { isSecretName } from "@agentprint/launch/redact";
import { credentialsOfUrl, type KnownValue } from "@agentprint/mcp-visit/secrets";
import { secretsInLaunch } from "../launch/launch-secrets.ts";
import type { Context } from "../run/context.ts";

/** A shorter part next to a reference is the name of a scheme, as in `Bearer ${TOKEN}`. */
const MIN_PART_LENGTH = 8;
const HEADERS = ["headers", "http_headers"];
const VARIABLES = ["env", "envs", "environment"];

/** Hides the secrets of these entries from all outputs, including entries that launch nothing or cannot be read. */
export function hideSecretsOf({ hidden }: Pick<Context, "hidden">, entries: readonly ConfiguredEntry[]): void {
  const found = entries.flatMap(({ value }) => secretsOf(value));
  hidden.hideFromOutput(found.flatMap((one) => literalsOf(one.value).map((value) => ({ ...one, value }))));
}

/**
 * Returns the values of headers and of variables with secret names, the credentials in addresses, and what {@link
 * secretsInLaunch} finds in a command. No output contains the value of another variable: only its name is read before a
 * server is started.
 */
function secretsOf(value: unknown): KnownValue[] {
  const entry = membersOf(value);
  const inner = [entry["requestOptions"], entry["command"]].map(membersOf);
  const tables = [entry, ...inner];
  const valuesIn = (names: readonly string[]): [name: string, value: string][] =>
    tables.flatMap((table) => names.flatMap((name) => Object.entries(membersOf(table[name])).flatMap(textOf)));
  const named = [...valuesIn(HEADERS), ...valuesIn(VARIABLES).filter(([name]) => isSecretName(name))];
  const addresses = ADDRESSES.flatMap((name) => (typeof entry[name] === "string" ? [entry[name]] : []));
  return [
    ...named.map(([name, text]) => ({ name, value: text })),
    ...addresses.flatMap((url) => [...loginOf(url), ...secretsInLaunch({ type: "http", url, headers: [] })]),
    ...tables.flatMap(secretsOfCommand),
  ];
}

function secretsOfCommand(entry: Readonly<Record<string, unknown>>): KnownValue[] {
  const parts = [...COMMANDS, "path", "args"].flatMap((name) => [entry[name]].flat());
  const [command = "", ...args] = parts.filter((part) => typeof part === "string");
  return secretsInLaunch({ type: "stdio", command, args, env: [] });
}

/** Returns the login in an address, even in one that no client could read. */
function loginOf(url: string): KnownValue[] {
  const [, login] = /\/\/([^/?#]*)@/.exec(url) ?? [];
  const parts = login?.split(/:(.*)/s).filter((part) => part !== "") ?? [];
  const broken = parts.map((value) => ({ name: "the URL's login", value }));
  return [...credentialsOfUrl("the URL's login", url), ...broken];
}

/** Returns a text, or, if it refers to variables, the long parts around the references. */
function literalsOf(text: string): string[] {
  const parts = text.split(/\$?\{[^{}]*\}/);
  return parts.length === 1 ? parts : parts.filter((part) => part.length >= MIN_PART_LENGTH);
}

function textOf([name, value]: [string, unknown]): [name: string, value: string][] {
  return typeof value === "string" ? [[name, value]] : [];
}

function membersOf(value: unknown): Readonly<Record<string, unknown>> {
  const isTable = typeof value === "object" && value !== null && !Array.isArray(value);
  return isTable ? (value as Readonly<Record<string, unknown>>) : {};
}
