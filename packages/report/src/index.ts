export { escapeText } from "@agentprint/canonical-json";
export { EXIT, type ExitCode } from "./exit.ts";
export type { Paint } from "./formats/text.ts";
export { cutFindings, FORMATS, type RenderOptions, type ReportFormat, renderReport } from "./render-report.ts";
export {
  type Finding,
  type FindingLevel,
  type Location,
  type Outcome,
  type Place,
  type Report,
  type Rule,
} from "./report.ts";
