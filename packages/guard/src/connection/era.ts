import { isJsonObject } from "@agentprint/canonical-json/json-value";
import type { Era } from "@agentprint/mcp-lock";
import type { RequestMessage } from "../read/message-shape.ts";

/** The member of the metadata of a request that only the modern era has. */
export const VERSION = "io.modelcontextprotocol/protocolVersion";

/** The era in which a request speaks. */
export function eraOf({ params }: Pick<RequestMessage, "params">): Era {
  const { _meta: meta } = params;
  return isJsonObject(meta) && typeof meta[VERSION] === "string" ? "modern" : "legacy";
}
