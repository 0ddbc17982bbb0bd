import { isObject } from "@agentprint/canonical-json/json-value";

/** Whether a value is the result of a tool of MCP that says that the call failed. */
export function isErrorResult(value: unknown): boolean {
  return isObject(value) && value["isError"] === true && Array.isArray(value["content"]);
}
