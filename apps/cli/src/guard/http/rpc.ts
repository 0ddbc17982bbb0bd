import { isJsonObject, type JsonObject, type JsonValue } from "@agentprint/canonical-json/json-value";
import type { Outgoing } from "@agentprint/guard";

/** The key of `_meta` by which a request of the new era says its version. */
export const VERSION_KEY = "io.modelcontextprotocol/protocolVersion";
/** The key of `_meta` by which a request of the new era says what the client can. */
export const CAPABILITIES_KEY = "io.modelcontextprotocol/clientCapabilities";
/** The key of `_meta` by which a notification says which `subscriptions/listen` it belongs to. */
export const SUBSCRIPTION_KEY = "io.modelcontextprotocol/subscriptionId";

/** The error codes of JSON-RPC and of MCP that a transport answers with. */
export const CODE = {
  parse: -32700,
  invalidRequest: -32600,
  methodNotFound: -32601,
  invalidParams: -32602,
  internal: -32603,
  headerMismatch: -32020,
  missingCapability: -32021,
  unsupportedVersion: -32022,
} as const;

/** The text of a message as UTF-8. */
export function bytesOf(message: Outgoing["message"]): Uint8Array {
  if (message instanceof Uint8Array) return message;
  return Buffer.from(typeof message === "string" ? message : JSON.stringify(message));
}

/** Whether a message answers a request. */
export function isResponse(message: JsonValue | undefined): message is JsonObject {
  return isJsonObject(message) && !Object.hasOwn(message, "method") && Object.hasOwn(message, "id");
}

/** Whether a message asks for an answer. */
export function isRequest(message: JsonValue | undefined): message is JsonObject {
  return isJsonObject(message) && typeof message["method"] === "string" && Object.hasOwn(message, "id");
}

/** A member of the `params` of a message, or of their `_meta`. */
export function param(message: JsonValue | undefined, ...path: readonly string[]): JsonValue | undefined {
  let value: JsonValue | undefined = isJsonObject(message) ? message["params"] : undefined;
  for (const name of path) value = isJsonObject(value) && Object.hasOwn(value, name) ? value[name] : undefined;
  return value;
}

/** The code of the error that a message answers with. */
export function errorCode(message: JsonValue | undefined): number | undefined {
  const error = isJsonObject(message) ? message["error"] : undefined;
  const code = isJsonObject(error) ? error["code"] : undefined;
  return typeof code === "number" ? code : undefined;
}

/** The text of an error. */
export function errorText(id: JsonValue | undefined, code: number, message: string, data?: JsonValue): string {
  const error = { code, message, ...(data !== undefined && { data }) };
  return JSON.stringify({ jsonrpc: "2.0", ...(id !== undefined && { id }), error });
}
