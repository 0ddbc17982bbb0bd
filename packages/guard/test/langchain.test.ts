import { interrupt, MemorySaver } from "@langchain/langgraph";
import { loadMcpTools } from "@langchain/mcp-adapters";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import {
  type AgentMiddleware,
  createAgent,
  createMiddleware,
  fakeModel,
  type StructuredTool,
  type ToolMessage,
  tool,
} from "langchain";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { describeTools, guardMiddleware, lockTools } from "../src/adapters/langchain.ts";
import { guardClient } from "../src/adapters/mcp-sdk.ts";
import { createGuard, type GuardEvent, type GuardOptions } from "../src/index.ts";
import { changedTools, DELETE_FILE, FILE_TOOLS, fileLock, fileServer } from "./support/file-server.ts";
import { policyOf } from "./support/world.ts";

const path = { path: "a.txt" };

function guardOf(options: Partial<GuardOptions> = {}) {
  const events: GuardEvent[] = [];
  const onEvent = (event: GuardEvent) => events.push(event);
  const policy = policyOf({ preset: "compatible" });
  return { guard: createGuard({ lock: fileLock, server: "files", policy, onEvent, ...options }), events };
}

const clientOf = (): Client => new Client({ name: "my-agent", version: "1.0.0" });

/** Runs an agent whose model calls one tool. Returns the tools that the model saw, and the call's result. */
async function run(tools: readonly object[], middleware: ReturnType<typeof guardMiddleware>, name: string, args = {}) {
  const model = fakeModel().respondWithTools([{ name, args, id: "1" }]);
  model.respond(new Error("enough"));
  const shown: object[][] = [];
  const bindTools = model.bindTools.bind(model);
  model.bindTools = (bound) => {
    shown.push(bound);
    return bindTools(bound);
  };
  const said: ToolMessage[] = [];
  const agent = createAgent({ model, tools: tools as StructuredTool[], middleware: [middleware] });
  for await (const update of await agent.stream({ messages: "Go" }, { streamMode: "updates" }).catch(() => [])) {
    const { messages = [] } = (update as { tools?: { messages: ToolMessage[] } }).tools ?? {};
    said.push(...messages);
    if (said.length > 0) break;
  }
  return { shown: shown[0] ?? [], said: said[0] };
}

describe("tools of an MCP server", () => {
  test("run as they were approved; new ones are taken out, and of changed ones the model gets the locked text", async () => {
    const files = fileServer();
    files.tools = [...changedTools("read_file", { description: "Reads a file, a file" }), DELETE_FILE];
    const client = clientOf();
    await client.connect(files.connect());
    const tools = await loadMcpTools("files", client);
    const { guard, events } = guardOf();
    const list = (cursor?: string) => client.listTools({ cursor });
    const { shown, said } = await run(tools, guardMiddleware(guard, { list }), "count_lines", path);
    expect(shown).toMatchObject([
      { type: "function", function: { name: "read_file", description: "Reads a file" } },
      { name: "count_lines" },
    ]);
    expect(said).toMatchObject({ name: "count_lines", status: "success" });
    expect(files.calls).toEqual(["count_lines"]);
    expect(events.filter(({ kind }) => kind !== "listing")).toMatchObject([
      { kind: "call", tool: "count_lines", outcome: "passed" },
      { kind: "result", tool: "count_lines", outcome: "passed", findings: [] },
    ]);
    await client.close();
  });

  test("are refused when they drifted, before they run", async () => {
    const files = fileServer();
    const client = clientOf();
    await client.connect(files.connect());
    const tools = await loadMcpTools("files", client);
    const { guard, events } = guardOf({ recheckMs: 0 });
    let listings = 0;
    const list = (cursor?: string) => {
      // The first listing is for the model, and the next one precedes the call.
      if (++listings > 1) files.tools = changedTools("read_file", { annotations: { readOnlyHint: false } });
      return client.listTools({ cursor });
    };
    const { shown, said } = await run(tools, guardMiddleware(guard, { list }), "read_file", path);
    expect(shown).toHaveLength(2);
    const content = "Refused by the guard: the tool differs from the lock.";
    expect(said).toMatchObject({ name: "read_file", status: "error", content });
    expect(files.calls).toEqual([]);
    expect(events.filter(({ kind }) => kind === "call")).toMatchObject([
      { outcome: "refused", findings: ["mcp/hint-more-power"] },
    ]);
    await client.close();
  });

  test("of a guarded client need no middleware", async () => {
    const files = fileServer();
    files.tools = [...FILE_TOOLS, DELETE_FILE];
    const client = guardClient(clientOf(), guardOf().guard);
    await client.connect(files.connect());
    const tools = await loadMcpTools("files", client);
    expect(tools.map(({ name }) => name)).toEqual(["read_file", "count_lines"]);
    await client.close();
  });
});

