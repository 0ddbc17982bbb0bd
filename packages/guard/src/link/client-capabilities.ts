import { isJsonObject, type JsonObject } from "@agentprint/canonical-json/json-value";
import { META, type RequestMessage } from "@agentprint/mcp";

/** Returns the client capabilities in a request, or `undefined` if it states none. */
export function capabilitiesIn({ method, params }: RequestMessage): JsonObject | undefined {
  const { capabilities, _meta: meta } = params;
  const said = method === "initialize" ? capabilities : isJsonObject(meta) ? meta[META.clientCapabilities] : undefined;
  return isJsonObject(said) ? said : undefined;
}

/** Returns the request without the denied capabilities, or the same value if it states none of these. */
export function withoutCapabilities(message: RequestMessage, denied: ReadonlySet<string>): JsonObject {
  const said = denied.size > 0 ? capabilitiesIn(message) : undefined;
  if (said === undefined || !Object.keys(said).some((name) => denied.has(name))) return message.value;
  const kept = Object.fromEntries(Object.entries(said).filter(([name]) => !denied.has(name)));
  const { params } = message;
  const changed =
    message.method === "initialize"
      ? { ...params, capabilities: kept }
      : { ...params, _meta: { ...(params["_meta"] as JsonObject), [META.clientCapabilities]: kept } };
  return { ...message.value, params: changed };
}

/** Returns whether a client can show its user a form. Before MCP had two modes of elicitation, `{}` meant that. */
export function canAskByForm({ elicitation }: JsonObject): boolean {
  if (!isJsonObject(elicitation)) return false;
  return isJsonObject(elicitation["form"]) || !("url" in elicitation);
}
