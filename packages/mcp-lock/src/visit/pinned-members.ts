import { isJsonObject, type JsonObject, type JsonValue } from "@agentprint/canonical-json";

/** How a result is to be handled, not what it says (MCP 2026-07-28, "Results" and "Caching"). */
const HANDLING = new Set(["resultType", "ttlMs", "cacheScope", "nextCursor"]);

/** The member of a result's `_meta` in which a server identifies itself (MCP 2026-07-28, "_meta"). */
const SERVER_INFO = "io.modelcontextprotocol/serverInfo";

/** Members of a result's `_meta` that belong to one exchange (MCP 2026-07-28, "_meta"; W3C Trace Context, Baggage). */
const EXCHANGE = new Set([
  "progressToken",
  "io.modelcontextprotocol/subscriptionId",
  SERVER_INFO, // it is pinned once, for the whole server
  "traceparent",
  "tracestate",
  "baggage",
]);

/**
 * The members of a result that a lock pins by value: all but `without`, the handling of the result, and what its `_meta`
 * says of this one exchange. Only the top of a result is looked at; everything below is pinned as it is.
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

/** What a result says of the server's identity, if it does. */
export function serverInfoOf(result: JsonObject): JsonValue | undefined {
  const meta = result["_meta"];
  return isJsonObject(meta) && Object.hasOwn(meta, SERVER_INFO) ? meta[SERVER_INFO] : undefined;
}

function pinnedMeta(meta: JsonValue): JsonValue | undefined {
  if (!isJsonObject(meta)) return meta;
  const kept = Object.entries(meta).filter(([name]) => !EXCHANGE.has(name));
  return kept.length === 0 && Object.keys(meta).length > 0 ? undefined : Object.fromEntries(kept);
}
