import { untypedRefusals } from "@agentprint/testing/wrong-arguments";
import { expect, test } from "vitest";
import * as aiSdk from "../src/adapters/ai-sdk.ts";
import * as langchain from "../src/adapters/langchain.ts";
import * as mcpSdk from "../src/adapters/mcp-sdk.ts";
import * as openaiAgents from "../src/adapters/openai-agents.ts";
import * as root from "../src/index.ts";
import * as rules from "../src/rules.ts";

test("no exported function answers a wrong argument with an error without a code", async () => {
  expect(await untypedRefusals([root, rules, aiSdk, langchain, mcpSdk, openaiAgents])).toEqual([]);
}, 60_000);
