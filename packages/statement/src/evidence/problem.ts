import type { EvidenceRuleId } from "./rules.ts";

/** A fault in a bundle, or a part that could not be verified. */
export interface EvidenceProblem {
  readonly rule: EvidenceRuleId;
  /** The part's name, or `bundle` for the entire bundle. */
  readonly part: string;
  readonly message: string;
}

/** Receives each problem in a bundle when it is found. */
export type ReportProblem = (rule: EvidenceRuleId, part: string, message: string) => void;

/** The bytes of parts by name. */
export type PartBytes = (name: string) => Uint8Array;
