import { fingerprintSpec, SpecError } from "@agentprint/drover";
import { specFromAiSdk } from "@agentprint/drover/ai-sdk";
import { specFromLangGraph } from "@agentprint/drover/langgraph";
import { specFromOpenAiAgent } from "@agentprint/drover/openai-agents";
import { toStandardJsonSchema } from "@valibot/to-json-schema";
import { jsonSchema } from "ai";
import { type } from "arktype";
import * as v from "valibot";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import * as aiSdk from "../examples/ai-sdk.ts";
import * as langGraph from "../examples/langgraph.ts";
import * as openAi from "../examples/openai-agents.ts";

describe("Vercel AI SDK", () => {
  test("an agent keeps its fingerprint until its definition changes", async () => {
    const [recorded, same, edited] = await Promise.all(
      ["Write.", "Write.", "Rewrite."].map((text) => aiSdk.fingerprintAgent(text)),
    );
    expect(same).toEqual(recorded);
    expect(edited?.fields.systemPrompt).not.toBe(recorded?.fields.systemPrompt);
    expect(edited?.fields.tools).toBe(recorded?.fields.tools);
  });

  test("tools, output and call settings are in it, functions by name", async () => {
    const spec = await specFromAiSdk(aiSdk.createSettings("Write."));
    expect(spec).toMatchObject({
      id: "writer",
      model: { id: "acme/large", settings: { temperature: 0.2 } },
      tools: {
        read: { description: "Reads a file.", functions: ["execute"], inputSchema: { required: ["path"] } },
        list: { inputSchema: { properties: { folder: { type: "string" } } } },
      },
      outputSchema: { type: "json", schema: { required: ["title"] } },
      plugins: [{ id: "stopWhen" }],
    });
  });

  test("accepts a model object, system messages, and a minimal agent", async () => {
    const model = { provider: "acme", modelId: "large", doGenerate: () => 1 };
    const message = { role: "system", content: "Write.", providerOptions: { acme: { cache: true } } };
    expect(await specFromAiSdk({ model, instructions: [message, { role: "system", content: "Well." }] })).toMatchObject(
      {
        id: "agent",
        model: { id: { provider: "acme", modelId: "large" } },
        systemPrompt: "Write.\nWell.",
        promptTemplate: { instructions: [message, { role: "system", content: "Well." }] },
      },
    );
    expect(await specFromAiSdk({ model: "m", instructions: message })).toMatchObject({ systemPrompt: "Write." });
    expect(await specFromAiSdk({ model: "m", output: { name: "text" } })).toMatchObject({
      systemPrompt: "",
      outputSchema: { name: "text" },
    });
  });
});

describe("a schema, whatever library wrote it,", () => {
  const libraries: [name: string, text: unknown, number: unknown][] = [
    ["ArkType", type({ path: "string" }), type({ path: "number" })],
    [
      "valibot",
      toStandardJsonSchema(v.object({ path: v.string() })),
      toStandardJsonSchema(v.object({ path: v.number() })),
    ],
    ["zod", z.object({ path: z.string() }), z.object({ path: z.number() })],
    [
      "JSON Schema",
      { type: "object", properties: { path: { type: "string" } }, required: ["path"] },
      { type: "object", properties: { path: { type: "number" } }, required: ["path"] },
    ],
    [
      "a function that returns one",
      () => jsonSchema({ type: "object", properties: { path: { type: "string" } }, required: ["path"] }),
      () => z.object({ path: z.number() }),
    ],
  ];
  const shown = (path: object) => ({ type: "object", properties: { path }, required: ["path"] });

  test.each(libraries)("%s: is its JSON Schema", async (_name, text, number) => {
    const aiTool = (schema: unknown) =>
      specFromAiSdk({
        model: "m",
        tools: { read: { inputSchema: schema, outputSchema: schema, contextSchema: schema } },
      });
    const schema = shown({ type: "string" });
    const recorded = await aiTool(text);
    expect(recorded.tools).toMatchObject({
      read: { inputSchema: schema, outputSchema: schema, contextSchema: schema, functions: [] },
    });
    const edited = await aiTool(number);
    expect(fingerprintSpec(edited).fields.tools).not.toBe(fingerprintSpec(recorded).fields.tools);

    const agent = (outputType: unknown) => specFromOpenAiAgent({ name: "w", instructions: "Write.", outputType });
    expect(await agent(text)).toMatchObject({ outputSchema: schema });
    expect(await agent(number)).toMatchObject({ outputSchema: shown({ type: "number" }) });

    const callOptionsSchema = number;
    const withOptions = await specFromAiSdk({ model: "m", callOptionsSchema } as { model: string });
    expect(withOptions).toMatchObject({
      model: { settings: { callOptionsSchema: shown({ type: "number" }) } },
      plugins: [],
    });
  });

  test.each<[string, unknown]>([
    ["has none", { "~standard": { version: 1, vendor: "x" } }],
    ["has none and is a function", Object.assign(() => ({}), { "~standard": { version: 1, vendor: "x" } })],
    ["cannot write it", z.object({ at: z.date() })],
    [
      "throws",
      () => {
        throw new Error("not yet");
      },
    ],
    ["is a function that returns none", (value: unknown) => value === 1 || undefined],
    ["is a function that returns null", () => null],
    ["is a class", class Schema {}],
  ])("one that %s is refused", async (_name, inputSchema) => {
    await expect(specFromAiSdk({ model: "m", tools: { "a/b": { inputSchema } } })).rejects.toMatchObject({
      name: SpecError.name,
      code: "opaque-object",
      path: "/tools/a~1b/inputSchema",
    });
  });
});

