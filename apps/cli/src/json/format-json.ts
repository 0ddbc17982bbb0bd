import { escapeJsonText } from "@agentprint/canonical-json";

/** JSON text for a terminal or a file that people review, ending with a line feed; what nobody sees is escaped. */
export function formatJson(value: unknown, indent?: number): string {
  return `${escapeJsonText(JSON.stringify(value, null, indent))}\n`;
}