describe("tools of a program", () => {
  const schema = z.object({ n: z.number() });
  const add = tool(({ n }) => String(n + 1), { name: "add", description: "Adds one", schema });
  const own = { lock: lockTools("own", describeTools([add])), server: "own" };

  test("run where the lock has them, and are not judged where another middleware owns them", async () => {
    const shell = tool(() => "ran", { name: "shell", schema: z.object({}) });
    const middleware = guardMiddleware(guardOf(own).guard);
    expect(await run([add, shell], middleware, "add", { n: 1 })).toMatchObject({
      shown: [{ name: "add" }],
      said: { content: "2", status: "success" },
    });
    expect((await run([add, shell], middleware, "shell")).said).toMatchObject({ status: "error" });
    const others = guardMiddleware(guardOf(own).guard, { owns: (name) => name === "add" });
    expect(await run([add, shell], others, "shell")).toMatchObject({
      shown: [{ name: "add" }, { name: "shell" }],
      said: { content: "ran" },
    });
  });

  test.each([true, false])("ask the callback, which says %s", async (says) => {
    const policy = policyOf({ servers: { own: { calls: { add: { ask: true } } } } });
    const { guard } = guardOf({ ...own, policy, ask: async () => says });
    const { said } = await run([add], guardMiddleware(guard), "add", { n: 1 });
    expect(said).toMatchObject(says ? { content: "2" } : { status: "error" });
  });

  test("have results withheld in which nobody sees what a model reads", async () => {
    const quiet = tool(() => "fine\u{e0041}", { name: "quiet", schema: z.object({}) });
    const lock = lockTools("own", describeTools([quiet]));
    const { guard } = guardOf({ lock, server: "own", screen: "withhold" });
    const { said } = await run([quiet], guardMiddleware(guard), "quiet");
    expect(said).toMatchObject({ status: "error", content: expect.stringContaining("hidden text") });
  });

  test("are known by their record where a provider runs them", () => {
    expect(
      describeTools([
        { type: "web_search", max: 3 },
        { type: "function", function: { name: "find" } },
      ]),
    ).toEqual([
      { name: "web_search", type: "web_search", max: 3 },
      { name: "find", type: "function", function: { name: "find" } },
    ]);
  });
});

describe("a tool that throws", () => {
  const schema = z.object({ n: z.number() });
  const failing = (error: () => unknown) =>
    tool(
      () => {
        throw error();
      },
      { name: "add", schema },
    );
  const broken = createMiddleware({ name: "broken", wrapToolCall: () => Promise.reject(new Error("broken")) });

  /** Returns how a run ends whose model calls the tool once: with the tool's message, or with the run's error. */
  async function outcome(
    add: StructuredTool,
    middleware: AgentMiddleware[],
    args: object = { n: 1 },
    signal?: AbortSignal,
  ) {
    const model = fakeModel()
      .respondWithTools([{ name: "add", args, id: "1" }])
      .respondWithTools([]);
    const agent = createAgent({ model, tools: [add], middleware, checkpointer: new MemorySaver() });
    const config = { configurable: { thread_id: "1" }, ...(signal && { signal }) };
    try {
      const { messages, ...state } = await agent.invoke({ messages: "Go" }, config);
      const { content, status, name } = (messages[2] ?? {}) as ToolMessage;
      return { content, status, name, interrupted: "__interrupt__" in state };
    } catch (error) {
      return { rejected: String(error) };
    }
  }

  /** Older versions of LangChain leave out the status of their message. */
  const withoutStatus = ({ status: _, ...rest }: Awaited<ReturnType<typeof outcome>>) => rest;

  const guarded = (add: StructuredTool, owns = true) => {
    const lock = lockTools("own", describeTools([add]));
    const { guard } = guardOf({ lock, server: "own" });
    return guardMiddleware(guard, { owns: () => owns });
  };

  test.each<[what: string, error: () => unknown]>([
    ["an error", () => new Error("no such file")],
    ["something else", () => "no such file"],
    ["an interrupt", () => interrupt("Shall I?")],
  ])("%s: the model gets the message that it gets without a guard", async (_what, error) => {
    const add = failing(error);
    const without = withoutStatus(await outcome(add, []));
    expect(withoutStatus(await outcome(add, [guarded(add)]))).toEqual(without);
    expect(withoutStatus(await outcome(add, [guarded(add, false)]))).toEqual(without);
    expect(without).not.toHaveProperty("rejected");
  });

  test("at arguments that do not fit gives the message of LangChain, where the guard does not judge them first", async () => {
    const add = failing(() => new Error());
    const [without, other] = [
      await outcome(add, [], { n: "one" }),
      await outcome(add, [guarded(add, false)], { n: "one" }),
    ];
    const text = ({ content }: { content?: unknown }) => String(content).split("\n    at ")[0];
    expect(text(other)).toBe(text(without));
    expect(text(other)).toMatch(/^Error invoking tool 'add' with kwargs/);
  });

  test("ends the run where it was aborted, or where other middleware fails", async () => {
    const add = failing(() => new Error("no such file"));
    const ending = new AbortController();
    const aborting = failing(() => {
      ending.abort();
      return new Error("aborted");
    });
    expect(await outcome(aborting, [guarded(aborting)], { n: 1 }, ending.signal)).toHaveProperty("rejected");
    expect(await outcome(add, [guarded(add), broken])).toEqual({ rejected: "Error: broken" });
  });

  test("has its message withheld where nobody sees what a model reads", async () => {
    const add = failing(() => new Error("fine\u{e0041}"));
    const lock = lockTools("own", describeTools([add]));
    const { guard } = guardOf({ lock, server: "own", screen: "withhold" });
    expect(await outcome(add, [guardMiddleware(guard)])).toMatchObject({
      status: "error",
      content: expect.stringContaining("hidden text"),
    });
  });
});
