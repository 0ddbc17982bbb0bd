import { isJsonObject, type JsonObject, type JsonValue } from "@agentprint/canonical-json/json-value";
import type { RequestId } from "@agentprint/mcp";
import { ambiguousName } from "./protocol-names.ts";

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
  /** Absent where the other side could not read the id of the request. */
  readonly id: RequestId | undefined;
  readonly result: JsonObject | undefined;
  readonly value: JsonObject;
}

/** One message of JSON-RPC. */
export type RpcMessage = RequestMessage | NotificationMessage | AnswerMessage;

/** The reason why a message is malformed. */
export class ShapeFault {
  readonly reason: string;

  constructor(reason: string) {
    this.reason = reason;
  }
}

const NO_PARAMS: JsonObject = Object.freeze({});
const TOP: ReadonlySet<string> = new Set(["jsonrpc", "id", "method", "params", "result", "error"]);

/** Returns the parts of a message, or a fault where readers could take it for different messages or for none. */
export function readShape(value: JsonValue): RpcMessage | ShapeFault {
  if (!isJsonObject(value)) return new ShapeFault("a message is an object");
  for (const name in value)
    if (!TOP.has(name)) return new ShapeFault("a message has a member that JSON-RPC does not know");
  if (value["jsonrpc"] !== "2.0") return new ShapeFault('a message has the member "jsonrpc" with the value "2.0"');
  return "method" in value ? readCall(value) : readAnswer(value);
}

function readCall(value: JsonObject): RpcMessage | ShapeFault {
  const { id, method, params = NO_PARAMS } = value;
  if (typeof method !== "string") return new ShapeFault("a method is a string");
  if ("result" in value || "error" in value) return new ShapeFault("a message is either a request or an answer");
  if (!isJsonObject(params)) return new ShapeFault("params are an object");
  const fault = nameFault(params) ?? metaFault(params);
  if (fault) return fault;
  if (!("id" in value)) return { kind: "notification", method, params, value };
  if (!isId(id)) return new ShapeFault("the id of a request is a string or a safe integer");
  return { kind: "request", id, method, params, value };
}

function readAnswer(value: JsonObject): RpcMessage | ShapeFault {
  const { id, result, error } = value;
  if ("params" in value) return new ShapeFault("an answer has no params");
  if ("result" in value === "error" in value) return new ShapeFault("an answer has either a result or an error");
  if ("error" in value) {
    if (!isJsonObject(error)) return new ShapeFault("an error is an object");
    if (!Number.isInteger(error["code"]) || typeof error["message"] !== "string") {
      return new ShapeFault("an error has an integer as code and a string as message");
    }
    const fault = nameFault(error);
    if (fault) return fault;
    if (id === undefined || id === null) return { kind: "answer", id: undefined, result: undefined, value };
  }
  if (!isId(id)) return new ShapeFault("the id of an answer is a string or a safe integer");
  if (!("result" in value)) return { kind: "answer", id, result: undefined, value };
  if (!isJsonObject(result)) return new ShapeFault("a result is an object");
  const { result: inner } = result; // of a task
  const fault = resultFault(result) ?? (isJsonObject(inner) ? resultFault(inner) : undefined);
  return fault ?? { kind: "answer", id, result, value };
}

function resultFault(result: JsonObject): ShapeFault | undefined {
  return nameFault(result) ?? metaFault(result) ?? contentFault(result["content"]);
}

function isId(id: JsonValue | undefined): id is RequestId {
  return typeof id === "string" || Number.isSafeInteger(id);
}

/** Returns the fault of a protocol object whose names readers could read differently. */
export function nameFault(object: JsonObject): ShapeFault | undefined {
  return ambiguousName(object) === undefined
    ? undefined
    : new ShapeFault("a member is written almost like one that the protocol knows");
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
