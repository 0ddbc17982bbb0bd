export type { ImportOptions, ImportResult } from "./append/import-trail.ts";
export type { ThoughtInput } from "./append/plan-append.ts";
export type { TrailTransaction } from "./append/trail-transaction.ts";
export { TrailStoreError, type TrailStoreErrorCode } from "./errors.ts";
export { openTrailStore } from "./open-trail-store.ts";
export { readAgain } from "./read/read-again.ts";
export type { VerifyOptions } from "./read/verify-store.ts";
export { loadSignerKey, makeSignerKey, type SignerKey, type SignerKeyPlace } from "./signer-key.ts";
export { TrailStore } from "./store.ts";
export type {
  CheckpointOptions,
  ExportedRow,
  Partition,
  ThoughtPage,
  Time,
  TrailStoreOptions,
} from "./store-options.ts";
export {
  STORE_PROBLEM_KINDS,
  type StoreChainReport,
  type StoreProblem,
  type StoreProblemKind,
  type StoreReport,
} from "./store-problem.ts";
