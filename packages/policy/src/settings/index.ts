export { PolicyError, type PolicyErrorCode } from "../errors.ts";
export { hasOnlySettings, parseSettings } from "./parse-settings.ts";
export type { Reviewer, Settings, VisitSettings } from "./settings.ts";
