import { Agent, type MCPServer, MCPServerStdio, type Model, Runner, type Tool, tool } from "@openai/agents";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { describeTools, guardMcpServer, lockTools, toolGuardrails } from "../src/adapters/openai-agents.ts";
import { createGuard, type GuardEvent, type GuardOptions } from "../src/index.ts";
import { agentsServer } from "./support/agents-server.ts";
import { changedTools, DELETE_FILE, FILE_TOOLS, fileLock, fileServer } from "./support/file-server.ts";
import { stdioProgram } from "./support/stdio-program.ts";
import { policyOf } from "./support/world.ts";

const path = { path: "a.txt" };

function guardOf(options: Partial<GuardOptions> = {}) {
  const events: GuardEvent[] = [];
  const onEvent = (event: GuardEvent) => events.push(event);
  const policy = policyOf({ preset: "compatible" });
  return { guard: createGuard({ lock: fileLock, server: "files", policy, onEvent, ...options }), events };
}

/** Runs an agent whose model calls one tool. Returns the tools that the model saw, and the call's result. */
async function run(
  { tools = [], mcpServers = [] }: { tools?: Tool[]; mcpServers?: MCPServer[] },
  name: string,
  args: object = {},
) {
  const shown: unknown[] = [];
  const text = JSON.stringify(args);
  const model: Model = {
    async getResponse(request) {
      shown.push(...request.tools);
      const output = [
        { type: "function_call" as const, callId: "1", name, arguments: text, status: "completed" as const },
      ];
      const usage = { requests: 1, inputTokens: 1, outputTokens: 1, totalTokens: 2 };
      return { usage: usage as never, output };
    },
    getStreamedResponse: () => {
      throw new Error("not used");
    },
  };
  const agent = new Agent({ name: "agent", model, tools, mcpServers, toolUseBehavior: "stop_on_first_tool" });
  const { finalOutput } = await new Runner({ tracingDisabled: true }).run(agent, "Go");
  return { shown, said: finalOutput };
}

describe("tools of an MCP server", () => {
  test("run as they were approved; new ones are taken out, and changed texts are those of the lock", async () => {
    const files = fileServer();
    files.tools = [...changedTools("read_file", { description: "Reads a file, a file" }), DELETE_FILE];
    const { guard, events } = guardOf();
    const server = guardMcpServer(await agentsServer(files), guard);
    const { shown, said } = await run({ mcpServers: [server] }, "read_file", path);
    expect(shown).toMatchObject([{ name: "read_file", description: "Reads a file" }, { name: "count_lines" }]);
    expect(said).toContain("read_file a.txt");
    expect(files.calls).toEqual(["read_file"]);
    expect(events.slice(-2)).toMatchObject([
      { kind: "call", tool: "read_file", decision: "freeze", outcome: "passed" },
      { kind: "result", outcome: "passed" },
    ]);
    await server.close();
  });

  test("are refused when they drifted, before the server hears of the call, also where the SDK keeps the list", async () => {
    const files = fileServer();
    const { guard, events } = guardOf({ recheckMs: 0 });
    const server = guardMcpServer(await agentsServer(files), guard);
    await server.listTools();
    files.tools = changedTools("read_file", { annotations: { readOnlyHint: false } });
    const refused = [{ type: "text", text: "Refused by the guard: the tool differs from the lock." }];
    expect(await server.callTool("read_file", path)).toEqual(refused);
    expect(await server.callToolResult?.("read_file", path)).toEqual({ content: refused, isError: true });
    expect(files.calls).toEqual([]);
    expect(events.at(-1)).toMatchObject({ kind: "call", outcome: "refused", findings: ["mcp/hint-more-power"] });
    await server.close();
  });

  test("of a server without whole results are judged by their content", async () => {
    const { callToolResult: _, ...plain } = await agentsServer(fileServer());
    const { guard, events } = guardOf();
    const server = guardMcpServer<MCPServer>(plain, guard);
    expect(server.callToolResult).toBeUndefined();
    expect(await server.callTool("read_file", path)).toMatchObject([{ text: "read_file a.txt" }]);
    expect(await server.callTool("read_file", null)).toMatchObject([{ text: expect.stringContaining("arguments") }]);
    expect(events.at(-1)).toMatchObject({ findings: ["guard/arguments-rejected"] });
    await server.close();
  });

  test("give whole results where they were approved", async () => {
    const server = guardMcpServer(await agentsServer(fileServer()), guardOf().guard);
    const result = await server.callToolResult?.("count_lines", path);
    expect(result).toMatchObject({ structuredContent: { lines: 3 } });
    await server.close();
  });

  test("of a process are those of the lock", async () => {
    const stdio = new MCPServerStdio({ name: "files", ...stdioProgram([...FILE_TOOLS, DELETE_FILE]) });
    const server = guardMcpServer(stdio, guardOf().guard);
    await server.connect();
    const { shown, said } = await run({ mcpServers: [server] }, "read_file", path);
    expect(shown).toMatchObject([{ name: "read_file" }, { name: "count_lines" }]);
    expect(said).toContain("read_file");
    expect(await server.callTool("delete_file", path)).toMatchObject([{ text: expect.stringContaining("Refused") }]);
    await server.close();
  });
});

