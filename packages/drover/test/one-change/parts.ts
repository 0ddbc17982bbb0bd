import { tableBelow } from "./observe.ts";

/** The README's heading above the table of parts. */
export const PARTS_HEADING = "Seven parts";

/**
 * The parts of an agent, each with the rows about it in each framework's table; there is no row where the framework
 * lacks the part.
 */
const PARTS: readonly (readonly [part: string, rows: Readonly<Record<string, readonly string[]>>])[] = [
  [
    "schemas of tools",
    {
      "OpenAI Agents": ["parameters of a tool", "refinement of the parameters of a tool"],
      "AI SDK": ["inputSchema of a tool", "refinement of an inputSchema", "outputSchema of a tool"],
      LangGraph: ["schema of a tool", "refinement of the schema of a tool"],
      Mastra: ["inputSchema of a tool", "refinement of the inputSchema of a tool", "outputSchema of a tool"],
    },
  ],
  [
    "instructions",
    {
      "OpenAI Agents": ["instructions, a text", "what a function of instructions closes over"],
      "AI SDK": ["instructions"],
      LangGraph: ["the system prompt", "systemPrompt of createAgent, where the spec has another"],
      Mastra: ["instructions, a text", "what a function of instructions returns"],
    },
  ],
  [
    "settings of the model",
    {
      "OpenAI Agents": ["modelSettings", "a function in modelSettings", "base URL of a model object"],
      "AI SDK": ["temperature and other call settings", "settings of a model object"],
      LangGraph: ["a value in configurable", "a model object in configurable", "model of createAgent"],
      Mastra: ["modelSettings of the default options", "what a model object does"],
    },
  ],
  [
    "handoffs, agents that are called",
    {
      "OpenAI Agents": ["one more handoff", "instructions of a handoff agent", "a tool of a handoff agent"],
      "AI SDK": ["instructions of an agent that a tool calls"],
      LangGraph: ["ends of a node, to which its commands lead", "a node of a graph that is a node"],
      Mastra: ["one more agent to call", "instructions of an agent to call", "execute of a tool of an agent to call"],
    },
  ],
  [
    "middleware, guardrails, processors",
    {
      "OpenAI Agents": ["one more guardrail", "what a guardrail does"],
      "AI SDK": ["middleware of wrapLanguageModel"],
      LangGraph: ["a middleware of createAgent that is a node", "a middleware of createAgent that wraps calls"],
      Mastra: ["one more processor", "options of a processor"],
    },
  ],
  [
    "output types",
    {
      "OpenAI Agents": ["outputType", "refinement of an outputType"],
      "AI SDK": ["schema of an output", "refinement of the schema of an output"],
      LangGraph: ["responseFormat of createAgent"],
      Mastra: ["schema of a structured output"],
    },
  ],
  [
    "memory",
    {
      "OpenAI Agents": [],
      "AI SDK": [],
      LangGraph: ["checkpointer", "store"],
      Mastra: ["memory", "options of the memory", "content of the memory"],
    },
  ],
];

const FRAMEWORKS = Object.keys(PARTS[0]?.[1] ?? {});

/** The table of parts with its head, which combines the entries for each part in the README's framework tables. */
export function partsTable(): string[][] {
  const outcomes = new Map(FRAMEWORKS.map((name) => [name, new Map(tableBelow(name) as [string, string][])]));
  const cell = (name: string, rows: readonly string[]): string => {
    const words = rows.map(
      (row) =>
        outcomes
          .get(name)
          ?.get(row)
          ?.replace(/^drift of .*/, "drift") ?? `no row ${row}`,
    );
    return words.length === 0 ? "of the run" : [...new Set(words)].sort().join(", ");
  };
  const rows = PARTS.map(([part, by]) => [part, ...FRAMEWORKS.map((name) => cell(name, by[name] ?? []))]);
  return [["part of an agent", ...FRAMEWORKS], ...rows];
}
