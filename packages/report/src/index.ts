export { escapeText } from "@agentprint/canonical-json";
export type { CompareWords, WordRun } from "./compare-words.ts";
export { code as markdownCode, prose as markdownProse } from "./formats/markdown-text.ts";
export type { Paint } from "./formats/paint.ts";
export { FORMATS, type ReportFormat } from "./formats.ts";
export { type FindingGroup, groupFindings } from "./group-findings.ts";
export { cutFindings, type RenderOptions, renderReport } from "./render-report.ts";