describe("tools of a program", () => {
  const parameters = z.object({ n: z.number() });
  const definition = { name: "add", description: "Adds one", parameters, execute: ({ n }: { n: number }) => n + 1 };
  const add = tool(definition);
  const own = { lock: lockTools("own", describeTools([add])), server: "own" };
  const guarded = (options: Partial<GuardOptions> = {}, changes: object = {}) =>
    tool({ ...definition, ...changes, ...toolGuardrails(guardOf({ ...own, ...options }).guard) });

  test("run where the lock has them, again and again", async () => {
    const tools = [guarded()];
    for (const n of [1, 2]) expect((await run({ tools }, "add", { n })).said).toBe(String(n + 1));
  });

  test("are refused when they are not as they were locked", async () => {
    const ran: unknown[] = [];
    const changes = { description: "Adds two", execute: (given: unknown) => ran.push(given) };
    const { said } = await run({ tools: [guarded({ policy: policyOf({}) }, changes)] }, "add", { n: 1 });
    expect(said).toContain("Refused by the guard: the tool differs from the lock.");
    expect(ran).toEqual([]);
  });

  test.each([true, false])("ask the callback, which says %s", async (says) => {
    const policy = policyOf({ servers: { own: { calls: { add: { ask: true } } } } });
    const { said } = await run({ tools: [guarded({ policy, ask: async () => says })] }, "add", { n: 1 });
    expect(said).toContain(says ? "2" : "no one agreed");
  });

  test("have results withheld in which nobody sees what a model reads", async () => {
    const tools = [guarded({ screen: "withhold" }, { execute: () => "fine\u{e0041}" })];
    expect((await run({ tools }, "add", { n: 1 })).said).toContain("hidden text");
  });

  test("are judged again where the SDK asks again, and not let through where nobody asked", async () => {
    const { inputGuardrails, outputGuardrails } = toolGuardrails(guardOf(own).guard);
    const agent = new Agent({ name: "agent", tools: [add] });
    const ask = (callId: string, text = '{"n":1}') =>
      ({ agent, toolCall: { name: "add", callId, arguments: text } }) as never;
    const give = (callId: string) => outputGuardrails[0]?.run({ ...(ask(callId) as object), output: "2" } as never);
    expect(await inputGuardrails[0]?.run(ask("0", "{"))).toMatchObject({ behavior: { type: "rejectContent" } });
    for (const callId of ["1", "1"]) {
      expect(await inputGuardrails[0]?.run(ask(callId))).toMatchObject({ behavior: { type: "allow" } });
    }
    expect(await give("1")).toMatchObject({ behavior: { type: "allow" } });
    expect(await give("1")).toMatchObject({ behavior: { type: "rejectContent" } });
    for (let call = 0; call <= 1000; call++) await inputGuardrails[0]?.run(ask(`c${call}`));
    expect(await give("c0")).toMatchObject({ behavior: { type: "rejectContent" } });
    expect(await give("c1")).toMatchObject({ behavior: { type: "allow" } });
  });

  test("are known by their JSON where they are no functions", () => {
    const hosted = { type: "hosted_tool", name: "web_search", providerData: { max: 3 } } as const;
    expect(describeTools([hosted])).toEqual([hosted]);
  });
});
