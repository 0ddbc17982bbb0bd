import { escapeJsonText } from "@agentprint/canonical-json";

/**
 * Returns JSON text for a terminal or a reviewed file, with a final line feed and with invisible characters escaped.
 */
export function formatJson(value: unknown, indent?: number): string {
  return `${escapeJsonText(JSON.stringify(value, null, indent))}\n`;
}
