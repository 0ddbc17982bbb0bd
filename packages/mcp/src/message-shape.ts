import { isJsonObject, type JsonObject, type JsonValue } from "@agentprint/canonical-json/json-value";
import type { RequestId } from "./request-id.ts";

/** The parts of a request. */
export interface RequestMessage {
  readonly kind: "request";
  readonly id: RequestId;
  readonly method: string;
  readonly params: JsonObject;
  readonly value: JsonObject;
}

/** The parts of a notification. */
export interface NotificationMessage {
  readonly kind: "notification";
  readonly method: string;
  readonly params: JsonObject;
  readonly value: JsonObject;
}

/** The parts of an answer, which has either a result or an error. */
export interface AnswerMessage {
  readonly kind: "answer";
  /** Absent if the other side could not read the request's id. */
  readonly id: RequestId | undefined;
  readonly result: JsonObject | undefined;
  readonly value: JsonObject;
}

/** The parts of one JSON-RPC message. */
export type MessageParts = RequestMessage | NotificationMessage | AnswerMessage;

/** The reason why a message is malformed. */
export class ShapeFault {
  readonly reason: string;

  constructor(reason: string) {
    this.reason = reason;
  }
}

const NO_PARAMS: JsonObject = Object.freeze({});
const TOP: ReadonlySet<string> = new Set(["jsonrpc", "id", "method", "params", "result", "error"]);

/** Returns whether an id is a string, or an integer that every reader preserves. */
function isSafeId(id: JsonValue | undefined): id is RequestId {
  return typeof id === "string" || Number.isSafeInteger(id);
}

/**
 * Returns the parts of a JSON-RPC 2.0 message, or its fault; a message with any other member is malformed.
 *
 * @param isId Returns whether a value can be an id: by default a string or a safe integer.
 */
export function readMessage(
  value: JsonValue,
  isId: (id: JsonValue | undefined) => id is RequestId = isSafeId,
): MessageParts | ShapeFault {
  if (!isJsonObject(value)) return new ShapeFault("a message is an object");
  for (const name in value)
    if (!TOP.has(name)) return new ShapeFault("a message has a member that JSON-RPC does not know");
  if (value["jsonrpc"] !== "2.0") return new ShapeFault('a message has the member "jsonrpc" with the value "2.0"');
  return "method" in value ? readCall(value, isId) : readAnswer(value, isId);
}

function readCall(value: JsonObject, isId: (id: JsonValue | undefined) => id is RequestId): MessageParts | ShapeFault {
  const { id, method, params = NO_PARAMS } = value;
  if (typeof method !== "string") return new ShapeFault("a method is a string");
  if ("result" in value || "error" in value) return new ShapeFault("a message is either a request or an answer");
  if (!isJsonObject(params)) return new ShapeFault("params are an object");
  if (!("id" in value)) return { kind: "notification", method, params, value };
  if (!isId(id)) return new ShapeFault("the id of a request is a string or a safe integer");
  return { kind: "request", id, method, params, value };
}

function readAnswer(
  value: JsonObject,
  isId: (id: JsonValue | undefined) => id is RequestId,
): MessageParts | ShapeFault {
  const { id, result, error } = value;
  if ("params" in value) return new ShapeFault("an answer has no params");
  if ("result" in value === "error" in value) return new ShapeFault("an answer has either a result or an error");
  if ("error" in value) {
    if (!isJsonObject(error)) return new ShapeFault("an error is an object");
    if (!Number.isInteger(error["code"]) || typeof error["message"] !== "string") {
      return new ShapeFault("an error has an integer as code and a string as message");
    }
    if (id === undefined || id === null) return { kind: "answer", id: undefined, result: undefined, value };
  }
  if (!isId(id)) return new ShapeFault("the id of an answer is a string or a safe integer");
  if (!("result" in value)) return { kind: "answer", id, result: undefined, value };
  return isJsonObject(result) ? { kind: "answer", id, result, value } : new ShapeFault("a result is an object");
}
