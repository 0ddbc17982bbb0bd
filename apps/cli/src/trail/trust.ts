import { type CheckpointTrust, createNoteVerifier } from "@agentprint/trail/checkpoint";
import { CliError } from "../run/errors.ts";

/** The log and the witnesses whose checkpoints are accepted, as the command line names them. */
export interface TrustOptions {
  readonly key?: string;
  readonly origin?: string;
  readonly witness?: readonly string[];
  readonly threshold?: number;
}

/** Complete options for the accepted log and witnesses. */
export type TrustKeys = TrustOptions & { readonly key: string; readonly origin: string };

/**
 * Reads the log and the witnesses whose checkpoints are accepted; returns `undefined` if the command line names none.
 *
 * @param isStore Whether the source is a store, which can have checkpoints
 */
export function readTrustKeys(
  options: TrustOptions & { readonly task?: string; readonly checkpoint?: readonly string[] },
  isStore: boolean,
): TrustKeys | undefined {
  const { checkpoint: files = [], task, key, origin, witness, threshold } = options;
  if (files.length === 0 && [key, origin, witness, threshold].every((option) => option === undefined)) return undefined;
  if (key === undefined || origin === undefined || (files.length > 0 && task === undefined)) {
    throw new CliError("usage", "a checkpoint covers one task of one log", {
      expected: "--key and --origin, and --task with --checkpoint",
      fix: "agentprint trail verify <source> --task <id> --checkpoint <file> --key <verifier key> --origin <origin>",
    });
  }
  if (files.length === 0 && !isStore) {
    throw new CliError("usage", "there is no checkpoint to verify against", {
      expected: "--checkpoint <file>, or a store that has checkpoints",
      fix: "agentprint trail verify <source> --task <id> --checkpoint <file> --key <verifier key> --origin <origin>",
    });
  }
  return { ...options, key, origin };
}

export function toTrust({ key, origin, witness = [], threshold = 0 }: TrustKeys): CheckpointTrust {
  return { origin, log: createNoteVerifier(key), witnesses: witness.map(createNoteVerifier), threshold };
}
