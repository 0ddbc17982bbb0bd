import type { JsonObject, JsonValue } from "@agentprint/canonical-json/json-value";
import { checkArgument } from "./check-argument.ts";
import { readMessage, ShapeFault } from "./message-shape.ts";
import type { RequestId } from "./request-id.ts";

export interface RpcRequest {
  readonly method: string;
  readonly params?: JsonObject;
  readonly jsonrpc: "2.0";
  readonly id: RequestId;
}

interface RpcNotification {
  readonly method: string;
  readonly params?: JsonObject;
  readonly jsonrpc: "2.0";
}

export interface RpcError {
  readonly code: number;
  readonly message: string;
  readonly data?: JsonValue;
}

/** An answer: a result, or an error. An error has no id if its request could not be read. */
export type RpcAnswer =
  | { readonly jsonrpc: "2.0"; readonly id: RequestId; readonly result: JsonObject }
  | { readonly jsonrpc: "2.0"; readonly id?: RequestId | null; readonly error: RpcError };

export type RpcMessage = RpcRequest | RpcNotification | RpcAnswer;

/** Returns whether a value is a JSON-RPC 2.0 request, notification or answer without any other member. */
export function isRpcMessage(value: unknown): value is RpcMessage {
  return !(readMessage(value as JsonValue, isIntegerOrText) instanceof ShapeFault);
}

/** Returns whether a message requests an answer. */
export function isRpcRequest(message: RpcMessage): message is RpcRequest {
  checkArgument("message", message, "object");
  return "method" in message && "id" in message;
}

function isIntegerOrText(id: JsonValue | undefined): id is RequestId {
  return typeof id === "string" || Number.isInteger(id);
}
