export { escapeText } from "@agentprint/canonical-json";
export type { Paint } from "./formats/text.ts";
export { cutFindings, FORMATS, type RenderOptions, type ReportFormat, renderReport } from "./render-report.ts";
export {
  EXIT,
  type ExitCode,
  type Finding,
  type FindingLevel,
  type Location,
  type Outcome,
  type Place,
  type Report,
  type Rule,
} from "./report.ts";
