/**
 * A Vercel AI SDK agent whose tools are evaluated tools; the model follows a script, so nothing leaves this process.
 */
import { computeFullCapabilityLink, createRegisteredAgent, tool, toolkit } from "@agentprint/agent-capabilities";
import { toAiSdkTools } from "@agentprint/agent-capabilities/ai-sdk";
import { ToolLoopAgent } from "ai";
import { MockLanguageModelV4 } from "ai/test";
import { z } from "zod";

const weather = tool({
  name: "weather",
  description: "The weather in a city",
  inputSchema: z.object({ city: z.string().min(1) }),
  handler: (_ctx, { city }) => `sunny in ${city}`,
});
const root = toolkit([weather], { name: "forecast", instructions: ["Name the city in the answer."] });
const registered = createRegisteredAgent({
  agentId: "forecast-1",
  name: "Forecast",
  instructions: ["Be brief."],
  root,
});

const { link, evaluation } = await computeFullCapabilityLink({
  agent: registered,
  ctx: { env: {}, hooks: { onToolExecuted: ({ toolName, ok }) => console.log(`ran ${toolName}:`, ok) } },
  invocationContext: { session: "s-1" },
});

const count = { total: 1, noCache: 1, cacheRead: 0, cacheWrite: 0, text: 1, reasoning: 0 };
const usage = { inputTokens: count, outputTokens: count };
const script = [
  { type: "tool-call" as const, toolCallId: "call-1", toolName: "weather", input: '{"city":"Oslo"}' },
  { type: "text" as const, text: "It is sunny in Oslo." },
];
const model = new MockLanguageModelV4({
  doGenerate: script.map((content) => ({
    content: [content],
    finishReason: { unified: content.type === "text" ? ("stop" as const) : ("tool-calls" as const), raw: undefined },
    usage,
    warnings: [],
  })),
});
const agent = new ToolLoopAgent({
  model,
  instructions: [...registered.instructions, evaluation.instructions].join("\n\n"),
  tools: toAiSdkTools(evaluation),
});

const { text, steps } = await agent.generate({ prompt: "How is the weather in Oslo?" });
console.log("steps:", steps.length);
console.log("answer:", text);
console.log("enabled:", link.toolRefs.map(({ toolKey }) => toolKey).join());

/* Output:
ran weather: true
steps: 2
answer: It is sunny in Oslo.
enabled: weather
*/
