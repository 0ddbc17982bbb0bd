export type { CoveredRange, RangeHead, TreeHead } from "../checkpoint/tree-head.ts";
export { TrailError, type TrailErrorCode, type TrailErrorPlace } from "../errors.ts";
export { type HashedFields, thoughtCanonicalPayload } from "../record/digest.ts";
export type { ChainReport, DroppedRange } from "./chain-report.ts";
export { ChainVerifier, type VerifyChainOptions } from "./chain-verifier.ts";
export { createThought, type ThoughtFields, type ThoughtSources } from "./create-thought.ts";
export { joinParts, type PartReport, PartVerifier } from "./parts.ts";
export { type ChainProblem, type IndexRange, PROBLEM_KINDS, type ProblemKind } from "./problem-log.ts";
export { formatThoughtLine, parseThoughtLines } from "./thought-lines.ts";
export { type UncoveredMembers, UncoveredMembersLog } from "./uncovered-members.ts";
export { type RecordSource, verifyChain } from "./verify-chain.ts";
export { type TaskLinesReport, verifyTaskLines, verifyThoughtLines } from "./verify-lines.ts";
export {
  type TaskPart,
  type TasksReport,
  TasksVerifier,
  type TasksVerifierOptions,
  type VerifyTasksOptions,
  verifyTasks,
} from "./verify-tasks.ts";
