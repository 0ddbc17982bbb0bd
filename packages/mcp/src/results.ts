import { isJsonObject, type JsonObject, type JsonValue } from "@agentprint/canonical-json/json-value";
import { checkArgument } from "./check-argument.ts";
import { META } from "./protocol.ts";

const HANDLING: ReadonlySet<string> = new Set(["resultType", "ttlMs", "cacheScope", "nextCursor"]);

/**
 * Returns whether a member of a result says how a client handles the result (MCP 2026-07-28, "Results" and "Caching").
 *
 * @example
 * ```ts
 * import { isHandlingMember } from "@agentprint/mcp";
 *
 * console.log(isHandlingMember("ttlMs"), isHandlingMember("tools")); // true false
 * ```
 */
export function isHandlingMember(name: string): boolean {
  return HANDLING.has(name);
}

/** Returns the value with which a server identifies itself in a result, or `undefined` if the result has none. */
export function serverInfoOf(result: JsonObject): JsonValue | undefined {
  checkArgument("result", result, "object");
  const meta = result["_meta"];
  return isJsonObject(meta) && Object.hasOwn(meta, META.serverInfo) ? meta[META.serverInfo] : undefined;
}
