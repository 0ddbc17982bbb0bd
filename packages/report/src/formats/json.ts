import { canonicalize } from "@agentprint/canonical-json";
import { escapeJsonText } from "../escape-text.ts";
import type { Report } from "../report.ts";

/** The machine form, complete, as one line of canonical JSON. */
export function renderJson(report: Report): string {
  return `${escapeJsonText(canonicalize(report.data, { profile: "ecmascript" }))}\n`;
}
