import type { JsonObject } from "@agentprint/canonical-json/json-value";
import type { Era, RequestId } from "@agentprint/mcp";

/** The error code of a refusal by the guard; neither JSON-RPC nor MCP defines a code in its range. */
export const REFUSED = -31_403;
/** The reason of every refusal while the lock has no entry for the server. */
export const NOT_LOCKED = "the lock has no entry for the server";
/** The reason for refusing a message that cannot be judged; such a message is never forwarded, but is not a fault. */
export const NOT_JUDGED = "it could not be judged";

/** Returns an answer with a result. */
export function answer(id: RequestId, result: JsonObject): JsonObject {
  return { jsonrpc: "2.0", id, result };
}

/** Returns an answer with an error. */
export function errorAnswer(id: RequestId, code: number, message: string): JsonObject {
  return { jsonrpc: "2.0", id, error: { code, message } };
}

/** The properties of a request that determine how its refusal is written. */
export interface Refusable {
  readonly id: RequestId;
  readonly method: string;
  readonly era: Era;
  /** Whether the client expects a task instead of a result. */
  readonly isTask?: boolean;
}

/** Returns the refusal of a request; for a call, it is a result in which a model can read the reason. */
export function refusal({ id, method, era, isTask }: Refusable, reason: string): JsonObject {
  const said = `Refused by the guard: ${reason}`;
  if (method !== "tools/call" || isTask === true) return errorAnswer(id, REFUSED, said);
  return answer(id, {
    ...(era === "modern" && { resultType: "complete" }),
    content: [{ type: "text", text: `${said}.` }],
    isError: true,
  });
}
