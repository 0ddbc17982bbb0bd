import type { JsonObject } from "@agentprint/canonical-json/json-value";

/** The members that the protocol reads by name, in any message of any version. */
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
 * Returns a name as the most lenient readers compare it: Go's JSON decoder ignores case, with `ſ` as s and the Kelvin
 * sign as k; the models of the Python SDK also read the spelling with underscores.
 */
function fold(name: string): string {
  return name.toLowerCase().replaceAll("ſ", "s").replaceAll("_", "");
}

/**
 * Returns the first member of a protocol object that only some readers take for a member that they know, or
 * `undefined`.
 */
export function ambiguousName(object: JsonObject): string | undefined {
  for (const name in object) if (!KNOWN.has(name) && FOLDED.has(fold(name))) return name;
  return undefined;
}
