import { canonicalize, escapeJsonText } from "@agentprint/canonical-json";
import type { Report } from "../report.ts";

/** The machine form, complete, as one line of canonical JSON. */
export function renderJson(report: Report): string {
  return `${escapeJsonText(canonicalize(report.data, { profile: "ecmascript" }))}\n`;
}
