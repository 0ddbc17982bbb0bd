import { isJsonObject, type JsonObject, type JsonValue } from "@agentprint/canonical-json";

const HANDLING = new Set(["resultType", "ttlMs", "cacheScope", "nextCursor"]);

/** The member of a result's `_meta` in which a server identifies itself (MCP 2026-07-28, "_meta"). */
const SERVER_INFO = "io.modelcontextprotocol/serverInfo";

/** Members of a result's `_meta` that belong to one exchange (MCP 2026-07-28, "_meta"; W3C Trace Context, Baggage). */
const EXCHANGE = new Set([
  "progressToken",
  "io.modelcontextprotocol/subscriptionId",
  SERVER_INFO, // the part `serverInfo` pins it
  "traceparent",
  "tracestate",
  "baggage",
]);

/**
 * Whether a member of a result says how a client handles it (MCP 2026-07-28, "Results" and "Caching"): no lock pins such a member.
 *
 * @example
 * ```ts
 * import { isHandlingMember } from "@agentprint/mcp-lock";
 *
 * console.log(isHandlingMember("ttlMs"), isHandlingMember("tools")); // true false
 * ```
 */
export function isHandlingMember(name: string): boolean {
  return HANDLING.has(name);
}

/**
 * The members of a result that a lock pins by value: all members except those in `without`, those that say how to handle
 * the result, and those of its `_meta` that belong to one exchange. Only members of the result itself are left out;
 * everything inside a pinned member is pinned.
 */
export function pinnedMembers(result: JsonObject, without: readonly string[]): JsonObject {
  return Object.fromEntries(
    Object.entries(result).flatMap(([name, value]) => {
      if (HANDLING.has(name) || without.includes(name)) return [];
      const kept = name === "_meta" ? pinnedMeta(value) : value;
      return kept === undefined ? [] : [[name, kept]];
    }),
  );
}

/** Returns the value by which a server identifies itself in a result, or `undefined` where the result has none. */
export function serverInfoOf(result: JsonObject): JsonValue | undefined {
  const meta = result["_meta"];
  return isJsonObject(meta) && Object.hasOwn(meta, SERVER_INFO) ? meta[SERVER_INFO] : undefined;
}

function pinnedMeta(meta: JsonValue): JsonValue | undefined {
  if (!isJsonObject(meta)) return meta;
  const kept = Object.entries(meta).filter(([name]) => !EXCHANGE.has(name));
  return kept.length === 0 && Object.keys(meta).length > 0 ? undefined : Object.fromEntries(kept);
}
