export { escapeText } from "@agentprint/canonical-json";
export type { CompareWords, WordRun } from "./compare-words.ts";
export { EXIT, type ExitCode } from "./exit.ts";
export type { Paint } from "./formats/paint.ts";
export { FORMATS, type ReportFormat } from "./formats.ts";
export { type FindingGroup, groupFindings } from "./group-findings.ts";
export { cutFindings, type RenderOptions, renderReport } from "./render-report.ts";
export type {
  Finding,
  FindingLevel,
  Location,
  Outcome,
  Place,
  Report,
  Rule,
  ServerResult,
} from "./report.ts";
