import { isJsonObject, type JsonObject, type JsonValue } from "@agentprint/canonical-json/json-value";
import { readParamHeaders } from "@agentprint/mcp-visit";
import { param, VERSION_KEY } from "./rpc.ts";

/** The headers of a request by their names in lower case. */
export type Headers = Readonly<Record<string, string | string[] | undefined>>;

/** The member of the parameters that `Mcp-Name` repeats, for each method that has one. */
const NAMED: Readonly<Record<string, string>> = {
  "tools/call": "name",
  "prompts/get": "name",
  "resources/read": "uri",
};

/**
 * What of the headers of a request of the new era does not say what its body says; `undefined` where all does.
 *
 * @param tool The definition of the tool that is called, where the lock has one
 */
export function headerMismatch(
  headers: Headers,
  message: JsonObject,
  tool: JsonObject | undefined,
): string | undefined {
  const method = String(message["method"]);
  const name = NAMED[method];
  const version = param(message, "_meta", VERSION_KEY);
  return (
    differs("MCP-Protocol-Version", headers, version, false) ??
    differs("Mcp-Method", headers, method, false) ??
    (name === undefined ? undefined : differs("Mcp-Name", headers, param(message, name), true)) ??
    (tool === undefined ? undefined : paramMismatch(headers, message, tool))
  );
}

/** Which parameters of a tool stand in headers; a definition of the lock never changes. */
const PARAM_HEADERS = new WeakMap<JsonObject, ReturnType<typeof readParamHeaders>>();

function paramMismatch(headers: Headers, message: JsonObject, tool: JsonObject): string | undefined {
  const annotated = PARAM_HEADERS.get(tool) ?? readParamHeaders(tool);
  PARAM_HEADERS.set(tool, annotated);
  if (!("headers" in annotated)) return undefined;
  for (const { name, path } of annotated.headers) {
    const value = param(message, "arguments", ...path);
    const header = `Mcp-Param-${name}`;
    const isThere = typeof value === "string" || typeof value === "boolean" || typeof value === "number";
    if (!isThere && headers[header.toLowerCase()] !== undefined) return `${header} has no value in the body`;
    const found = isThere ? differs(header, headers, value, true) : undefined;
    if (found !== undefined) return found;
  }
  return undefined;
}

function differs(name: string, headers: Headers, value: JsonValue | undefined, isEncoded: boolean): string | undefined {
  const written = headers[name.toLowerCase()];
  if (written === undefined) return `${name} is missing`;
  if (typeof written !== "string") return `${name} is there several times`;
  const text = isEncoded ? decodeHeaderValue(written) : written;
  if (text === undefined) return `${name} has characters that no header can have`;
  const isSame = typeof value === "number" ? text.trim() !== "" && Number(text) === value : text === String(value);
  return isSame ? undefined : `${name} is not what the body says`;
}

const SENTINEL = /^=\?base64\?([A-Za-z0-9+/]*={0,2})\?=$/;

/** What a header carries as visible ASCII, or as Base64 between marks; `undefined` where it is neither. */
function decodeHeaderValue(value: string): string | undefined {
  const [, encoded] = SENTINEL.exec(value) ?? [];
  if (encoded === undefined)
    return /^[\t\x20-\x7e]*$/.test(value) && !/^=\?base64\?.*\?=$/.test(value) ? value : undefined;
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(Buffer.from(encoded, "base64"));
  } catch {
    return undefined;
  }
}

/** The definition of a tool in the lock, by the call of it. */
export function calledTool(
  message: JsonObject,
  tools: readonly { readonly definition: JsonObject }[],
): JsonObject | undefined {
  if (message["method"] !== "tools/call") return undefined;
  const name = param(message, "name");
  return tools.find(({ definition }) => isJsonObject(definition) && definition["name"] === name)?.definition;
}