test("the order in which functions are written does not matter", async () => {
  const stopWhen = () => true;
  const prepareStep = () => ({});
  const aiAgent = async (settings: object, tool: object) =>
    fingerprintSpec(await specFromAiSdk({ model: "m", ...settings, tools: { read: tool } }));
  const recorded = await aiAgent({ stopWhen, prepareStep }, { execute: stopWhen, describe: stopWhen });
  expect(await aiAgent({ prepareStep, stopWhen }, { describe: stopWhen, execute: stopWhen })).toEqual(recorded);
});

describe("OpenAI Agents", () => {
  test("an agent keeps its fingerprint until its definition changes", async () => {
    const recorded = await openAi.fingerprintAgent("Write.");
    expect(await openAi.fingerprintAgent("Write.")).toEqual(recorded);
    const edited = await openAi.fingerprintAgent("Rewrite.");
    const changed = Object.keys(recorded.fields).filter(
      (field) => edited.fields[field as "id"] !== recorded.fields[field as "id"],
    );
    expect(changed).toEqual(["systemPrompt"]);
  });

  test("instructions that are a function are hashed by their source, with a warning", async () => {
    const { warnings } = await openAi.fingerprintAgent(() => "Write.");
    expect(warnings.map(({ code }) => code)).toContain("function-prompt");
  });

  test("lists the parts that it cannot describe", async () => {
    class LocalModel {}
    const spec = await specFromOpenAiAgent({
      name: "writer",
      instructions: "Write.",
      model: new LocalModel(),
      mcpServers: [{ name: "files" }],
      outputType: z.object({ title: z.string() }),
      inputGuardrails: [{ name: "polite" }],
      toolUseBehavior: () => 1,
      prompt: () => "p",
      handoffs: [{ toolName: "ask", agentName: "critic", agent: {}, onInvokeHandoff: () => 1 }],
    });
    expect(spec).toMatchObject({
      model: { id: "LocalModel", toolUseBehavior: "function" },
      promptTemplate: { source: '() => "p"' },
      mcpServers: ["files"],
      outputSchema: { required: ["title"] },
      plugins: [{ id: "polite" }],
      subagents: [{ toolName: "ask", agentName: "critic" }],
    });
    expect(await specFromOpenAiAgent({ name: "w", instructions: "Write." })).toMatchObject({
      tools: [],
      subagents: [],
    });
  });
});

