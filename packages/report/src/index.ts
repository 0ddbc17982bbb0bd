export { escapeText } from "./escape-text.ts";
export type { Paint } from "./formats/text.ts";
export { FORMATS, type RenderOptions, type ReportFormat, renderReport } from "./render-report.ts";
export {
  exitCode,
  type Finding,
  type FindingLevel,
  type Location,
  type Outcome,
  type Report,
  type Rule,
} from "./report.ts";
