import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { CanonicalJsonError, locateJson, parseJson } from "@agentprint/canonical-json";
import { DEFAULT_POLICY, type Policy } from "@agentprint/policy/apply";
import type { InputContext } from "../context.ts";
import { CliError } from "../errors.ts";
import { readInput } from "../json/read-input.ts";

/** The configuration of agentprint, which holds the policy. */
const POLICY_FILE = "agentprint.config.json";

const MAX_BYTES = 1024 * 1024;

/** A policy, and what the user should know of the file that it stands in: one sentence each. */
export interface ReadPolicy {
  readonly policy: Policy;
  /** Absent where there is no file. */
  readonly file?: string;
  readonly notices: readonly string[];
}

/** Where a policy stands. */
interface PolicyPlace {
  /** A file that the user named. */
  readonly config?: string | undefined;
  /** The lock that the policy stands beside; without it, the policy of the working directory counts. */
  readonly lock?: string;
}

/**
 * The policy of a command: of the file that the user named, or of the file beside the lock, or else the preset `strict`.
 *
 * @throws {@link CliError} `unreadable-input`, `too-large` when the file cannot be read; `invalid-config` when it is no policy
 */
export async function readPolicy(context: InputContext, { config, lock = "" }: PolicyPlace): Promise<ReadPolicy> {
  const file = config ?? besides(lock);
  if (config === undefined && !existsSync(context.pathOf(file))) return { policy: DEFAULT_POLICY, notices: [] };
  const text = await readInput(context, file, MAX_BYTES);
  const value = parse(text, file);
  // The rules of all domains take long to load, and most runs have no configuration.
  const [{ parsePolicy, PolicyError }, { RULES }] = await Promise.all([
    import("@agentprint/policy"),
    import("../rules/rule-list.ts"),
  ]);
  const notices: string[] = [];
  const onOldId = (given: string, id: string): void => {
    notices.push(`${file} names the rule ${id} by another id, ${given}`);
  };
  try {
    return { policy: parsePolicy(value, RULES, { onOldId }), file, notices };
  } catch (error) {
    throw error instanceof PolicyError ? invalidPolicy(error, file, text) : error;
  }
}

/** The error for what a policy says, at its line and column in the file. */
export function invalidPolicy(error: Error & { readonly path: string }, file: string, text?: Uint8Array): CliError {
  const [place] = text === undefined ? [] : locateJson(text, [error.path]);
  return new CliError("invalid-config", error.message, {
    where: place === undefined ? file : `${file}:${place.line}:${place.column}`,
    fix: "see the rules with agentprint rules, and the members in the README of @agentprint/policy",
    cause: error,
  });
}

function besides(lock: string): string {
  const folder = dirname(lock);
  return folder === "." ? POLICY_FILE : join(folder, POLICY_FILE);
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
