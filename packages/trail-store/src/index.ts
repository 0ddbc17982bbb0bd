export { TrailStoreError, type TrailStoreErrorCode } from "./errors.ts";
export type { ImportOptions, ImportResult } from "./import-trail.ts";
export { openTrailStore } from "./open-trail-store.ts";
export type { ThoughtInput } from "./plan-append.ts";
export { type CheckpointOptions, type ThoughtPage, TrailStore, type TrailStoreOptions } from "./store.ts";
export {
  STORE_PROBLEM_KINDS,
  type StoreChainReport,
  type StoreProblem,
  type StoreProblemKind,
  type StoreReport,
} from "./store-problem.ts";
export type { VerifyOptions } from "./verify-store.ts";
