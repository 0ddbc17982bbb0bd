import type { JsonObject } from "@agentprint/canonical-json/json-value";
import type { Era, RequestId } from "@agentprint/mcp";

/** The error code of a refusal by the guard, outside of the codes that JSON-RPC and MCP define. */
export const REFUSED = -31_403;
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