describe("any value of an agent", () => {
  const ring: { self?: unknown } = {};
  ring.self = [ring];
  const shared = { a: 1 };

  test.each<[name: string, value: unknown, described: unknown, unseen: string[]]>([
    ["plain data", { a: [1, null, "b", true], undefined: undefined }, { a: [1, null, "b", true] }, []],
    ["a shared object", [shared, shared], [shared, shared], []],
    ["a ring", ring, { self: [{ "~cycle": true }] }, []],
    ["a bigint", [10n], [{ "~bigint": "10" }], []],
    ["a date", [new Date(5)], [{ "~date": 5 }], []],
    ["a pattern", [/a+/i], [{ "~RegExp": "/a+/i" }], []],
    ["a URL", [new URL("https://a.example")], [{ "~URL": "https://a.example/" }], []],
    ["a schema", { s: z.string().min(2) }, { s: expect.objectContaining({ minLength: 2 }) }, ["/settings/s"]],
    ["a callable schema", { s: type("string > 2") }, { s: expect.objectContaining({ minLength: 3 }) }, ["/settings/s"]],
    ["functions", { b: Math.max, a: Math.min, c: 1 }, { c: 1, functions: ["a", "b"] }, ["/settings"]],
    [
      "functions next to a member of that name",
      { functions: ["a"], b: Math.max },
      { "~members": { functions: ["a"] }, functions: ["b"] },
      ["/settings"],
    ],
    ["functions in an array", [Math.max], [{ "~function": "max" }], ["/settings/0"]],
    [
      "symbols",
      { [Symbol("key")]: Symbol("value") },
      { "Symbol(key)": { "~symbol": "Symbol(value)" } },
      ["/settings/Symbol(key)"],
    ],
    ["hidden members", Object.defineProperty({}, "a", { value: 1 }), { a: 1 }, []],
    [
      "an instance",
      [
        new (class Cache {
          model = "large";
          apiKey = "k";
        })(),
      ],
      [{ "~class": "Cache", model: "large" }],
      ["/settings/0"],
    ],
    [
      "an object without a class",
      [Object.create(Object.create(null))],
      [{ "~class": "an object without a class" }],
      ["/settings/0"],
    ],
  ])("is described: %s", async (_name, settings, described, unseen) => {
    const spec = await specFromAiSdk({ model: "m", settings } as { model: string });
    const found = (spec.model as { settings: { settings: unknown } }).settings.settings;
    expect(found).toEqual(described);
    expect(spec.unseen?.map(({ path }) => path)).toEqual(unseen);
  });

  test("is refused if a schema in it does not show its JSON Schema", async () => {
    const settings = { nested: [v.object({ a: v.string() })] };
    await expect(specFromAiSdk({ model: "m", settings } as { model: string })).rejects.toMatchObject({
      code: "opaque-object",
      path: "/settings/nested/0",
    });
  });

  test("instructions that are a function are a prompt function", async () => {
    const spec = await specFromAiSdk({ model: "m", instructions: () => "Write." });
    expect(fingerprintSpec(spec).warnings.map(({ code }) => code)).toEqual(["function-prompt"]);
  });
});

describe("LangGraph", () => {
  const configurable = { thread_id: "1", checkpoint_id: "a", model: "large", systemPrompt: "Write." };

  test("a graph has one fingerprint in all threads, and another after its definition changed", async () => {
    const recorded = await langGraph.fingerprintGraph(configurable);
    const later = { ...configurable, thread_id: "2", checkpoint_id: "b", __pregel_resuming: true };
    expect(await langGraph.fingerprintGraph(later)).toEqual(recorded);
    const bigger = await langGraph.fingerprintGraph({ ...configurable, model: "larger" });
    expect(bigger.fields.model).not.toBe(recorded.fields.model);
    const reviewed = await langGraph.fingerprintGraph(configurable, { withReview: true });
    expect(reviewed.fields.subagents).not.toBe(recorded.fields.subagents);
    expect(reviewed.fields.model).toBe(recorded.fields.model);
  });

  test("needs the key that holds the prompt", () => {
    expect(() => specFromLangGraph({ id: "w", configurable: { prompt: "Write." } })).toThrow(
      expect.objectContaining({ code: "missing-system-prompt", path: "/configurable/systemPrompt" }),
    );
    const spec = specFromLangGraph({ id: "w", configurable: { prompt: "Write." }, promptKey: "prompt" });
    expect(spec).toMatchObject({ id: "w", systemPrompt: "Write.", model: {}, subagents: undefined });
    const edge = { source: "a", target: "b" };
    expect(specFromLangGraph({ id: "w", configurable, graph: { nodes: { a: null }, edges: [] } }).subagents).toEqual({
      nodes: ["a"],
      edges: [],
    });
    expect(specFromLangGraph({ id: "w", configurable, graph: { nodes: { a: 1 }, edges: [edge] } }).subagents).toEqual({
      nodes: ["a"],
      edges: [{ ...edge, conditional: false }],
    });
  });
});
