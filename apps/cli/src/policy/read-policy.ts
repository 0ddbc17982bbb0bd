import { dirname, join } from "node:path";
import { CanonicalJsonError, locateJson, parseJson } from "@agentprint/canonical-json";
import type { JsonValue } from "@agentprint/canonical-json/json-value";
import type { LockFile } from "@agentprint/mcp-lock/lock";
import { DEFAULT_POLICY, type Policy } from "@agentprint/policy/apply";
import { hasOnlySettings, PolicyError, parseSettings, type Settings } from "@agentprint/policy/settings";
import { readInput } from "../files/read-input.ts";
import type { InputContext } from "../run/context.ts";
import { CliError, isMissing } from "../run/errors.ts";

/** The configuration of agentprint, which holds the policy. */
const POLICY_FILE = "agentprint.config.json";

/** The maximum size of the file, in bytes. */
export const MAX_POLICY_BYTES: number = 1024 * 1024;

/** A policy with notices about its file, one sentence each. */
export interface ReadPolicy {
  readonly policy: Policy;
  /** The file with the policy; absent if there is no file, or if the file has only settings. */
  readonly file?: string;
  /** The text of the configuration file. */
  readonly text?: Uint8Array;
  readonly notices: readonly string[];
}

/** The configuration of agentprint. */
export interface ReadConfiguration extends ReadPolicy {
  readonly settings: Settings;
}

/** The configuration of a folder without one: the preset `strict`, and no settings. */
export const NO_CONFIGURATION: ReadConfiguration = {
  policy: DEFAULT_POLICY,
  notices: [],
  settings: { visits: {}, configurations: [], reviewers: [] },
};

/** The place of a policy. */
export interface PolicyPlace {
  /** A file that the user named. */
  readonly config?: string | undefined;
  /** The lock in whose folder the policy is; without a lock, the policy in the working directory is used. */
  readonly lock?: string;
}

/**
 * Reads the policy and the settings of a command: from the file that the user named, or the file next to the lock, or else the preset
 * `strict`.
 *
 * @throws {@link CliError} `unreadable-input`, `too-large` when the file cannot be read; `invalid-config` when it is
 * not a policy
 */
export async function readPolicy(context: InputContext, place: PolicyPlace): Promise<ReadConfiguration> {
  const text = await readConfigurationText(context, place);
  return text === undefined ? NO_CONFIGURATION : parsePolicyText(text, policyFileOf(place));
}

/**
 * Reads only the settings of the configuration next to a lock, without its policy.
 *
 * @throws {@link CliError} `unreadable-input`, `too-large` when the file cannot be read; `invalid-config` when a setting is wrong
 */
export async function readSettings(context: InputContext, lock: string): Promise<Settings> {
  const file = policyFileOf({ lock });
  const text = await readConfigurationText(context, { lock });
  return text === undefined ? NO_CONFIGURATION.settings : settingsOf(parse(text, file), file, text);
}

/** Reads the text of the configuration; returns `undefined` if none was named and there is none. */
export function readConfigurationText(context: InputContext, place: PolicyPlace): Promise<Uint8Array | undefined> {
  return readInput(context, policyFileOf(place), MAX_POLICY_BYTES).catch((error: unknown) => {
    // An unreadable file must not cause a different policy to be used.
    if (place.config === undefined && error instanceof CliError && isMissing(error.cause)) return undefined;
    throw error;
  });
}

/** Returns the path of the file from which a policy is read, even if it does not exist. */
export function policyFileOf({ config, lock = "" }: PolicyPlace): string {
  if (config !== undefined) return config;
  const folder = dirname(lock);
  return folder === "." ? POLICY_FILE : join(folder, POLICY_FILE);
}

/**
 * Parses the policy and the settings in the text of a file.
 *
 * @param file The name of the file, as messages show it
 * @throws {@link CliError} `invalid-config` when it is not a policy
 */
export async function parsePolicyText(text: Uint8Array, file: string): Promise<ReadConfiguration> {
  const value = parse(text, file);
  const settings = settingsOf(value, file, text);
  if (hasOnlySettings(value)) return { policy: DEFAULT_POLICY, notices: [], settings };
  // The rules of all domains take long to load, and most runs have no configuration.
  const [{ parsePolicy }, { RULES }] = await Promise.all([
    import("@agentprint/policy"),
    import("../rules/rule-list.ts"),
  ]);
  const notices: string[] = [];
  const onShortId = (given: string, id: string): void => {
    notices.push(`${file} names the rule ${id} by another id, ${given}`);
  };
  try {
    return { policy: parsePolicy(value, RULES, { onShortId }), file, text, notices, settings };
  } catch (error) {
    throw error instanceof PolicyError ? invalidPolicy(error, file, text) : error;
  }
}

/** Returns the error for a problem in a policy, at its line and column in the file. */
function invalidPolicy(error: Error & { readonly path: string }, file: string, text?: Uint8Array): CliError {
  const [place] = text === undefined ? [] : locateJson(text, [error.path]);
  return new CliError("invalid-config", error.message, {
    where: place === undefined ? file : `${file}:${place.line}:${place.column}`,
    fix: "see the rules with agentprint rules, and the members in the README of @agentprint/policy; newer ones need a newer agentprint",
    cause: error,
  });
}

function settingsOf(value: JsonValue, file: string, text: Uint8Array): Settings {
  try {
    return parseSettings(value);
  } catch (error) {
    throw error instanceof PolicyError ? invalidPolicy(error, file, text) : error;
  }
}

function parse(text: Uint8Array, file: string): JsonValue {
  try {
    return parseJson(text);
  } catch (error) {
    if (!(error instanceof CanonicalJsonError)) throw error;
    throw new CliError("invalid-config", error.message, {
      where: `${file}:${error.line}:${error.column}`,
      expected: "strict JSON",
      cause: error,
    });
  }
}

/**
 * Compares a policy with the lock; returns the policy with notices about servers that are not pinned.
 *
 * @throws {@link CliError} `invalid-config` if it is not proven that `arguments` accept only what a locked schema
 * accepts
 */
export async function checkPolicy(read: ReadPolicy, lock: LockFile): Promise<ReadPolicy> {
  const { policy, file, notices } = read;
  if (file === undefined) return read;
  const pinned = new Set(lock.servers.map(({ name }) => name));
  const unknown = Object.keys(policy.servers).filter((name) => !pinned.has(name));
  if (hasArguments(policy)) {
    const { checkCallSchemas, PolicyError } = await import("@agentprint/policy");
    try {
      checkCallSchemas(policy, (server, tool) => lockedSchemas(lock, server, tool));
    } catch (error) {
      throw error instanceof PolicyError ? invalidPolicy(error, file) : error;
    }
  }
  return {
    ...read,
    notices: [...notices, ...unknown.map((name) => `${file} has decisions for ${name}, which is not in the lock`)],
  };
}

function hasArguments({ servers }: Policy): boolean {
  return Object.values(servers).some(({ calls }) => Object.values(calls).some((call) => call.arguments !== undefined));
}

function lockedSchemas(lock: LockFile, server: string, tool: string): JsonValue[] {
  const entry = lock.servers.find(({ name }) => name === server);
  const locked = entry?.tools.filter(({ definition }) => definition["name"] === tool) ?? [];
  return locked.map(({ definition }) => definition["inputSchema"] ?? {});
}
