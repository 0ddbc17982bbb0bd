import { isJsonObject, type JsonObject } from "@agentprint/canonical-json/json-value";
import { EXCHANGE_KEYS, META, type RequestMessage } from "@agentprint/mcp";

/** Members of the metadata of a request that belong to that request alone. */
const OWN: ReadonlySet<string> = new Set([...EXCHANGE_KEYS, META.relatedTask]);

const NONE: JsonObject = Object.freeze({});

/** Returns the metadata by which a server can tell its client from others; an empty object where there is none. */
export function clientMeta({ params: { _meta: meta } }: Pick<RequestMessage, "params">): JsonObject {
  if (!isJsonObject(meta)) return NONE;
  const kept = Object.entries(meta).filter(([name]) => !OWN.has(name));
  return kept.length === 0 ? NONE : Object.fromEntries(kept);
}
