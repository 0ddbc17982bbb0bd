import { describe, expect, test } from "vitest";
import { DEFAULT_LIMITS, type VisitOptions, visitServer } from "../src/index.ts";
import type { Script } from "./servers/scripted-server.ts";
import { options, scripted, tool, toolNames, visitInMemory } from "./support/targets.ts";

const legacy: Script = { eras: ["legacy"] };

const inProcess: typeof visitInMemory = (script, changes) => visitServer(scripted(script), options(changes));
const visit = async (script: Script, changes: Partial<VisitOptions> = {}, way = visitInMemory) => {
  const warnings: string[] = [];
  const answers = await way(script, { warn: (text) => warnings.push(text), settle: 1, ...changes });
  return { session: answers.sessions[0], warnings };
};

describe("the lists of a server", () => {
  test("are asked for whether the server declares them or not", async () => {
    const results = { "tools/list": [{ tools: [tool("hidden")] }], "prompts/list": [{ prompts: [{ name: "seen" }] }] };
    const { session, warnings } = await visit({ ...legacy, capabilities: { prompts: {} }, results });
    expect(toolNames(session)).toEqual(["hidden"]);
    expect(Object.keys(session?.lists ?? {})).toEqual(["tools", "prompts"]);
    expect(warnings).toEqual([]);
  });

  test.each([-32602, -32603, -32000])(
    "are missing where a list that is not declared is refused with %i",
    async (code) => {
      const errors = { "prompts/list": { code, message: "no prompts" } };
      const { session, warnings } = await visit({ ...legacy, errors, results: { "tools/list": [{ tools: [] }] } });
      expect(session?.lists).toEqual({ tools: [[{ tools: [] }], [{ tools: [] }]] });
      expect(warnings.join()).toContain("prompts/list");
    },
  );

  test("fail the visit where a declared list is refused", async () => {
    const errors = { "tools/list": { code: -32603, message: "broken" } };
    await expect(visit({ ...legacy, errors })).rejects.toMatchObject({
      code: "server-error",
      details: { rpcCode: -32603, fix: expect.stringContaining("report it to its author") },
    });
  });

  test("are noted where they have a name more than once", async () => {
    const notes: string[] = [];
    const results = { "tools/list": [{ tools: [tool("one"), tool("same"), tool("same")] }] };
    const { session } = await visit({ ...legacy, results }, { onNote: (note) => notes.push(note) });
    expect(toolNames(session)).toEqual(["one", "same", "same"]);
    expect(notes).toEqual(["tools/list has same more than once, which counts as one if all are the same"]);
  });

  test("are missing where the server does not answer for a list that it does not declare", async () => {
    const results = { "tools/list": [{ tools: [tool("one")] }] };
    const { session, warnings } = await visit({ ...legacy, results, silent: ["prompts/list"] }, { probeTimeout: 200 });
    expect(Object.keys(session?.lists ?? {})).toEqual(["tools"]);
    expect(warnings.join()).toContain("prompts/list");
  });

  test.each([0, 1])(
    "are there where the process of the server gets no processor before its answer %i for longer than the allowed silence",
    async (nth) => {
      const results = { "tools/list": [{ tools: [tool("one")] }], "prompts/list": [{ prompts: [{ name: "seen" }] }] };
      const stands = { method: "prompts/list", nth, ms: 600 };
      const { session, warnings } = await visit({ ...legacy, results, stands }, { probeTimeout: 200 }, inProcess);
      expect(session?.lists.prompts).toEqual([[{ prompts: [{ name: "seen" }] }], [{ prompts: [{ name: "seen" }] }]]);
      expect(warnings).toEqual([]);
    },
  );

  test("are missing where the server answers neither for them nor for anything else that it does not know", async () => {
    const results = { "tools/list": [{ tools: [tool("one")] }] };
    const silent = ["prompts/list", "resources/list", "resources/templates/list", "ping"];
    const limits = { ...DEFAULT_LIMITS, requestTimeout: 500 };
    const { session, warnings } = await visit({ ...legacy, results, silent }, { probeTimeout: 100, limits });
    expect(Object.keys(session?.lists ?? {})).toEqual(["tools"]);
    for (const method of silent) expect(warnings.join("\n")).toContain(method);
  });

  test("keep every member of every page", async () => {
    const pages = [
      { tools: [tool("one")], nextCursor: "2", systemPrompt: "obey", _meta: { a: 1 } },
      { tools: [tool("two")] },
    ];
    const script: Script = { ...legacy, results: { "tools/list": [...pages, ...pages] } };
    for (const way of [inProcess, visitInMemory]) {
      const { session } = await visit(script, {}, way);
      expect(session?.lists.tools).toEqual([pages, pages]);
    }
  });

  const [first, second] = [{ tools: [tool("one")], nextCursor: "" }, { tools: [tool("two")] }];
  test.each([
    { name: "goes on behind an empty cursor", answers: [first, second, first, second], tools: [first, second] },
    { name: "ends where an empty cursor begins the list again", answers: [first], tools: [first] },
    {
      name: "ends at the second empty cursor",
      answers: [first, { ...second, nextCursor: "" }, first, { ...second, nextCursor: "" }],
      tools: [first, { ...second, nextCursor: "" }],
    },
  ])("$name", async ({ answers, tools }) => {
    const { session } = await visit({ ...legacy, results: { "tools/list": answers } });
    expect(session?.lists.tools).toEqual([tools, tools]);
  });

  test.each([
    { limit: { maxItems: 1 }, code: "server-limit" },
    { limit: { maxPages: 1 }, code: "server-limit" },
    { limit: { maxBytes: 300 }, code: "server-limit" },
  ])("are not read beyond $limit", async ({ limit, code }) => {
    const pages = [{ tools: [tool("one")], nextCursor: "2" }, { tools: [tool("two")] }];
    const script: Script = { ...legacy, results: { "tools/list": pages } };
    await expect(visit(script, { limits: { ...DEFAULT_LIMITS, ...limit } })).rejects.toMatchObject({ code });
  });

  test.each([{ tools: "none" }, { tools: [1] }, {}, { tools: [], nextCursor: 5 }])(
    "are garbage as %j",
    async (result) => {
      const script: Script = { ...legacy, results: { "tools/list": [result] } };
      await expect(visit(script)).rejects.toMatchObject({ code: "server-garbage" });
    },
  );
});

