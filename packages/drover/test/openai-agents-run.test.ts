import { ResumeError } from "@agentprint/drover";
import {
  type AgentOutputItem,
  type Model,
  type ModelResponse,
  RunState,
  setTracingDisabled,
  Usage,
} from "@openai/agents";
import { expect, test } from "vitest";
import { z } from "zod";
import { approve, createAgent, pauseForApproval } from "../examples/openai-agents-approval.ts";

setTracingDisabled(true);

const CALL: AgentOutputItem = {
  type: "function_call",
  callId: "call_1",
  name: "delete_file",
  arguments: '{"path":"a.txt"}',
  status: "completed",
};
const ANSWER: AgentOutputItem = {
  type: "message",
  role: "assistant",
  status: "completed",
  content: [{ type: "output_text", text: "Done." }],
};

/** A model that deletes a file, and is done once it has the tool's answer. */
class ScriptedModel implements Model {
  async getResponse({ input }: Parameters<Model["getResponse"]>[0]): Promise<ModelResponse> {
    const answered = typeof input !== "string" && input.some((item) => item.type === "function_call_result");
    return { usage: new Usage(), output: [answered ? ANSWER : CALL] };
  }
  getStreamedResponse(): never {
    throw new Error("not streamed");
  }
}

const model = new ScriptedModel();

test("a run that waits for an approval resumes with the agent that paused it", async () => {
  const text = await pauseForApproval(createAgent(model), "run_1", "Tidy up.");
  const deleted: string[] = [];
  const { output, warnings } = await approve(createAgent(model, z.string(), deleted), "run_1", text);
  expect(output).toBe("Done.");
  expect(warnings.map(({ path }) => path)).toEqual(["", "/model", "/tools/0/invoke", "/tools/0"]);
  expect(deleted).toEqual(["a.txt"]);
});

test("one tool's changed schema, which the SDK itself lets pass, is refused with its JSON Pointer", async () => {
  const text = await pauseForApproval(createAgent(model), "run_1", "Tidy up.");
  const deleted: string[] = [];
  const edited = createAgent(model, z.string().max(100), deleted);
  const { state } = JSON.parse(text) as { state: string };
  expect(await RunState.fromString(edited, state)).toBeInstanceOf(RunState);

  const refusal = await approve(edited, "run_1", text).catch((error: unknown) => error);
  expect(refusal).toBeInstanceOf(ResumeError);
  expect(refusal).toMatchObject({
    code: "spec-drift",
    fields: ["tools"],
    pointers: ["/tools/0/parameters/properties/path/maxLength"],
    message: expect.stringMatching(/Changed values: \/tools\/0\/parameters\/properties\/path\/maxLength\.$/),
  });
  expect(deleted).toEqual([]);
});

test("the SDK itself does not read the text of a paused run, so that no run resumes unchecked by accident", async () => {
  const agent = createAgent(model);
  const text = await pauseForApproval(agent, "run_1", "Tidy up.");
  await expect(RunState.fromString(agent, text)).rejects.toThrow();
});
