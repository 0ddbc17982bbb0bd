import type { JsonObject } from "@agentprint/canonical-json/json-value";
import type { Era } from "@agentprint/mcp-lock";
import type { RequestId } from "../read/request-id.ts";

/** The code of an error by which the guard refuses: outside of what JSON-RPC and MCP define. */
export const REFUSED = -31_403;
/** JSON-RPC: the method does not exist, or is not available. */
export const METHOD_NOT_FOUND = -32_601;
/** JSON-RPC: something failed that is no fault of the request. */
export const INTERNAL_ERROR = -32_603;
/** JSON-RPC: invalid parameters; MCP says so of an unknown tool or prompt. */
export const INVALID_PARAMS = -32_602;

/** An answer with a result. */
export function answer(id: RequestId, result: JsonObject): JsonObject {
  return { jsonrpc: "2.0", id, result };
}

/** An answer with an error. */
export function errorAnswer(id: RequestId, code: number, message: string): JsonObject {
  return { jsonrpc: "2.0", id, error: { code, message } };
}

/** The result of a call that was refused, so that a model reads why and can go on. */
export function refusedResult(reason: string, era: Era): JsonObject {
  const text = `Refused by the guard: ${reason}.`;
  return {
    ...(era === "modern" && { resultType: "complete" }),
    content: [{ type: "text", text }],
    isError: true,
  };
}
