import { isJsonObject, type JsonObject, type JsonValue } from "@agentprint/canonical-json/json-value";
import { type MessageParts, readMessage, ShapeFault } from "@agentprint/mcp";
import { ambiguousName } from "./protocol-names.ts";

/** Returns the parts of a message, or a fault where readers could take it for different messages or for none. */
export function readShape(value: JsonValue): MessageParts | ShapeFault {
  const message = readMessage(value);
  return message instanceof ShapeFault ? message : (faultOf(message) ?? message);
}

function faultOf(message: MessageParts): ShapeFault | undefined {
  // Some readers act on a request that has no id, and only do not answer it.
  if (message.kind === "notification" && !message.method.startsWith("notifications/"))
    return new ShapeFault("a request has an id");
  if (message.kind !== "answer") return nameFault(message.params) ?? metaFault(message.params);
  const { result, value } = message;
  if (result === undefined) return nameFault(value["error"] as JsonObject);
  const { result: inner } = result; // of a task
  return resultFault(result) ?? (isJsonObject(inner) ? resultFault(inner) : undefined);
}

function resultFault(result: JsonObject): ShapeFault | undefined {
  return nameFault(result) ?? metaFault(result) ?? contentFault(result["content"]);
}

/** Returns the fault of a protocol object whose names readers could read differently. */
export function nameFault(object: JsonObject): ShapeFault | undefined {
  return ambiguousName(object) === undefined
    ? undefined
    : new ShapeFault("a member is written almost like one that the protocol knows");
}

function metaFault({ _meta: meta }: JsonObject): ShapeFault | undefined {
  if (meta === undefined) return undefined;
  return isJsonObject(meta) ? nameFault(meta) : new ShapeFault("_meta is an object");
}

/** Returns the fault of a content block or of a resource in it. */
function contentFault(content: JsonValue | undefined): ShapeFault | undefined {
  if (!Array.isArray(content)) return undefined;
  for (const block of content) {
    if (!isJsonObject(block)) continue;
    const { resource } = block;
    const fault = nameFault(block) ?? (isJsonObject(resource) ? nameFault(resource) : undefined);
    if (fault) return fault;
  }
  return undefined;
}
