import type { JsonObject } from "@agentprint/canonical-json";
import { text } from "@agentprint/testing/mcp-servers/conformance-contents";
import { acceptedContent, type InputRequests, inputRequired } from "@modelcontextprotocol/server";
import { messages } from "./contents.ts";

/** The state of the previous rounds for a tool or prompt whose result asks the client back. */
export interface Round {
  readonly responses: Record<string, unknown> | undefined;
  /** The verified state that the client carried over. */
  readonly state: JsonObject | undefined;
  /** Seals the state that the client carries to the next round. */
  readonly seal: (state: JsonObject) => Promise<string>;
  readonly capabilities: JsonObject;
}

type Rounds = (round: Round) => Promise<object>;

const said = (...parts: unknown[]) => ({ content: [text(parts.map((part) => JSON.stringify(part)).join(" "))] });
const form = (message: string, field: string, type = "string") =>
  inputRequired.elicit({
    message,
    requestedSchema: { type: "object", properties: { [field]: { type } }, required: [field] } as never,
  });
const sampling = (question: string) =>
  inputRequired.createMessage({ messages: [{ role: "user", content: text(question) }], maxTokens: 100 });

const askName = () => form("What is your name?", "name");
const askGreeting = () => sampling("Generate a greeting");
const accepted = ({ responses }: Round, key: string) => acceptedContent<JsonObject>(responses, key);

/** Repeats these requests until all of them are answered. */
function once(requests: () => InputRequests, done: (round: Round) => object, hasState = false): Rounds {
  return async (round) => {
    const asked = requests();
    const { responses, state, seal } = round;
    const isAnswered = Object.entries(asked).every(([key, { method }]) =>
      method === "elicitation/create" ? accepted(round, key) !== undefined : responses?.[key] !== undefined,
    );
    if (isAnswered && (!hasState || state !== undefined)) return done(round);
    return inputRequired({ inputRequests: asked, ...(hasState && { requestState: await seal({ asked: true }) }) });
  };
}

const confirmed = once(
  () => ({ confirm: form("Please confirm", "ok", "boolean") }),
  () => said("state-ok"),
  true,
);

/** The tools of 2026-07-28 that ask the client back, with the suite's names. */
export const ROUND_TOOLS: Readonly<Record<string, Rounds>> = {
  test_input_required_result_elicitation: once(
    () => ({ user_name: askName() }),
    (round) => said("Hello", accepted(round, "user_name")),
  ),
  test_input_required_result_sampling: once(
    () => ({ capital_question: sampling("What is the capital of France?") }),
    ({ responses }) => said(responses?.["capital_question"]),
  ),
  test_input_required_result_list_roots: once(
    () => ({ client_roots: inputRequired.listRoots() }),
    ({ responses }) => said(responses?.["client_roots"]),
  ),
  test_input_required_result_request_state: confirmed,
  test_input_required_result_tampered_state: confirmed,
  test_input_required_result_multiple_inputs: once(
    () => ({ user_name: askName(), greeting: askGreeting(), client_roots: inputRequired.listRoots() }),
    ({ responses }) => said(responses),
    true,
  ),
  async test_input_required_result_multi_round(round) {
    const { state, seal } = round;
    const [name, color] = [accepted(round, "step1"), accepted(round, "step2")];
    if (state === undefined || (state["round"] === 1 && name === undefined)) {
      const step1 = form("Step 1: What is your name?", "name");
      return inputRequired({ inputRequests: { step1 }, requestState: await seal({ round: 1 }) });
    }
    if (color !== undefined) return said(state["name"] ?? null, color);
    const step2 = form("Step 2: What is your favorite color?", "color");
    const sealed = await seal({ round: 2, name: name ?? state["name"] ?? null });
    return inputRequired({ inputRequests: { step2 }, requestState: sealed });
  },
  async test_input_required_result_capabilities({ responses, capabilities }) {
    const inputRequests = {
      ...(capabilities["elicitation"] !== undefined && { user_name: askName() }),
      ...(capabilities["sampling"] !== undefined && { greeting: askGreeting() }),
      ...(capabilities["roots"] !== undefined && { client_roots: inputRequired.listRoots() }),
    };
    if (responses !== undefined || Object.keys(inputRequests).length === 0) return said("done");
    return inputRequired({ inputRequests });
  },
  test_missing_capability: once(
    () => ({ answer: askGreeting() }),
    () => said("done"),
  ),
  test_streaming_elicitation: async () => said("done"),
};

/** The prompts of 2026-07-28 that ask the client back. */
export const ROUND_PROMPTS: Readonly<Record<string, Rounds>> = {
  test_input_required_result_prompt: once(
    () => ({ user_context: form("What context should the prompt use?", "context") }),
    (round) => ({ messages: messages([text(JSON.stringify(accepted(round, "user_context")))]) }),
  ),
};
