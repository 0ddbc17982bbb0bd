export { fromBase64 } from "../base64.ts";
export {
  createEvidence,
  type EvidenceFile,
  type EvidenceInput,
  type EvidenceSource,
  sealEvidence,
} from "./create-evidence.ts";
export {
  EVIDENCE_TYPE,
  type Evidence,
  type EvidenceCheckpoint,
  type EvidencePart,
  type EvidencePeriod,
  type EvidencePredicate,
  type EvidenceTrail,
  MAX_EVIDENCE_BYTES,
} from "./evidence.ts";
export type { EvidenceProblem } from "./problem.ts";
export { EVIDENCE_RULES, type EvidenceRuleId } from "./rules.ts";
export {
  type EvidenceTrust,
  type VerifiedEvidence,
  verifyEvidence,
} from "./verify-evidence.ts";
export type { OpenBundle } from "./verify-reviews.ts";
