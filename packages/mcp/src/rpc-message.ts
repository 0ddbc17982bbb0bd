import { isJsonObject, type JsonObject, type JsonValue } from "@agentprint/canonical-json";

export type RpcId = string | number;

export interface RpcRequest {
  readonly method: string;
  readonly params?: JsonObject;
  readonly jsonrpc: "2.0";
  readonly id: RpcId;
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

/** An answer: a result, or an error. An error whose request could not be read has no id. */
export type RpcAnswer =
  | { readonly jsonrpc: "2.0"; readonly id: RpcId; readonly result: JsonObject }
  | { readonly jsonrpc: "2.0"; readonly id?: RpcId | null; readonly error: RpcError };

export type RpcMessage = RpcRequest | RpcNotification | RpcAnswer;

const MEMBERS = {
  call: new Set(["jsonrpc", "id", "method", "params"]),
  result: new Set(["jsonrpc", "id", "result"]),
  error: new Set(["jsonrpc", "id", "error"]),
};

/** Whether a value is a request, a notification or an answer of JSON-RPC 2.0, with no other member. */
export function isRpcMessage(value: unknown): value is RpcMessage {
  if (!isJsonObject(value) || value["jsonrpc"] !== "2.0") return false;
  const { id, method, params, result, error } = value;
  if (method !== undefined) {
    const called = typeof method === "string" && (params === undefined || isJsonObject(params));
    return called && (id === undefined || isId(id)) && hasOnly(value, MEMBERS.call);
  }
  if (result !== undefined) return isJsonObject(result) && isId(id) && hasOnly(value, MEMBERS.result);
  return isError(error) && (id === undefined || id === null || isId(id)) && hasOnly(value, MEMBERS.error);
}

/** Whether a message asks for an answer. */
export function isRequest(message: RpcMessage): message is RpcRequest {
  return "method" in message && "id" in message;
}

function isId(value: unknown): value is RpcId {
  return typeof value === "string" || Number.isInteger(value);
}

function isError(value: unknown): boolean {
  return isJsonObject(value) && Number.isInteger(value["code"]) && typeof value["message"] === "string";
}

function hasOnly(value: object, members: ReadonlySet<string>): boolean {
  return Object.keys(value).every((key) => members.has(key));
}
