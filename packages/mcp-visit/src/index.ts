export { VisitError, type VisitErrorCode, type VisitErrorDetails } from "./errors.ts";
export { DEFAULT_LIMITS, type Limits } from "./limits.ts";
export { takeSnapshot } from "./take-snapshot.ts";
export type { HttpTarget, StdioTarget, VisitTarget } from "./target.ts";
