import { isJsonObject } from "@agentprint/canonical-json";
import { checkArgument } from "../check-argument.ts";
import { META } from "../protocol.ts";
import type { RpcMessage } from "../rpc-message.ts";
import { encodeHeaderValue } from "./header-value.ts";

const NAMED: ReadonlyMap<string, "name" | "uri" | "taskId"> = new Map([
  ["tools/call", "name"],
  ["prompts/get", "name"],
  ["resources/read", "uri"],
  ["tasks/get", "taskId"],
  ["tasks/update", "taskId"],
  ["tasks/cancel", "taskId"],
]);

/** Returns the name of the parameter that `Mcp-Name` repeats for a method; `undefined` if there is none. */
export function nameMember(method: string): "name" | "uri" | "taskId" | undefined {
  return NAMED.get(method);
}

/**
 * Returns the headers that repeat the version, method and name of a message from a version without a handshake (MCP
 * 2026-07-28, "Request Metadata"). Messages of the handshake versions have no such headers.
 */
export function mirroredHeaders(message: RpcMessage): Record<string, string> {
  checkArgument("message", message, "object");
  if (!("method" in message)) return {};
  const { method, params = {} } = message;
  const meta = params["_meta"];
  const version = isJsonObject(meta) ? meta[META.protocolVersion] : undefined;
  if (typeof version !== "string") return {};
  const name = params[NAMED.get(method) ?? ""];
  return {
    "mcp-protocol-version": version,
    "mcp-method": method,
    ...(typeof name === "string" && { "mcp-name": encodeHeaderValue(name) }),
  };
}
