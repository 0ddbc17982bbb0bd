import { createHash } from "node:crypto";
import type { LockFile } from "@agentprint/mcp-lock/lock";
import type { Policy } from "@agentprint/policy/apply";
import { judgePolicy } from "../base-commit/judge-policy.ts";
import { readRegularFile } from "../files/read-input.ts";
import { MAX_LOCK_BYTES, missingLock, parseLockText, type ReadLock } from "../lock/read-lock.ts";
import { MAX_POLICY_BYTES, NO_CONFIGURATION, parsePolicyText, policyFileOf } from "../policy/read-policy.ts";
import type { Context } from "../run/context.ts";
import { CliError, isMissing } from "../run/errors.ts";
import { printNotices } from "../terminal/notices.ts";
import type { GuardCommandOptions } from "./guard-options.ts";

/** The files that a guard enforces. */
export type GuardFiles = Pick<GuardCommandOptions, "lock" | "policy">;

/** The lock and the policy that a guard enforces. */
export interface LoadedLock {
  readonly read: ReadLock;
  readonly lock: LockFile;
  /** The policy in force: the accepted one if the current one is weaker. */
  readonly policy: Policy;
  /** The digest of the bytes of both files. */
  readonly digest: string;
}

/** The bytes of the lock, and those of the policy if there is one. */
export interface FileTexts {
  readonly lock: Uint8Array;
  readonly policy: Uint8Array | undefined;
}

/**
 * Loads the lock, and determines the policy in force.
 *
 * @throws {@link CliError} `missing-lock`, `unreadable-input`, `too-large`, `invalid-config` when one of them cannot be read
 */
export async function loadLock(context: Context, files: GuardFiles): Promise<LoadedLock> {
  return parseTexts(context, files, await readTexts(context, files));
}

/**
 * Reads the bytes of the lock and of the policy.
 *
 * @throws {@link CliError} `missing-lock`, `unreadable-input`, `too-large` when one of them cannot be read
 */
export async function readTexts(context: Context, { lock: file, policy: config }: GuardFiles): Promise<FileTexts> {
  const lock = await readIfPresent(context, file, MAX_LOCK_BYTES);
  if (lock === undefined) throw missingLock(file);
  const place = policyFileOf({ lock: file, config });
  const policy =
    config === undefined
      ? await readIfPresent(context, place, MAX_POLICY_BYTES)
      : await readRegularFile(context, place, MAX_POLICY_BYTES);
  return { lock, policy };
}

async function readIfPresent(context: Context, file: string, maxBytes: number): Promise<Uint8Array | undefined> {
  return readRegularFile(context, file, maxBytes).catch((error: unknown) => {
    if (error instanceof CliError && isMissing(error.cause)) return undefined;
    throw error;
  });
}

/**
 * Parses the lock and the policy, and prints a notice if the policy is weaker than the accepted one.
 *
 * @throws {@link CliError} `unreadable-input`, `invalid-config` when one of them is invalid
 */
export async function parseTexts(
  context: Context,
  { lock: file, policy: config }: GuardFiles,
  texts: FileTexts,
): Promise<LoadedLock> {
  const lock = parseLockText(texts.lock, file);
  const place = { lock: file, ...(config !== undefined && { config }) };
  const present =
    texts.policy === undefined ? NO_CONFIGURATION : await parsePolicyText(texts.policy, policyFileOf(place));
  const { policy, weakened } = await judgePolicy(present, lock, undefined, place);
  if (weakened.length > 0) {
    printNotices(context, [
      "the policy is weaker than the accepted one, which stays in force: agentprint approve --policy accepts it",
    ]);
  }
  return { read: { lock, text: texts.lock }, lock, policy: policy.policy, digest: digestOf(texts) };
}

/** Returns the digest of the bytes of both files. */
export function digestOf({ lock, policy }: FileTexts): string {
  const hash = createHash("sha256")
    .update(`${lock.length} ${policy === undefined ? "none" : "policy"} `)
    .update(lock);
  return hash.update(policy ?? "").digest("hex");
}
