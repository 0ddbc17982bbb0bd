import type { EvidenceRuleId } from "./rules.ts";

/** Something that is wrong with a bundle, or that could not be verified. */
export interface EvidenceProblem {
  readonly rule: EvidenceRuleId;
  /** The name of the part, or `bundle` for the complete bundle. */
  readonly part: string;
  readonly message: string;
}

/** Takes the problems of a bundle as they are found. */
export type ReportProblem = (rule: EvidenceRuleId, part: string, message: string) => void;

/** The bytes of parts by their names. */
export type PartBytes = (name: string) => Uint8Array;
