import { untypedRefusals } from "@agentprint/testing/wrong-arguments";
import { expect, test } from "vitest";
import * as aiSdk from "../src/adapters/ai-sdk.ts";
import * as dbos from "../src/adapters/dbos.ts";
import * as langgraph from "../src/adapters/langgraph.ts";
import * as mastra from "../src/adapters/mastra.ts";
import * as openaiAgents from "../src/adapters/openai-agents.ts";
import * as effect from "../src/effect.ts";
import * as rules from "../src/findings/index.ts";
import * as root from "../src/index.ts";

const saver = { getTuple: async () => undefined, put: async () => undefined };

test("no exported function answers a wrong argument with an error without a code", async () => {
  expect(await untypedRefusals([root, aiSdk, dbos, effect, langgraph, mastra, openaiAgents, rules])).toEqual([]);
}, 60_000);

test.each([
  ["a checkpointer of null", [null, () => ({})], "checkpointer: expected an object, received null"],
  [
    "a checkpointer without its methods",
    [{}, () => ({})],
    "checkpointer.getTuple: expected a function, received undefined",
  ],
  ["a spec that is no function", [saver, { id: "a", systemPrompt: "b" }], "spec: expected a function, received object"],
  ["options of null", [saver, () => ({}), null], "options: expected an object, received null"],
])("guardCheckpointer refuses %s at the call", (_name, args, message) => {
  const guard = langgraph.guardCheckpointer as (...args: unknown[]) => unknown;
  expect(() => guard(...args)).toThrow(expect.objectContaining({ code: "invalid-argument", message }));
});
