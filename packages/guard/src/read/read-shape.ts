import { isJsonObject, type JsonObject, type JsonValue } from "@agentprint/canonical-json/json-value";
import { type MessageParts, readMessage, ShapeFault } from "@agentprint/mcp";

/** Returns the parts of a message, or a fault if readers could take it for different messages or for no message. */
export function readShape(value: JsonValue): MessageParts | ShapeFault {
  const message = readMessage(value);
  return message instanceof ShapeFault ? message : (faultOf(message) ?? message);
}

function faultOf(message: MessageParts): ShapeFault | undefined {
  // Some readers act on a request that has no id, but do not answer it.
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

/** Returns the fault of a protocol object whose keys readers could read differently. */
export function nameFault(object: JsonObject): ShapeFault | undefined {
  return ambiguousName(object) === undefined
    ? undefined
    : new ShapeFault("a member is spelled almost like one that the protocol knows");
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

/** The members that the protocol reads by name, in any message of any protocol version. */
const NAMES = [
  ..."jsonrpc id method params result error code message data _meta progressToken".split(" "),
  ..."name title description arguments cursor nextCursor uri uriTemplate requestId reason progress total level logger".split(
    " ",
  ),
  ..."tools prompts resources resourceTemplates inputSchema outputSchema annotations icons execution taskSupport".split(
    " ",
  ),
  ..."readOnlyHint destructiveHint idempotentHint openWorldHint src mimeType sizes theme size required".split(" "),
  ..."content structuredContent isError contents messages role text blob type resource audience priority lastModified".split(
    " ",
  ),
  ..."resultType inputRequests inputResponses requestState ttlMs cacheScope supportedVersions protocolVersion".split(
    " ",
  ),
  ..."capabilities instructions serverInfo clientInfo version websiteUrl experimental extensions logging completions".split(
    " ",
  ),
  ..."listChanged subscribe roots sampling elicitation tasks task taskId status statusMessage pollInterval ttl".split(
    " ",
  ),
  ..."createdAt lastUpdatedAt notifications toolsListChanged promptsListChanged resourcesListChanged".split(" "),
  ..."resourceSubscriptions ref argument context completion values hasMore mode requestedSchema url elicitationId".split(
    " ",
  ),
  ..."action modelPreferences systemPrompt includeContext temperature maxTokens stopSequences metadata model".split(
    " ",
  ),
  ..."stopReason toolChoice toolUseId input".split(" "),
];

const KNOWN: ReadonlySet<string> = new Set(NAMES);
const FOLDED: ReadonlySet<string> = new Set(NAMES.map(fold));

/**
 * Returns a key as the most lenient readers compare it: Go's JSON decoder ignores case, with `ſ` as s and the Kelvin
 * sign as k; the Python SDK's models also read the spelling with underscores.
 */
function fold(name: string): string {
  return name.toLowerCase().replaceAll("ſ", "s").replaceAll("_", "");
}

/**
 * Returns the first member of a protocol object that only some readers mistake for a known member, or `undefined`.
 */
function ambiguousName(object: JsonObject): string | undefined {
  for (const name in object) if (!KNOWN.has(name) && FOLDED.has(fold(name))) return name;
  return undefined;
}
