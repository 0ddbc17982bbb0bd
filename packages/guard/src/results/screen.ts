import type { JsonValue } from "@agentprint/canonical-json/json-value";
import { findInvisible } from "@agentprint/mcp-lock";

/** Whether any text or name in a value has a terminal escape, or a character that nobody sees. */
export function hasHiddenText(root: JsonValue): boolean {
  const open: JsonValue[] = [root];
  for (let value = open.pop(); value !== undefined; value = open.pop()) {
    if (typeof value === "string" && findInvisible(value).size > 0) return true;
    if (typeof value !== "object" || value === null) continue;
    if (Array.isArray(value)) for (const item of value) open.push(item);
    else for (const [name, member] of Object.entries(value)) open.push(name, member);
  }
  return false;
}
