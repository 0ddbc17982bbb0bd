export { type SpecHashes, specFindings, specHashFindings } from "./spec-findings.ts";
export { SPEC_RULES } from "./spec-rules.ts";
