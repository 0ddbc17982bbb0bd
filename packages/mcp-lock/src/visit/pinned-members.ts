import { isJsonObject, type JsonObject, type JsonValue } from "@agentprint/canonical-json";
import { EXCHANGE_KEYS, isHandlingMember, META } from "@agentprint/mcp";

/**
 * The members of a result's `_meta` that belong to a single exchange, and the server's description of itself, which the
 * part `serverInfo` pins.
 */
const EXCHANGE: ReadonlySet<string> = new Set([...EXCHANGE_KEYS, META.subscriptionId, META.serverInfo]);

/**
 * Returns the members of a result that a lock pins by value: all members except those in `without`, those that control
 * how the result is handled, and those of its `_meta` that belong to a single exchange. Only members of the result
 * itself are omitted; everything inside a pinned member is pinned.
 */
export function pinnedMembers(result: JsonObject, without: readonly string[]): JsonObject {
  return Object.fromEntries(
    Object.entries(result).flatMap(([name, value]) => {
      if (isHandlingMember(name) || without.includes(name)) return [];
      const kept = name === "_meta" ? pinnedMeta(value) : value;
      return kept === undefined ? [] : [[name, kept]];
    }),
  );
}

function pinnedMeta(meta: JsonValue): JsonValue | undefined {
  if (!isJsonObject(meta)) return meta;
  const kept = Object.entries(meta).filter(([name]) => !EXCHANGE.has(name));
  return kept.length === 0 && Object.keys(meta).length > 0 ? undefined : Object.fromEntries(kept);
}
