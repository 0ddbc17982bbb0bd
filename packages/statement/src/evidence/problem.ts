import type { EvidenceRuleId } from "./rules.ts";

/** A fault of a bundle, or a part that could not be verified. */
export interface EvidenceProblem {
  readonly rule: EvidenceRuleId;
  /** The name of the part, or `bundle` for the complete bundle. */
  readonly part: string;
  readonly message: string;
}

/** Receives each problem of a bundle when it is found. */
export type ReportProblem = (rule: EvidenceRuleId, part: string, message: string) => void;

/** The bytes of parts by their names. */
export type PartBytes = (name: string) => Uint8Array;
