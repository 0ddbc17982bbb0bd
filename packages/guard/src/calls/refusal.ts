import type { JsonObject } from "@agentprint/canonical-json/json-value";
import type { Era, RequestId } from "@agentprint/mcp";

/** The error code of a refusal by the guard, outside of the codes that JSON-RPC and MCP define. */
export const REFUSED = -31_403;
/** JSON-RPC: the method does not exist, or is not available. */
export const METHOD_NOT_FOUND = -32_601;
/** JSON-RPC: an internal error, which is no fault of the request. */
export const INTERNAL_ERROR = -32_603;
/** JSON-RPC: invalid parameters. MCP also uses the code for an unknown tool or prompt. */
export const INVALID_PARAMS = -32_602;

/** Returns an answer with a result. */
export function answer(id: RequestId, result: JsonObject): JsonObject {
  return { jsonrpc: "2.0", id, result };
}

/** Returns an answer with an error. */
export function errorAnswer(id: RequestId, code: number, message: string): JsonObject {
  return { jsonrpc: "2.0", id, error: { code, message } };
}

/** Returns the result of a refused call, from which a model reads the reason. */
export function refusedResult(reason: string, era: Era): JsonObject {
  const text = `Refused by the guard: ${reason}.`;
  return {
    ...(era === "modern" && { resultType: "complete" }),
    content: [{ type: "text", text }],
    isError: true,
  };
}
