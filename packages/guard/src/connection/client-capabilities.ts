import { isJsonObject, type JsonObject } from "@agentprint/canonical-json/json-value";
import type { RequestMessage } from "../read/message-shape.ts";

/** The member of the metadata of a modern request that says what the client can. */
const MODERN = "io.modelcontextprotocol/clientCapabilities";

/** What a client says in a request that it can; `undefined` where it says nothing. */
export function capabilitiesIn({ method, params }: RequestMessage): JsonObject | undefined {
  const { capabilities, _meta: meta } = params;
  const said = method === "initialize" ? capabilities : isJsonObject(meta) ? meta[MODERN] : undefined;
  return isJsonObject(said) ? said : undefined;
}

/** The request without the capabilities that the policy keeps from the server; the very value where it has none of them. */
export function withoutCapabilities(message: RequestMessage, denied: ReadonlySet<string>): JsonObject {
  const said = denied.size > 0 ? capabilitiesIn(message) : undefined;
  if (said === undefined || !Object.keys(said).some((name) => denied.has(name))) return message.value;
  const kept = Object.fromEntries(Object.entries(said).filter(([name]) => !denied.has(name)));
  const { params } = message;
  const changed =
    message.method === "initialize"
      ? { ...params, capabilities: kept }
      : { ...params, _meta: { ...(params["_meta"] as JsonObject), [MODERN]: kept } };
  return { ...message.value, params: changed };
}

/** Whether a client can ask its user by a form. Before there were two modes, `{}` said so. */
export function canAskByForm({ elicitation }: JsonObject): boolean {
  if (!isJsonObject(elicitation)) return false;
  return isJsonObject(elicitation["form"]) || !("url" in elicitation);
}
