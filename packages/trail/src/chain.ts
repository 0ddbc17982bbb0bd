export {
  type ChainProblem,
  type ChainReport,
  type IndexRange,
  PROBLEM_KINDS,
  type ProblemKind,
} from "./chain-report.ts";
export { ChainVerifier, type VerifyChainOptions } from "./chain-verifier.ts";
export { createThought, type ThoughtFields, type ThoughtSources } from "./create-thought.ts";
export { TrailError, type TrailErrorCode, type TrailErrorPlace } from "./errors.ts";
export { formatThoughtLine, parseThoughtLines } from "./jsonl.ts";
export { type HashedFields, thoughtCanonicalPayload } from "./payload.ts";
export type { TreeHead } from "./tree-head.ts";
export { type RecordSource, verifyChain, verifyThoughtLines } from "./verify-chain.ts";
export {
  joinShares,
  type TasksReport,
  type VerifyTasksOptions,
  verifyTaskLines,
  verifyTasks,
} from "./verify-tasks.ts";
