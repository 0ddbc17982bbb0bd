import { isJsonObject, type JsonObject, type JsonValue } from "@agentprint/canonical-json";
import { RPC_ERROR, type RpcError } from "@agentprint/mcp";
import { VisitError } from "../errors.ts";
import { MAX_INPUT_REQUESTS, MAX_OPEN_ANSWERS } from "../limits.ts";

/** A client's answer to a server's request. */
export type ClientAnswer = { readonly result: JsonObject } | { readonly error: RpcError };

/** Answers a server's request, given as a method and its parameters. */
export type AnswerServer = (method: string, params: JsonObject) => ClientAnswer | Promise<ClientAnswer>;

/**
 * Answers like a client whose user wants only the lists: there are no roots, every elicitation is declined and sampling
 * is refused. Methods of capabilities that the client did not declare are answered as not found.
 */
export function answerAsVisitor(capabilities: JsonObject): AnswerServer {
  return (method) => {
    if (method === "ping") return { result: {} };
    if (method === "roots/list" && capabilities["roots"] !== undefined) return { result: { roots: [] } };
    if (method === "elicitation/create" && capabilities["elicitation"] !== undefined) {
      return { result: { action: "decline" } };
    }
    if (method === "sampling/createMessage" && capabilities["sampling"] !== undefined) {
      // The code and the message are from the specification ("Sampling", error handling).
      return { error: { code: -1, message: "User rejected sampling request" } };
    }
    return { error: { code: RPC_ERROR.methodNotFound, message: "Method not found" } };
  };
}

/**
 * Returns the parameters for sending a request again after an `input_required` result (MCP 2026-07-28, "Multi
 * Round-Trip Requests"). If the answer to a request for input is an error, the request gets no response, because only
 * results have a place there.
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

/** Returns the error for a server that sends requests without reading the answers. */
export function tooManyRequests(): VisitError {
  return new VisitError(
    "server-limit",
    `the server sent more than ${MAX_OPEN_ANSWERS} requests without reading an answer`,
    {
      expected: `at most ${MAX_OPEN_ANSWERS} server requests at the same time`,
    },
  );
}

/** Returns the error for a server that answers each request with another request for input. */
export function tooManyInputs(method: string): VisitError {
  return new VisitError("server-error", `the server answered ${method} with a request for input again and again`, {
    expected: `a result after at most ${MAX_INPUT_REQUESTS} requests for input`,
  });
}
