import type { VisitAnswers } from "@agentprint/mcp";
import { anyJson, anyName, anyTool, entries } from "@agentprint/testing/lock/arbitrary-tools";
import { answersOf, type Offer } from "@agentprint/testing/lock/offer";
import fc from "fast-check";

/** Anything that a server can offer and a lock can hold. */
export const anyOffer: fc.Arbitrary<Omit<Offer, "clientCapabilities" | "protocolVersion" | "serverInfo">> = fc
  .record({
    tools: fc.uniqueArray(fc.tuple(anyName, anyTool), { maxLength: 4, selector: ([name]) => name }),
    prompts: fc.uniqueArray(anyName, { maxLength: 3 }),
    resources: fc.uniqueArray(anyName, { maxLength: 3 }),
    instructions: fc.option(fc.string({ unit: "grapheme" }), { nil: undefined }),
    args: fc.array(fc.string({ unit: "grapheme" }), { maxLength: 3 }),
    capabilities: entries(anyName, anyJson),
  })
  .map(({ tools, prompts, resources, instructions, args, capabilities }) => ({
    tools: tools.map(([name, tool]) => Object.fromEntries([...Object.entries(tool), ["name", name]])),
    launch: { type: "stdio", command: "node", args, env: ["B", "A"] },
    prompts: prompts.map((name) => ({ name })),
    resources: resources.map((uri) => ({ uri, name: "r" })),
    resourceTemplates: resources.map((uriTemplate) => ({ uriTemplate })),
    capabilities,
    ...(instructions !== undefined && { instructions }),
  }));

/** The answers of a server that may offer anything a lock can hold. */
export const anyAnswers: fc.Arbitrary<VisitAnswers> = anyOffer.map(({ tools, ...rest }) => answersOf(tools, rest));
