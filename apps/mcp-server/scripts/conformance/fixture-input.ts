import { randomBytes } from "node:crypto";
import {
  acceptedContent,
  createRequestStateCodec,
  type InputRequests,
  inputRequired,
  type McpServer,
  type ServerContext,
} from "@modelcontextprotocol/server";
import * as z from "zod";

/** Seals the state that a client sends back, and checks it before a handler runs. */
export const requestState = createRequestStateCodec({ key: randomBytes(32) });
const text = (value: string) => ({ content: [{ type: "text" as const, text: value }] });

const ask = (message: string, name: string, schema: z.ZodType = z.string()) =>
  inputRequired.elicit({ message, requestedSchema: z.object({ [name]: schema }) });
const sample = (question: string) =>
  inputRequired.createMessage({
    messages: [{ role: "user", content: { type: "text", text: question } }],
    maxTokens: 100,
  });

/** The tools that need input from the client, which they request as the era without a handshake specifies. */
export function addInput(server: McpServer): void {
  const tool = (name: string, run: (context: ServerContext) => unknown): void => {
    server.registerTool(name, { description: `Needs input: ${name}` }, (async (context: ServerContext) =>
      run(context)) as never);
  };
  const asking = (name: string, inputRequests: InputRequests): void =>
    tool(name, ({ mcpReq: { inputResponses = {} } }) => {
      const isAnswered = Object.keys(inputRequests).every((key) => Object.hasOwn(inputResponses, key));
      return isAnswered ? text(`Received ${JSON.stringify(inputResponses)}`) : inputRequired({ inputRequests });
    });
  asking("test_input_required_result_elicitation", { user_name: ask("What is your name?", "name") });
  asking("test_input_required_result_sampling", { capital_question: sample("What is the capital of France?") });
  asking("test_input_required_result_list_roots", { client_roots: inputRequired.listRoots() });
  asking("test_missing_capability", { question: sample("Needs what was not declared") });
  asking("test_streaming_elicitation", { answer: ask("Please answer", "answer") });

  const withState = async (
    { mcpReq }: ServerContext,
    step: number,
    inputRequests: InputRequests,
  ): Promise<ReturnType<typeof inputRequired>> =>
    inputRequired({ inputRequests, requestState: await requestState.mint({ step, request: String(mcpReq.id) }) });
  const stepOf = ({ mcpReq }: ServerContext): number => mcpReq.requestState<{ step: number }>()?.step ?? 0;
  for (const name of ["test_input_required_result_request_state", "test_input_required_result_tampered_state"]) {
    tool(name, async (context) => {
      if (stepOf(context) === 0) {
        return withState(context, 1, { confirm: ask("Please confirm", "ok", z.boolean()) });
      }
      return text("state-ok");
    });
  }
  tool("test_input_required_result_multi_round", async (context) => {
    const step = stepOf(context);
    if (step === 0) return withState(context, 1, { step1: ask("Step 1: What is your name?", "name") });
    if (step === 1) return withState(context, 2, { step2: ask("Step 2: What is your favorite color?", "color") });
    return text("done");
  });
  tool("test_input_required_result_multiple_inputs", async (context) => {
    if (stepOf(context) === 1) return text("Received all");
    return withState(context, 1, {
      user_name: ask("What is your name?", "name"),
      greeting: sample("Write a greeting"),
      client_roots: inputRequired.listRoots(),
    });
  });
  tool("test_input_required_result_capabilities", ({ mcpReq: { envelope } }) => {
    const key = "io.modelcontextprotocol/clientCapabilities";
    const { elicitation, sampling } = ((envelope as Record<string, object>)[key] ?? {}) as Record<string, object>;
    return inputRequired({
      inputRequests: {
        ...(elicitation && { name: ask("What is your name?", "name") }),
        ...(sampling && { capital: sample("What is the capital of France?") }),
      },
    });
  });
  server.registerPrompt(
    "test_input_required_result_prompt",
    { description: "Needs input" },
    ({ mcpReq: { inputResponses } }) => {
      const answer = acceptedContent(inputResponses, "user_context");
      if (answer === undefined) {
        return inputRequired({
          inputRequests: { user_context: ask("What context should the prompt use?", "context") },
        });
      }
      const content = { type: "text" as const, text: `Context: ${JSON.stringify(answer)}` };
      return { messages: [{ role: "user", content }] };
    },
  );
}
