import { isJsonObject, type JsonObject, type JsonValue } from "@agentprint/canonical-json";
import { RPC_ERROR } from "./protocol.ts";
import type { RpcError } from "./rpc-message.ts";

/** What a client says when a server asks it something. */
export type ClientAnswer = { readonly result: JsonObject } | { readonly error: RpcError };

/** Answers what a server asks: a method and its parameters. */
export type AnswerServer = (method: string, params: JsonObject) => ClientAnswer | Promise<ClientAnswer>;

/**
 * Answers as a client whose user wants nothing but the lists: no roots, every question declined, no sampling. What the
 * client did not declare does not exist.
 */
export function answerAsVisitor(capabilities: JsonObject): AnswerServer {
  return (method) => {
    if (method === "ping") return { result: {} };
    if (method === "roots/list" && capabilities["roots"] !== undefined) return { result: { roots: [] } };
    if (method === "elicitation/create" && capabilities["elicitation"] !== undefined) {
      return { result: { action: "decline" } };
    }
    if (method === "sampling/createMessage" && capabilities["sampling"] !== undefined) {
      // The code and the words of the specification ("Sampling", error handling).
      return { error: { code: -1, message: "User rejected sampling request" } };
    }
    return { error: { code: RPC_ERROR.methodNotFound, message: "Method not found" } };
  };
}

/**
 * The parameters with which a request is asked again after an `input_required` result (MCP 2026-07-28, "Multi
 * Round-Trip Requests"). A question that is answered with an error gets no response: only results can be carried.
 */
export async function retryParams(params: JsonObject, asked: JsonObject, answer: AnswerServer): Promise<JsonObject> {
  const { inputRequests, requestState } = asked;
  const responses: [string, JsonValue][] = [];
  for (const [key, request] of Object.entries(isJsonObject(inputRequests) ? inputRequests : {})) {
    if (!isJsonObject(request) || typeof request["method"] !== "string") continue;
    const given = await answer(request["method"], isJsonObject(request["params"]) ? request["params"] : {});
    if ("result" in given) responses.push([key, given.result]);
  }
  const { inputResponses: _responses, requestState: _state, ...first } = params;
  return {
    ...first,
    ...(inputRequests !== undefined && { inputResponses: Object.fromEntries(responses) }),
    ...(requestState !== undefined && { requestState }),
  };
}
