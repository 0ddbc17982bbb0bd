import { isJsonObject, type JsonValue } from "@agentprint/canonical-json/json-value";
import type { Outgoing } from "@agentprint/guard";
import { isRequest, type WithId } from "@agentprint/mcp";

/** Returns a message as UTF-8. */
export function bytesOf(message: Outgoing["message"]): Uint8Array {
  if (message instanceof Uint8Array) return message;
  return Buffer.from(typeof message === "string" ? message : JSON.stringify(message));
}

/** Returns the requests of a message or of a batch that can be answered, each id once. */
export function requestsIn(value: JsonValue | undefined): readonly WithId[] {
  const requests = (Array.isArray(value) ? value : [value]).filter(isRequest);
  return [...new Map(requests.map((request) => [keyOfRequest(request), request])).values()];
}

/** Returns the JSON text of a message's id, which serves as a key. */
export function keyOfRequest({ id }: { readonly id: string | number }): string {
  return JSON.stringify(id);
}

/** Returns the messages of a batch separately, because over HTTP they may answer different requests. */
export function singly(outgoing: Outgoing): readonly Outgoing[] {
  const { value, origin } = outgoing;
  if (!Array.isArray(value)) return [outgoing];
  return value.flatMap((each) => (isJsonObject(each) ? [{ message: JSON.stringify(each), value: each, origin }] : []));
}

/**
 * Returns whether a request is the guard's cancellation of a client's task, which is not bound to a client that could
 * disconnect.
 */
export function isCancelOfGuard({ origin, value }: Outgoing): boolean {
  return origin === "guard" && isJsonObject(value) && value["method"] === "tasks/cancel";
}

/** Returns a member of a message's `params`, or of their `_meta`. */
export function param(message: JsonValue | undefined, ...path: readonly string[]): JsonValue | undefined {
  let value: JsonValue | undefined = isJsonObject(message) ? message["params"] : undefined;
  for (const name of path) value = isJsonObject(value) && Object.hasOwn(value, name) ? value[name] : undefined;
  return value;
}

/** Returns the text of an error response. */
export function errorText(id: JsonValue | undefined, code: number, message: string, data?: JsonValue): string {
  const error = { code, message, ...(data !== undefined && { data }) };
  return JSON.stringify({ jsonrpc: "2.0", ...(id !== undefined && { id }), error });
}
