import { isJsonObject, type JsonObject, type JsonValue } from "@agentprint/canonical-json/json-value";
import type { RequestId } from "./request-id.ts";

/** Returns whether an answer can have this id. */
export function isUsableId(id: JsonValue | undefined): id is RequestId {
  return typeof id === "string" ? id.isWellFormed() : Number.isSafeInteger(id);
}

/** A message with an id to which an answer can refer. */
export type WithId = JsonObject & { readonly id: RequestId };

/** Returns whether a message answers a request. */
export function isResponse(message: JsonValue | undefined): message is WithId {
  return isJsonObject(message) && !Object.hasOwn(message, "method") && isUsableId(message["id"]);
}

/** Returns whether a message requests an answer that can be given. */
export function isRequest(message: JsonValue | undefined): message is WithId & { readonly method: string } {
  return isJsonObject(message) && typeof message["method"] === "string" && isUsableId(message["id"]);
}

/** Returns whether a message gets no response. */
export function isNotification(message: JsonValue | undefined): boolean {
  return isJsonObject(message) && typeof message["method"] === "string" && !Object.hasOwn(message, "id");
}

/** Returns the error code of an error response. */
export function errorCode(message: JsonValue | undefined): number | undefined {
  const error = isJsonObject(message) ? message["error"] : undefined;
  const code = isJsonObject(error) ? error["code"] : undefined;
  return typeof code === "number" ? code : undefined;
}
