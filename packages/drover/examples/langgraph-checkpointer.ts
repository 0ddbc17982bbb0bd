// A LangGraph graph whose interrupted threads continue only with the graph and the tools that interrupted them.
import type { AgentSpec } from "@agentprint/drover";
import { guardCheckpointer, specFromLangGraph } from "@agentprint/drover/langgraph";
import { tool } from "@langchain/core/tools";
import {
  Annotation,
  type BaseCheckpointSaver,
  type CompiledStateGraph,
  END,
  interrupt,
  START,
  StateGraph,
} from "@langchain/langgraph";
import { z } from "zod";

const State = Annotation.Root({ path: Annotation<string>(), outcome: Annotation<string>() });

/** The agent as the current program defines it. */
export interface Definition {
  readonly systemPrompt?: string;
  readonly path?: z.ZodType<string>;
  readonly withReview?: boolean;
}

interface Values {
  readonly path: string;
  readonly outcome: string;
}

type Keeper = CompiledStateGraph<Values, Partial<Values>, string>;

export function createGraph(
  saver: BaseCheckpointSaver,
  { systemPrompt = "Keep the folder tidy.", path = z.string(), withReview = false }: Definition = {},
): Keeper {
  const remove = tool(async (input: { path: string }) => `deleted ${input.path}`, {
    name: "delete_file",
    description: "Deletes a file.",
    schema: z.object({ path }),
  });
  const builder = new StateGraph(State)
    .addNode("approve", async (state) => {
      const approved = interrupt(`Delete ${state.path}?`);
      return { outcome: approved === true ? await remove.invoke({ path: state.path }) : "kept" };
    })
    .addEdge(START, "approve");
  if (withReview) builder.addNode("review", async () => ({})).addEdge("approve", "review" as "approve");
  builder.addEdge((withReview ? "review" : "approve") as "approve", END);

  // The spec is requested when the graph runs, so it can describe the compiled graph.
  const spec = async (): Promise<AgentSpec> =>
    specFromLangGraph({
      id: "keeper",
      configurable: { systemPrompt },
      tools: [remove],
      graph: await graph.getGraphAsync(),
    });
  const graph = builder.compile({ checkpointer: guardCheckpointer(saver, spec) });
  return graph as unknown as Keeper;
}