describe("a list that fails although tools were listed", () => {
  const error = { code: -32603, message: "Internal error: no database" };
  const results = { "tools/list": [{ tools: [tool("one")] }] };
  const capabilities = { tools: {}, prompts: {}, resources: {} };
  const missing = { "resources/templates/list": { code: -32601, message: "no" } };

  test.each([
    ["prompts/list", "prompts"],
    ["resources/list", "resources"],
    ["resources/templates/list", "resourceTemplates"],
  ])("is named with its error, and the rest is read: %s", async (method, list) => {
    const errors = { ...missing, [method]: error };
    const { session } = await visit({ ...legacy, capabilities, results, errors });
    expect(session?.unread).toEqual({ [list]: expect.stringContaining("no database") });
    expect(Object.keys(session?.lists ?? {})).toEqual(["tools"]);
  });

  test("fails the visit where its second page is none", async () => {
    const broken = [{ prompts: [{ name: "a" }], nextCursor: "2" }, { prompts: "none" }];
    const script: Script = { ...legacy, capabilities, results: { ...results, "prompts/list": broken } };
    await expect(visit(script)).rejects.toMatchObject({ code: "server-garbage" });
  });

  test.each<[string, Script]>([
    ["without a tool", { results: { "tools/list": [{ tools: [] }] }, errors: { "prompts/list": error } }],
    ["without a list of tools", { results: {}, errors: { "prompts/list": error } }],
    ["if it is the list of tools", { results: { "prompts/list": [{ prompts: [] }] }, errors: { "tools/list": error } }],
  ])("fails the visit %s", async (_, script) => {
    await expect(visit({ ...legacy, capabilities, ...script })).rejects.toMatchObject({
      code: "server-error",
      details: { rpcCode: -32603 },
    });
  });

  test.each<[string, Script, string]>([
    [
      "is answered once",
      { results: { ...results, "prompts/list": [{ prompts: [] }] }, errorsOnce: ["prompts/list"] },
      "server-unstable",
    ],
    ["is not answered", { results, silent: ["prompts/list"] }, "server-timeout"],
    ["is no list", { results: { ...results, "prompts/list": [{}] } }, "server-garbage"],
    ["ends the server", { results, exitOn: "prompts/list" }, "server-ended"],
  ])("fails the visit where it %s", async (_, script, code) => {
    const limits = { ...DEFAULT_LIMITS, requestTimeout: 500 };
    const errors = { "prompts/list": error };
    await expect(visit({ ...legacy, capabilities, errors, ...script }, { limits })).rejects.toMatchObject({ code });
  });
});

