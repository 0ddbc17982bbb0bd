import { untypedRefusals } from "@agentprint/testing/wrong-arguments";
import { expect, test } from "vitest";
import * as aiSdk from "../src/adapters/ai-sdk.ts";
import * as langchain from "../src/adapters/langchain.ts";
import * as mcp from "../src/adapters/mcp.ts";
import * as openai from "../src/adapters/openai.ts";
import * as root from "../src/index.ts";
import * as rules from "../src/link/turn-rules.ts";

test("no exported function answers a wrong argument with an error without a code", async () => {
  expect(await untypedRefusals([root, mcp, aiSdk, openai, langchain, rules])).toEqual([]);
}, 60_000);
