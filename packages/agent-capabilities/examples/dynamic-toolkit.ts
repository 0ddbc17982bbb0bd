/** Tools behind a feature flag: one template, and a runtime hash that shows which run had the flag. */
import {
  computeFullCapabilityLink,
  createRegisteredAgent,
  dynamicToolkit,
  tool,
  toolkit,
} from "@agentprint/agent-capabilities";
import { z } from "zod";

interface Env {
  readonly flags: ReadonlySet<string>;
}

const query = z.object({ query: z.string() });
const search = tool({ name: "search", inputSchema: query, handler: () => ["a result"] });
const semantic = tool({ name: "semantic_search", inputSchema: query, handler: () => ["a better result"] });

const flagged = dynamicToolkit({
  name: "flagged",
  create: async (ctx: { env: Env }) => (ctx.env.flags.has("semantic-search") ? [semantic] : []),
});
const agent = createRegisteredAgent({
  agentId: "librarian-1",
  name: "Librarian",
  root: toolkit([search, flagged], { name: "library" }),
});

const off = await computeFullCapabilityLink({ agent, ctx: { env: { flags: new Set<string>() } } });
const on = await computeFullCapabilityLink({ agent, ctx: { env: { flags: new Set(["semantic-search"]) } } });

console.log("tools:", Object.keys(off.evaluation.tools).join(), "->", Object.keys(on.evaluation.tools).join());
console.log("template:", off.link.staticHash === on.link.staticHash ? "same" : "changed");
console.log("runtime:", off.link.runtimeHash === on.link.runtimeHash ? "same" : "changed");

/* Output:
tools: search -> search,semantic_search
template: same
runtime: changed
*/
