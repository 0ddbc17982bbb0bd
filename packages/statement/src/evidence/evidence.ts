import type { ConsistencyProof, InclusionProof } from "@agentprint/trail/checkpoint";
import type { STATEMENT_TYPE } from "../statement.ts";

/** The predicate type. It is only an identifier, not an address. */
export const EVIDENCE_TYPE = "https://agentprint.invalid/evidence/v1";

/** The length of the longest bundle, in bytes. */
export const MAX_EVIDENCE_BYTES: number = 64 * 1024 * 1024;

/** A part of a bundle: a subject of the bundle's statement, with its bytes. */
export interface EvidencePart {
  readonly name: string;
  readonly mediaType: string;
  readonly digest: { readonly sha256: string };
  /** The bytes in Base64. */
  readonly content: string;
}

/** The time that a bundle covers; without bounds, all time. */
export interface EvidencePeriod {
  /** The first second of the period, such as `2026-01-31T12:00:00Z`. */
  readonly from?: string | undefined;
  /** The first second after the period. */
  readonly to?: string | undefined;
}

/** A checkpoint, and the proofs that connect it to a bundle's records. */
export interface EvidenceCheckpoint {
  /** The part that contains the signed note. */
  readonly note: string;
  /** The inclusion proofs for the first and the last record in the bundle that the checkpoint covers. */
  readonly inclusion: readonly InclusionProof[];
  /** The consistency proof from the previous checkpoint in the list; absent for the first. */
  readonly consistency?: ConsistencyProof | undefined;
}

/** One task's records in a period, with the record before and the record after it. */
export interface EvidenceTrail {
  readonly task: string;
  /** The part that contains the records, each as one canonical line. */
  readonly records: string;
  /** The index of the first record in its chain. */
  readonly first: number;
  /** Sorted by size, smallest first. */
  readonly checkpoints: readonly EvidenceCheckpoint[];
}

/** The predicate, which says what each part is. */
export interface EvidencePredicate {
  /** When the bundle was made: RFC 3339 in UTC, with seconds and no fraction. */
  readonly made: string;
  /** The versions of the programs that made the bundle, by name. */
  readonly versions: Readonly<Record<string, string>>;
  readonly period: EvidencePeriod;
  /** The part that contains the lock. */
  readonly lock: string;
  /** The part that contains `agentprint.config.json`, if there is one. */
  readonly configuration?: string | undefined;
  /** The parts that contain reviewers' attestations. */
  readonly attestations: readonly string[];
  /** The parts that contain authors' statements, each by the name of its server in the lock. */
  readonly statements: readonly { readonly server: string; readonly part: string }[];
  readonly trails: readonly EvidenceTrail[];
}

/** A bundle's statement. */
export interface Evidence {
  readonly _type: typeof STATEMENT_TYPE;
  readonly subject: readonly EvidencePart[];
  readonly predicateType: typeof EVIDENCE_TYPE;
  readonly predicate: EvidencePredicate;
}
