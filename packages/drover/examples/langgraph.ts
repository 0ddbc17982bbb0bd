// The spec of a LangGraph graph and its configuration.
import { fingerprintSpec, type SpecFingerprint } from "@agentprint/drover";
import { specFromLangGraph } from "@agentprint/drover/langgraph";
import { Annotation, END, START, StateGraph } from "@langchain/langgraph";

const State = Annotation.Root({ text: Annotation<string>() });

export async function fingerprintGraph(
  configurable: { readonly [key: string]: unknown },
  { withReview = false }: { readonly withReview?: boolean } = {},
): Promise<SpecFingerprint> {
  const drafting = new StateGraph(State).addNode("draft", async () => ({ text: "draft" })).addEdge(START, "draft");
  const graph = withReview
    ? drafting
        .addNode("review", async ({ text }) => ({ text: `${text}, reviewed` }))
        .addEdge("draft", "review")
        .addEdge("review", END)
        .compile()
    : drafting.addEdge("draft", END).compile();
  return fingerprintSpec(specFromLangGraph({ id: "writer", configurable, graph: await graph.getGraphAsync() }));
}
