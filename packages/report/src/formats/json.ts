import { canonicalize, escapeJsonText } from "@agentprint/canonical-json";
import type { Report } from "../report.ts";

/** The data of the report with all findings, as one line of canonical JSON. */
export function renderJson({ data, findings }: Report): string {
  return `${escapeJsonText(canonicalize({ ...data, findings }, { profile: "ecmascript" }))}\n`;
}
