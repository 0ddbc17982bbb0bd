export { PolicyError, type PolicyErrorCode } from "../errors.ts";
export { hasOnlySettings, parseSettings } from "./parse-settings.ts";
export type { Reviewer, Settings, VisitSettings } from "./settings.ts";
export { DEFAULT_CONCURRENCY } from "./settings-schema.ts";
