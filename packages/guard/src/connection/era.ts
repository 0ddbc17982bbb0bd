import { isJsonObject } from "@agentprint/canonical-json/json-value";
import type { Era } from "@agentprint/mcp";
import type { RequestMessage } from "../read/message-shape.ts";

/** The metadata member that only requests of the modern era have. */
export const VERSION = "io.modelcontextprotocol/protocolVersion";

/** Returns the era of a request. */
export function eraOf({ params }: Pick<RequestMessage, "params">): Era {
  const { _meta: meta } = params;
  return isJsonObject(meta) && typeof meta[VERSION] === "string" ? "modern" : "legacy";
}
