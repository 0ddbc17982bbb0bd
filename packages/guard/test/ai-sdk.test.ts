import { createMCPClient } from "@ai-sdk/mcp";
import { detectToolDrift, fingerprintTools, generateText, jsonSchema, type ToolSet, tool } from "ai";
import { MockLanguageModelV4 } from "ai/test";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { describeTools, guardTools, lockTools } from "../src/adapters/ai-sdk.ts";
import { guardTransport } from "../src/adapters/mcp-sdk.ts";
import { createGuard, type GuardEvent, type GuardOptions } from "../src/index.ts";
import { changedTools, DELETE_FILE, FILE_TOOLS, fileLock, fileServer } from "./support/file-server.ts";
import { policyOf } from "./support/world.ts";

const path = { path: "a.txt" };
const call = { toolCallId: "1", messages: [], context: {} };
const execute = (tools: ToolSet, name: string, input: unknown, more: object = {}) =>
  (tools[name] as { execute(input: unknown, options: object): Promise<unknown> }).execute(input, { ...call, ...more });

function guardOf(options: Partial<GuardOptions> = {}) {
  const events: GuardEvent[] = [];
  const onEvent = (event: GuardEvent) => events.push(event);
  const policy = policyOf({ preset: "compatible" });
  return { guard: createGuard({ lock: fileLock, server: "files", policy, onEvent, ...options }), events };
}

/** Connects a client of the AI SDK that has no guard in its transport. */
async function clientOf() {
  const files = fileServer();
  const client = await createMCPClient({ transport: files.connect() });
  return { files, client, list: (cursor?: string) => client.listTools(cursor ? { params: { cursor } } : {}) };
}

describe("tools of createMCPClient", () => {
  test("are used as approved; new ones are removed, and changed texts are replaced by the lock's", async () => {
    const { files, client, list } = await clientOf();
    files.tools = [...changedTools("read_file", { description: "Reads a file, a file" }), DELETE_FILE];
    const { guard, events } = guardOf();
    const tools = await guardTools(await client.tools(), guard, { list });
    expect(Object.keys(tools)).toEqual(["read_file", "count_lines"]);
    expect(tools["read_file"]?.description).toBe("Reads a file");
    const model = modelThatCalls("read_file", path);
    const { toolResults } = await generateText({ model, tools, prompt: "Read" });
    expect(toolResults).toMatchObject([{ output: { content: [{ text: "read_file a.txt" }] } }]);
    expect(model.doGenerateCalls[0]?.tools).toMatchObject([{ description: "Reads a file" }, { name: "count_lines" }]);
    expect(files.calls).toEqual(["read_file"]);
    expect(events.slice(-2)).toMatchObject([
      { kind: "call", decision: "freeze", outcome: "passed" },
      { kind: "result", outcome: "passed" },
    ]);
    await client.close();
  });

  test.each([
    ["a flipped hint", "read_file", { annotations: { readOnlyHint: false } }, "mcp/hint-more-power"],
    ["another output schema", "count_lines", { outputSchema: { type: "object" } }, "mcp/tool-contract-changed"],
  ])("with %s are refused before execute, and the AI SDK itself sees no drift", async (_, name, change, rule) => {
    const { files, client, list } = await clientOf();
    const baseline = await fingerprintTools(await client.tools());
    const { guard, events } = guardOf({ recheckMs: 0 });
    const tools = await guardTools(await client.tools(), guard, { list });
    files.tools = changedTools(name, change);
    const drift = detectToolDrift(await fingerprintTools(await client.tools()), baseline);
    expect(drift).toEqual({ added: [], removed: [], changed: [] });
    const { content } = await generateText({ model: modelThatCalls(name, path), tools, prompt: "Read" });
    const refused = {
      name: "GuardError",
      code: "refused",
      message: expect.stringContaining("the tool differs from the lock"),
    };
    expect(content).toMatchObject([{ type: "tool-call" }, { type: "tool-error", error: refused }]);
    expect(files.calls).toEqual([]);
    expect(events.at(-1)).toMatchObject({ kind: "call", outcome: "refused", findings: [rule] });
    await client.close();
  });

  test("are listed page by page, and an unknown one is refused", async () => {
    const { client, list } = await clientOf();
    const { tools: all } = await list();
    const pages = { undefined: { tools: all.slice(0, 1), nextCursor: "2" }, 2: { tools: all.slice(1) } };
    const { guard } = guardOf({ recheckMs: 0 });
    let offered = true;
    const paged = (cursor?: string) => (offered ? pages[`${cursor}` as "2"] : { tools: [] });
    const tools = await guardTools(await client.tools(), guard, { list: paged });
    expect(Object.keys(tools)).toEqual(["read_file", "count_lines"]);
    offered = false;
    await expect(execute(tools, "read_file", path)).rejects.toThrow("Unknown tool");
    await client.close();
  });

  test("through a guarded transport are verified without further ado", async () => {
    const files = fileServer();
    files.tools = [...FILE_TOOLS, DELETE_FILE];
    const client = await createMCPClient({ transport: guardTransport(files.connect(), guardOf().guard) });
    const tools = await client.tools();
    expect(Object.keys(tools)).toEqual(["read_file", "count_lines"]);
    files.tools = changedTools("read_file", { annotations: {} });
    await files.server.sendToolListChanged();
    expect(await execute(tools, "read_file", path)).toMatchObject({ isError: true });
    await client.close();
  });
});

