import { Agent, type AgentOutputItem, type FunctionTool, tool } from "@openai/agents";
import { assistantMessage, functionCall, ScriptedModel } from "@openai/agents/testing";
import { z } from "zod";

export const parameters: z.ZodObject<{ n: z.ZodNumber }> = z.object({ n: z.number() });

export const add: FunctionTool<unknown, typeof parameters> = tool({
  name: "add",
  description: "Adds one",
  parameters,
  execute: ({ n }) => ({ sum: n + 1 }),
});

export const done: AgentOutputItem[] = [assistantMessage("done")];

/** Returns the answer of a model that calls these tools in parallel. */
export function calls(...names: readonly string[]): AgentOutputItem[] {
  return names.map((name, index) => functionCall(name, { n: 1 }, { callId: `c${index}` }));
}

/** Returns a model that calls these tools in parallel, and finishes when it has their results. */
export function callsOf(...names: readonly string[]): ScriptedModel {
  return new ScriptedModel([calls(...names), done]);
}

/** Returns an agent that calls its only tool. */
export function agentOf(own: object): Agent {
  const only = own as FunctionTool;
  return new Agent({ name: "a", model: callsOf(only.name), tools: [only] });
}

/** Stands for a model's unused method, either the streaming or the other one. */
export function never(): never {
  throw new Error("not called");
}
