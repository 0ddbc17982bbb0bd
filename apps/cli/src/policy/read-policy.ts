import { dirname, join } from "node:path";
import { CanonicalJsonError, locateJson, parseJson } from "@agentprint/canonical-json";
import { DEFAULT_POLICY, type Policy } from "@agentprint/policy/apply";
import type { InputContext } from "../context.ts";
import { CliError, isMissing } from "../errors.ts";
import { readInput } from "../json/read-input.ts";

/** The configuration of agentprint, which holds the policy. */
const POLICY_FILE = "agentprint.config.json";

/** The longest file, in bytes. */
export const MAX_POLICY_BYTES: number = 1024 * 1024;

/** A policy with notices about its file, one sentence each. */
export interface ReadPolicy {
  readonly policy: Policy;
  /** Absent where there is no file. */
  readonly file?: string;
  /** The text of the file. */
  readonly text?: Uint8Array;
  readonly notices: readonly string[];
}

/** The place of a policy. */
export interface PolicyPlace {
  /** A file that the user named. */
  readonly config?: string | undefined;
  /** The lock beside the policy; without a lock, the policy of the working directory counts. */
  readonly lock?: string;
}

/**
 * Reads the policy of a command: from the file that the user named, or the file beside the lock, or else the preset
 * `strict`.
 *
 * @throws {@link CliError} `unreadable-input`, `too-large` when the file cannot be read; `invalid-config` when it is no policy
 */
export async function readPolicy(context: InputContext, place: PolicyPlace): Promise<ReadPolicy> {
  const file = policyFileOf(place);
  const text = await readInput(context, file, MAX_POLICY_BYTES).catch((error: unknown) => {
    // An unreadable file must not fall back to another policy.
    if (place.config === undefined && error instanceof CliError && isMissing(error.cause)) return undefined;
    throw error;
  });
  return text === undefined ? { policy: DEFAULT_POLICY, notices: [] } : parsePolicyText(text, file);
}

/** The path of the file that a policy is read from, if it is there. */
export function policyFileOf({ config, lock = "" }: PolicyPlace): string {
  if (config !== undefined) return config;
  const folder = dirname(lock);
  return folder === "." ? POLICY_FILE : join(folder, POLICY_FILE);
}

/**
 * The policy in the text of a file.
 *
 * @param file The name of the file for readers
 * @throws {@link CliError} `invalid-config` when it is no policy
 */
export async function parsePolicyText(text: Uint8Array, file: string): Promise<ReadPolicy> {
  const value = parse(text, file);
  // The rules of all domains take long to load, and most runs have no configuration.
  const [{ parsePolicy, PolicyError }, { RULES }] = await Promise.all([
    import("@agentprint/policy"),
    import("../rules/rule-list.ts"),
  ]);
  const notices: string[] = [];
  const onShortId = (given: string, id: string): void => {
    notices.push(`${file} names the rule ${id} by another id, ${given}`);
  };
  try {
    return { policy: parsePolicy(value, RULES, { onShortId }), file, text, notices };
  } catch (error) {
    throw error instanceof PolicyError ? invalidPolicy(error, file, text) : error;
  }
}

/** Returns the error for a problem in a policy, at its line and column in the file. */
export function invalidPolicy(error: Error & { readonly path: string }, file: string, text?: Uint8Array): CliError {
  const [place] = text === undefined ? [] : locateJson(text, [error.path]);
  return new CliError("invalid-config", error.message, {
    where: place === undefined ? file : `${file}:${place.line}:${place.column}`,
    fix: "see the rules with agentprint rules, and the members in the README of @agentprint/policy; newer ones need a newer agentprint",
    cause: error,
  });
}

function parse(text: Uint8Array, file: string): unknown {
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