describe("tools of a program", () => {
  const add = tool({
    title: "Add",
    description: "Adds one",
    inputSchema: z.object({ n: z.number() }),
    outputSchema: z.number(),
    execute: ({ n }) => n + 1,
  });
  const lockOf = async (tools: ToolSet) => ({ lock: lockTools("own", await describeTools(tools)), server: "own" });

  test("run where the lock has them, and not where their arguments do not fit", async () => {
    const { guard, events } = guardOf(await lockOf({ add }));
    const shell = tool({ inputSchema: z.object({ command: z.string() }), execute: ({ command }) => command });
    const tools = await guardTools({ add, shell }, guard);
    expect(Object.keys(tools)).toEqual(["add"]);
    expect(await execute(tools, "add", { n: 1 })).toBe(2);
    await expect(execute(tools, "add", { n: "1" })).rejects.toMatchObject({ code: "refused" });
    expect(events.at(-1)).toMatchObject({ kind: "call", findings: ["guard/arguments-rejected"] });
  });

  test("have no definition of more bytes than are read", async () => {
    const inputSchema = jsonSchema({ type: "object" });
    const long = describeTools({ long: tool({ description: "a".repeat(64 * 1024 * 1024), inputSchema }) });
    await expect(long).rejects.toMatchObject({ name: "GuardError", code: "not-json", cause: { code: "too-large" } });
  });

  test("are refused once their definition has changed", async () => {
    const { guard } = guardOf({ ...(await lockOf({ add })), recheckMs: 0 });
    const own: ToolSet = { add: { ...add } };
    const tools = await guardTools(own, guard);
    own["add"] = { ...add, inputSchema: jsonSchema({ type: "string" }) } as unknown as typeof add;
    await expect(execute(tools, "add", { n: 1 })).rejects.toMatchObject({ code: "refused" });
  });

  test("get the locked schema where it is frozen, and their own still reads the input", async () => {
    const { guard } = guardOf(await lockOf({ add }));
    const wider = { ...add, inputSchema: z.object({ n: z.union([z.number(), z.string()]) }) };
    const tools = await guardTools({ add: wider as unknown as typeof add }, guard);
    const [definition] = await describeTools(tools);
    expect(definition).toEqual((await describeTools({ add }))[0]);
    const { toolResults } = await generateText({ model: modelThatCalls("add", { n: 1 }), tools, prompt: "Add" });
    expect(toolResults).toMatchObject([{ output: 2 }]);
  });

  test.each([true, false])("ask the callback, which says %s", async (says) => {
    const policy = policyOf({ servers: { own: { calls: { add: { ask: true } } } } });
    const { guard } = guardOf({ ...(await lockOf({ add })), policy, ask: async () => says });
    const called = execute(await guardTools({ add }, guard), "add", { n: 1 });
    if (says) expect(await called).toBe(2);
    else await expect(called).rejects.toThrow("no one agreed");
  });

  test("stop waiting for an answer when the call is aborted", async () => {
    const policy = policyOf({ servers: { own: { calls: { add: { ask: true } } } } });
    const { guard } = guardOf({ ...(await lockOf({ add })), policy, ask: () => new Promise(() => {}) });
    const tools = await guardTools({ add }, guard);
    const abort = new AbortController();
    const called = execute(tools, "add", { n: 1 }, { abortSignal: abort.signal });
    abort.abort(new Error("enough"));
    await expect(called).rejects.toThrow("enough");
    await expect(execute(tools, "add", { n: 1 }, { abortSignal: abort.signal })).rejects.toThrow("enough");
  });

  test("fail with their own errors, give the last of several values, and have results that JSON can write", async () => {
    const own = {
      fails: tool({
        inputSchema: z.object({}),
        execute: (): string => {
          throw new Error("full");
        },
      }),
      parts: tool({
        inputSchema: z.object({}),
        async *execute() {
          yield "half";
          yield "whole";
        },
      }),
      empty: tool({ inputSchema: z.object({}), execute: () => undefined }),
      big: tool({ inputSchema: z.object({}), execute: () => 1n }),
    };
    const tools = await guardTools(own, guardOf(await lockOf(own)).guard);
    await expect(execute(tools, "fails", {})).rejects.toThrow("full");
    expect(await execute(tools, "parts", {})).toBe("whole");
    expect(await execute(tools, "empty", {})).toBeUndefined();
    await expect(execute(tools, "big", {})).rejects.toMatchObject({ code: "not-json" });
  });

  test("are all used where the guard only tells, and it tells what it would refuse", async () => {
    const { guard, events } = guardOf({ ...(await lockOf({})), dryRun: true });
    const tools = await guardTools({ add }, guard);
    expect(await execute(tools, "add", { n: 1 })).toBe(2);
    expect(events).toContainEqual(expect.objectContaining({ kind: "call", tool: "add", outcome: "refused" }));
  });

  test("have results withheld in which nobody sees what a model reads", async () => {
    const quiet = tool({ inputSchema: z.object({}), execute: () => ({ text: "fine\u{e0041}" }) });
    const { guard } = guardOf({ ...(await lockOf({ quiet })), screen: "withhold" });
    await expect(execute(await guardTools({ quiet }, guard), "quiet", {})).rejects.toThrow("hidden text");
  });

  test("without execute are only shown or not, and a provider's is known by its id and arguments", async () => {
    const search = { type: "provider", id: "some.search", args: { max: 3 }, inputSchema: z.object({}) };
    const own = { search, client: tool({ inputSchema: z.object({}) }) } as unknown as ToolSet;
    const { guard } = guardOf(await lockOf(own));
    const more = { ...own, search: { ...search, args: { max: 9 } } } as unknown as ToolSet;
    const tools = await guardTools(more, guard);
    expect(Object.keys(tools)).toEqual(["client"]);
    expect(tools["client"]).toBe(own["client"]);
  });

  test("cannot be guarded where they cannot be listed", async () => {
    const cause = new Error("the server is gone");
    const list = () => Promise.reject(cause);
    await expect(guardTools({ add }, guardOf().guard, { list })).rejects.toMatchObject({ code: "not-listed", cause });
    const unnamed = async () => ({ tools: [{}] });
    await expect(guardTools({ add }, guardOf().guard, { list: unnamed })).rejects.toMatchObject({ code: "not-listed" });
  });
});

/** Returns a model that calls one tool. */
function modelThatCalls(toolName: string, input: object): MockLanguageModelV4 {
  return new MockLanguageModelV4({
    doGenerate: {
      content: [{ type: "tool-call", toolCallId: "1", toolName, input: JSON.stringify(input) }],
      finishReason: { unified: "tool-calls", raw: undefined },
      usage: {
        inputTokens: { total: 1, noCache: 1, cacheRead: 0, cacheWrite: 0 },
        outputTokens: { total: 1, text: 1, reasoning: 0 },
      },
      warnings: [],
    },
  });
}