describe("a request of the server", () => {
  test("is answered before its lists are read, in the handshake era", async () => {
    const asks = ["ping", "roots/list", "elicitation/create", "sampling/createMessage", "other"].map((method) => ({
      method,
    }));
    const script: Script = { ...legacy, asks, echo: true };
    const { session } = await visit(script, {}, inProcess);
    const answers = session?.lists.tools?.[1]?.[0]?.["answers"] as Record<string, unknown>;
    expect(answers).toEqual({
      "ask-0": { result: {} },
      "ask-1": { result: { roots: [] } },
      "ask-2": { result: { action: "decline" } },
      "ask-3": { error: { code: -1, message: "User rejected sampling request" } },
      "ask-4": { error: { code: -32601, message: "Method not found" } },
    });
  });

  test.each(["sampling/createMessage", "roots/list", "elicitation/create", "other"])(
    "is answered and noted where it comes before the answer to the greeting: %s",
    async (method) => {
      const notes: string[] = [];
      const script: Script = { ...legacy, early: [{ method: "ping" }, { method }, { method: "later" }], echo: true };
      const { session } = await visit(script, { onNote: (note) => notes.push(note) });
      const answers = session?.lists.tools?.[1]?.[0]?.["answers"] as Record<string, unknown>;
      expect(Object.keys(answers)).toEqual(["early-0", "early-1", "early-2"]);
      expect(notes).toEqual([expect.stringContaining(`before it answered its greeting: ${method};`)]);
    },
  );

  test("fails the visit where it is one of a flood before the answer to the greeting", async () => {
    const early = Array<object>(1000).fill({ method: "sampling/createMessage" });
    await expect(visit({ ...legacy, early, echo: true })).rejects.toMatchObject({ code: "server-limit" });
  });

  test("is answered before the greeting of a server that speaks without a handshake", async () => {
    const script: Script = { eras: ["modern"], early: [{ method: "roots/list" }], echo: true };
    const { session } = await visit(script);
    expect(session?.lists.tools?.[1]?.[0]?.["answers"]).toEqual({ "early-0": { result: { roots: [] } } });
  });

  test("is garbage behind the greeting in the modern era", async () => {
    const script: Script = { eras: ["modern"], asks: [{ method: "ping" }], results: { "tools/list": [{ tools: [] }] } };
    await expect(visit(script)).rejects.toMatchObject({ code: "server-garbage" });
  });

  test("is answered by a new request where a modern server needs input", async () => {
    const asked = {
      resultType: "input_required",
      inputRequests: { a: { method: "elicitation/create", params: {} }, b: { method: "roots/list" } },
      requestState: "state",
    };
    const script: Script = { eras: ["modern"], results: { "tools/list": [asked, { tools: [tool("one")] }] } };
    const { session } = await visit(script);
    expect(toolNames(session)).toEqual(["one"]);
  });

  test("fails the visit where a modern server asks for input without end", async () => {
    const script: Script = {
      eras: ["modern"],
      results: { "tools/list": [{ resultType: "input_required", requestState: "x" }] },
    };
    await expect(visit(script)).rejects.toMatchObject({ code: "server-error" });
  });
});

describe("contents", () => {
  const ui = {
    ...tool("chart"),
    _meta: { ui: { resourceUri: "ui://chart/view" }, deep: [{ other: "ui://chart/other" }] },
  };
  const html = { contents: [{ uri: "ui://chart/view", mimeType: "text/html;profile=mcp-app", text: "<p>" }] };

  test("of user interfaces that tools refer to are read twice, and a refused content is named", async () => {
    const script: Script = { ...legacy, results: { "tools/list": [{ tools: [ui] }], "resources/read": [html] } };
    const { session } = await visit(script);
    expect(session?.contents).toEqual([
      { kind: "ui", name: "ui://chart/other", results: [html, html] },
      { kind: "ui", name: "ui://chart/view", results: [html, html] },
    ]);
    const refused = await visit({ ...legacy, results: { "tools/list": [{ tools: [ui] }] } });
    expect(refused.session?.contents.map(({ results }) => results)).toEqual([[], []]);
    expect(refused.warnings.join()).toContain("ui://chart/view");
  });

  test("of prompts without required arguments and of text resources are read on demand", async () => {
    const results = {
      "tools/list": [{ tools: [] }],
      "prompts/list": [{ prompts: [{ name: "a" }, { name: "b", arguments: [{ name: "x", required: true }] }] }],
      "resources/list": [
        {
          resources: [
            { uri: "file:///a.txt", mimeType: "text/plain" },
            { uri: "file:///b.png", mimeType: "image/png" },
            { uri: "file:///c.json", mimeType: "application/json" },
            { uri: "file:///d", size: 2_000_000 },
          ],
        },
      ],
      "prompts/get": [{ messages: [] }],
      "resources/read": [{ contents: [] }],
    };
    const none = await visit({ ...legacy, results });
    expect(none.session?.contents).toEqual([]);
    const { session } = await visit({ ...legacy, results }, { contents: true });
    expect(session?.contents.map(({ kind, name }) => [kind, name])).toEqual([
      ["prompt", "a"],
      ["resource", "file:///a.txt"],
      ["resource", "file:///c.json"],
    ]);
  });
});

describe("a client without capabilities", () => {
  test("goes without a list that a server refuses it for its lack of capabilities", async () => {
    const error = { code: -32021, message: "needs sampling" };
    const errors = { "tools/list": error };
    const script: Script = { eras: ["modern"], errors, results: { "prompts/list": [{ prompts: [] }] } };
    const { session, warnings } = await visit(script, { views: ["bare"] });
    expect(Object.keys(session?.lists ?? {})).toEqual(["prompts"]);
    expect(warnings.join()).toContain("tools/list");
    await expect(visit(script)).rejects.toMatchObject({ code: "server-error" });
    const refused = await visit({ eras: ["legacy"], otherEra: { error } }, { views: ["bare"] });
    expect(refused.session?.era).toBe("legacy");
  });
});
