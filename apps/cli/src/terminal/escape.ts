import { escapeText } from "@agentprint/canonical-json/text";

/** Text of unknown origin, safe to print: line breaks stay, everything else that is not plainly visible is escaped. */
export function escapeLines(text: string): string {
  return text
    .split(/\r?\n/)
    .map((line) => escapeText(line.replaceAll("\t", "  ")))
    .join("\n");
}
