import { declaredOptions } from "@agentprint/testing/declared-options";
import { tool as langChainTool } from "@langchain/core/tools";
import { tool as openAiTool } from "@openai/agents";
import { tool as aiTool } from "ai";
import { expect, test } from "vitest";
import { z } from "zod";
import { fromAiSdkTool } from "../../src/adapters/ai-sdk.ts";
import { fromLangChainTool } from "../../src/adapters/langchain.ts";
import { fromMcpTool } from "../../src/adapters/mcp.ts";
import { fromOpenAiTool } from "../../src/adapters/openai.ts";
import type { Tool } from "../../src/index.ts";

type Options = { readonly [name: string]: unknown };

/** Returns the members that neither the tool's hash covers nor the list of unhashed members names. */
function silentMembers(names: readonly string[], adapt: (options: Options) => Tool, values: Options): string[] {
  const { staticHash } = adapt({});
  return names.filter((name) => {
    const changed = adapt({ [name]: values[name] ?? { changed: true } });
    return changed.staticHash === staticHash && !changed.notHashed.includes(name);
  });
}

const code = () => undefined;
const other = z.object({ other: z.string() });
const plain = { type: "object", properties: {}, required: [], additionalProperties: false } as const;

const {
  AiTool = [],
  McpTool = [],
  OpenAiTool = [],
  ToolFields = [],
} = declaredOptions(
  import.meta.dirname,
  `
    import type { DynamicStructuredToolInput } from "@langchain/core/tools";
    import type { Tool as WireTool } from "@modelcontextprotocol/sdk/types.js";
    import type { tool } from "@openai/agents";
    import type { Tool } from "ai";
    export type AiTool = Tool;
    export type McpTool = WireTool;
    export type OpenAiTool = Parameters<typeof tool>[0];
    export type ToolFields = DynamicStructuredToolInput;
  `,
);

test("AI SDK: every member of a tool is hashed or named", () => {
  expect(AiTool).toEqual(expect.arrayContaining(["needsApproval", "outputSchema"]));
  const adapt = (options: Options) =>
    fromAiSdkTool("read", aiTool({ inputSchema: z.object({}), ...options } as never)) as Tool;
  expect(silentMembers(AiTool, adapt, { inputSchema: other, description: "Other.", type: "dynamic" })).toEqual([]);
});

test("MCP: every member of a tool is hashed or named", () => {
  expect(McpTool).toEqual(expect.arrayContaining(["annotations", "outputSchema"]));
  const adapt = (options: Options) => fromMcpTool({ name: "read", inputSchema: plain, ...options }) as Tool;
  expect(silentMembers(McpTool, adapt, { name: "other", description: "Other." })).toEqual([]);
});

test("LangChain: every field of a tool is hashed or named", () => {
  expect(ToolFields).toEqual(expect.arrayContaining(["func", "responseFormat"]));
  const adapt = (options: Options) => {
    const fields = { name: "read", description: "", schema: z.object({}), ...options };
    return fromLangChainTool(langChainTool(async () => "a", fields as never) as never) as Tool;
  };
  const values = { name: "other", description: "Other.", schema: other, tags: ["a"], callbacks: [{}] };
  expect(silentMembers(ToolFields, adapt, values)).toEqual([]);
});

test("OpenAI Agents: every option of a tool is hashed or named, if only within invoke", () => {
  expect(OpenAiTool).toEqual(expect.arrayContaining(["execute", "inputGuardrails"]));
  const adapt = (options: Options) => {
    const base = { name: "read", description: "", parameters: plain, execute: code };
    return fromOpenAiTool(openAiTool({ ...base, ...options } as never) as never) as Tool;
  };
  const values = {
    name: "other",
    description: "Other.",
    parameters: other,
    strict: false,
    execute: code,
    errorFunction: code,
    inputGuardrails: [{ name: "polite", run: code }],
    outputGuardrails: [{ name: "polite", run: code }],
    timeoutMs: 9,
    timeoutBehavior: "raise_exception",
    timeoutErrorFunction: code,
    customDataExtractor: code,
    allowedCallers: ["direct"],
    outputSchema: plain,
    deferLoading: true,
    needsApproval: true,
    isEnabled: false,
  };
  expect(silentMembers(OpenAiTool, adapt, values)).toEqual([]);
});
