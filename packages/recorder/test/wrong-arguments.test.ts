import { untypedRefusals } from "@agentprint/testing/wrong-arguments";
import { expect, test } from "vitest";
import * as aiSdk from "../src/adapters/ai-sdk.ts";
import * as langchain from "../src/adapters/langchain.ts";
import * as mastra from "../src/adapters/mastra.ts";
import * as openaiAgents from "../src/adapters/openai-agents.ts";
import * as events from "../src/events.ts";
import * as folder from "../src/folder.ts";
import * as root from "../src/index.ts";

test("no exported function answers a wrong argument with an error without a code", async () => {
  expect(await untypedRefusals([root, events, folder, aiSdk, langchain, mastra, openaiAgents])).toEqual([]);
}, 60_000);
