import { DynamicStructuredTool } from "@langchain/core/tools";
import { tool as openAiTool } from "@openai/agents";
import { tool as aiTool } from "ai";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { fromAiSdkTool } from "../src/adapters/ai-sdk.ts";
import { fromLangChainTool } from "../src/adapters/langchain.ts";
import { fromMcpTool } from "../src/adapters/mcp.ts";
import { fromOpenAiTool } from "../src/adapters/openai.ts";
import { jsonSchema, tool } from "../src/index.ts";

const inputSchema = z.object({ path: z.string() });
const parameters = { type: "object", properties: {}, required: [], additionalProperties: false } as const;

describe("members that no hash covers are named", () => {
  test("AI SDK", () => {
    const execute = async () => "a";
    const plain = fromAiSdkTool("read", aiTool({ inputSchema, execute }));
    const guarded = fromAiSdkTool(
      "read",
      aiTool({ inputSchema, execute, needsApproval: true, outputSchema: z.string() }),
    );
    expect(guarded.staticHash).toBe(plain.staticHash);
    expect(plain.notHashed).toEqual(["execute"]);
    expect(guarded.notHashed).toEqual(["execute", "needsApproval", "outputSchema"]);
  });

  test("OpenAI Agents", () => {
    const execute = async () => "a";
    const of = (options: object) =>
      fromOpenAiTool(openAiTool({ name: "read", description: "", parameters, execute, ...options } as never));
    const inputGuardrails = [{ name: "polite", run: () => undefined }];
    expect(of({ inputGuardrails }).notHashed).toEqual(expect.arrayContaining(["inputGuardrails", "needsApproval"]));
    expect(of({ timeoutMs: 9 }).notHashed).toContain("timeoutMs");
    expect(of({}).notHashed).not.toContain("parameters");
  });

  test("MCP", () => {
    const wire = { name: "read", description: "", inputSchema: parameters };
    expect(fromMcpTool(wire).notHashed).toEqual([]);
    const more = { ...wire, title: "R", annotations: {}, outputSchema: {}, _meta: {}, later: 1, absent: undefined };
    expect(fromMcpTool(more).notHashed).toEqual(["_meta", "annotations", "later", "outputSchema", "title"]);
    expect(fromMcpTool(more).staticHash).toBe(fromMcpTool(wire).staticHash);
  });

  test("LangChain", () => {
    const fields = { name: "read", description: "", schema: inputSchema, func: async () => "a" };
    const structured = (options: object) => fromLangChainTool(new DynamicStructuredTool({ ...fields, ...options }));
    expect(structured({ returnDirect: true, later: 1 }).notHashed).toEqual(
      expect.arrayContaining(["func", "invoke", "later", "returnDirect"]),
    );
    const bare = { name: "read", description: "", schema: parameters, invoke: async () => "a" };
    expect(fromLangChainTool(bare).notHashed).toEqual(["invoke"]);
  });

  test("inherited members, without calling a getter", () => {
    class Base {
      get needsApproval(): boolean {
        throw new Error("called");
      }
    }
    class Read extends Base {
      readonly inputSchema = inputSchema;
      execute(): string {
        return "a";
      }
    }
    expect(fromAiSdkTool("read", new Read()).notHashed).toEqual(["execute", "needsApproval"]);
  });

  test("a proxy that has a prototype without end does not hang", () => {
    const endless = (): object => new Proxy({ inputSchema }, { getPrototypeOf: endless });
    expect(fromAiSdkTool("read", endless() as never).notHashed).toEqual([]);
  });

  test("a user-defined tool has none, and a malformed list is refused", () => {
    const definition = { name: "read", inputSchema: jsonSchema(parameters), handler: () => "a" };
    expect(tool(definition).notHashed).toEqual([]);
    expect(tool({ ...definition, notHashed: ["title"] }).staticHash).toBe(tool(definition).staticHash);
    expect(() => tool({ ...definition, notHashed: [1] as never })).toThrow(
      expect.objectContaining({ code: "invalid-argument" }),
    );
  });
});

test.each([
  ["AI SDK", (value: never) => fromAiSdkTool("read", value)],
  ["OpenAI Agents", (value: never) => fromOpenAiTool(value)],
  ["LangChain", (value: never) => fromLangChainTool(value)],
  ["MCP", (value: never) => fromMcpTool(value)],
])("%s: a value that is not a tool is an error with a code", (_name, adapt) => {
  for (const wrong of [null, undefined, 1, "read", [], () => 1, new Map()]) {
    expect(() => adapt(wrong as never)).toThrow(
      expect.objectContaining({ name: "CapabilityError", code: expect.stringMatching(/^invalid-/) }),
    );
  }
});
