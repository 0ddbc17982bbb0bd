export { TrailStoreError, type TrailStoreErrorCode } from "./errors.ts";
export type { ImportResult } from "./import-trail.ts";
export { openTrailStore } from "./open-trail-store.ts";
export type { ThoughtInput } from "./plan-append.ts";
export {
  type CheckpointOptions,
  type ThoughtPage,
  TrailStore,
  type TrailStoreOptions,
  type VerifyOptions,
} from "./store.ts";
