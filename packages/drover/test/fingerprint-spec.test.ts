import { runInNewContext } from "node:vm";
import { sha256Hex } from "@agentprint/canonical-json";
import { type AgentSpec, fingerprintSpec, hashSpec, specFingerprintPayload } from "@agentprint/drover";
import { describe, expect, test } from "vitest";
import { z } from "zod";

const base: AgentSpec = { id: "writer", systemPrompt: "Write.", inputSchema: { type: "object", required: ["q"] } };

describe("fingerprintSpec", () => {
  test("is SHA-256 of the canonical payload, and of each field", () => {
    const { spec32, sha256, fields } = fingerprintSpec(base);
    expect(spec32).toBe(hashSpec(base));
    expect(sha256).toBe(
      sha256Hex(
        '{"id":"writer","inputSchema":{"required":["q"],"type":"object"},"instructionFiles":null,"memory":null,' +
          '"pluginIds":[],"promptTemplate":null,"quota":null,"systemPrompt":"Write."}',
      ),
    );
    expect(fields).toEqual({
      id: sha256Hex('"writer"'),
      systemPrompt: sha256Hex('"Write."'),
      inputSchema: sha256Hex('{"required":["q"],"type":"object"}'),
      quota: sha256Hex("null"),
      pluginIds: sha256Hex("[]"),
      memory: sha256Hex("null"),
      instructionFiles: sha256Hex("null"),
      promptTemplate: sha256Hex("null"),
    });
  });

  test("does not depend on the order of keys, unlike the 32-bit hash", () => {
    const reordered = { ...base, inputSchema: { required: ["q"], type: "object" } };
    expect(fingerprintSpec(reordered).sha256).toBe(fingerprintSpec(base).sha256);
    expect(hashSpec(reordered)).not.toBe(hashSpec(base));
  });

  test("distinguishes specs whose 32-bit hashes collide", () => {
    const aa = { ...base, systemPrompt: "Mode: Aa." };
    const bb = { ...base, systemPrompt: "Mode: BB." };
    expect(hashSpec(aa)).toBe(hashSpec(bb));
    expect(fingerprintSpec(aa).fields.systemPrompt).not.toBe(fingerprintSpec(bb).fields.systemPrompt);
  });

  test("distinguishes a prompt function from the text of its source", () => {
    const asFunction: AgentSpec = { ...base, systemPrompt: () => "x" };
    const asText: AgentSpec = { ...base, systemPrompt: '() => "x"' };
    expect(hashSpec(asFunction)).toBe(hashSpec(asText));
    expect(fingerprintSpec(asFunction).sha256).not.toBe(fingerprintSpec(asText).sha256);
    expect(specFingerprintPayload(asFunction).systemPrompt).toEqual({ function: '() => "x"' });
  });

  test("refuses content that JSON cannot see, with its path", () => {
    const spec = { ...base, memory: { index: new Map() } };
    expect(() => fingerprintSpec(spec)).toThrow(
      expect.objectContaining({ code: "opaque-object", path: "/memory/index" }),
    );
    const plugins = [{ id: new Map() }] as never;
    expect(() => fingerprintSpec({ ...base, plugins })).toThrow(
      expect.objectContaining({ path: "/plugins/0/id", message: expect.stringContaining("at /plugins/0/id") }),
    );
  });
});

describe("warnings", () => {
  const codes = (spec: AgentSpec): string[] =>
    fingerprintSpec(spec).warnings.map(({ code, path }) => `${code} ${path}`);
  const greeting = "hello";

  test.each<[string, Partial<AgentSpec>, string[]]>([
    ["nothing", { skills: [], mcpServers: null }, []],
    ["a closure", { systemPrompt: () => greeting }, ["function-prompt /systemPrompt"]],
    ["a bound function", { systemPrompt: (() => greeting).bind(null) }, ["native-prompt /systemPrompt"]],
    ["a native function", { systemPrompt: Math.max }, ["native-prompt /systemPrompt"]],
    ["plugins", { plugins: [{ id: "p" }] }, ["plugins-by-id /plugins"]],
    [
      "a plugin without an id",
      { plugins: [{ id: "p" }, {} as { id: string }] },
      ["plugins-by-id /plugins", "plugin-without-id /plugins/1"],
    ],
    [
      "a function as the id of a plugin",
      { plugins: [{ id: () => 1 } as never] },
      ["plugins-by-id /plugins", "plugin-without-id /plugins/0", "unhashed-function /plugins/0/id"],
    ],
    ["skills", { skills: ["review"] }, ["skills-by-name /skills"]],
    ["MCP servers", { mcpServers: { files: {} } }, ["mcp-tools /mcpServers"]],
    ["instruction files", { instructionFiles: { files: ["AGENTS.md"] } }, ["file-content /instructionFiles"]],
    ["a template on disk", { promptTemplate: { path: "a.njk" } }, ["file-content /promptTemplate/path"]],
    ["an inline template", { promptTemplate: { source: "{{ tools }}" } }, []],
    [
      "functions in values",
      { model: () => 1, tools: [{ "a/b": () => 1 }] },
      ["unhashed-function /model", "unhashed-function /tools/0/a~1b"],
    ],
    [
      "numbers that JSON has not",
      { tools: [Number.NaN, 1, -0], quota: { turns: -Infinity } },
      ["altered-value /tools/0", "altered-value /tools/2", "altered-value /quota/turns"],
    ],
    [
      "what is null in an array",
      { tools: [undefined, null, Symbol("s"), () => 1] },
      ["altered-value /tools/0", "hidden-members /tools/2", "unhashed-function /tools/3"],
    ],
    ["a hole", { tools: new Array(1) }, ["altered-value /tools/0"]],
    ["symbols", { model: { kind: Symbol("s") } }, ["hidden-members /model/kind"]],
    ["members that are symbols", { model: { [Symbol("s")]: 1 } }, ["hidden-members /model"]],
    ["members that are hidden", { model: Object.defineProperty({}, "a", { value: 1 }) }, ["hidden-members /model"]],
    [
      "an object that is not plain",
      {
        model: new (class {
          size = 1;
          #secret = 2;
          get secret() {
            return this.#secret;
          }
        })(),
      },
      ["hidden-members /model"],
    ],
    [
      "an object that inherits",
      { model: { a: Object.assign(Object.create({ b: 1 }), { c: 1 }) } },
      ["hidden-members /model/a"],
    ],
    ["plain objects of any kind", { model: Object.assign(Object.create(null), runInNewContext("({ a: [1] })")) }, []],
    ["an array with more than elements", { tools: Object.assign(["a"], { strict: true }) }, ["hidden-members /tools"]],
    ["an array that is not plain", { tools: new (class Tools extends Array {})() }, ["hidden-members /tools"]],
    ["an array without a prototype", { tools: Object.setPrototypeOf(["a"], null) }, ["hidden-members /tools"]],
    ["text in a wrapper", { model: Object("large") }, ["hidden-members /model"]],
    [
      "a value with toJSON",
      { model: new Date(0), tools: [{ toJSON: () => [Number.NaN] }] },
      ["custom-json /model", "custom-json /tools/0", "altered-value /tools/0/0"],
    ],
    ["a schema", { tools: { read: z.string() } }, ["schema-by-json-schema /tools/read"]],
    ["members that nothing covers", { maxTurns: 3, temperature: 1 } as Partial<AgentSpec>, ["uncovered-field "]],
    ["what an adapter could not see", { unseen: [{ path: "/tools/0", message: "m" }] }, ["unseen-part /tools/0"]],
    ["an unseen that is from no adapter", { unseen: [{ path: 1 }, null] as never }, []],
  ])("%s", (_name, spec, expected) => {
    expect(codes({ ...base, ...spec })).toEqual(expected);
  });

  test("are limited in number, and the last one counts the others", () => {
    const tools = Array.from({ length: 100 }, () => () => 1);
    const { warnings } = fingerprintSpec({ ...base, tools });
    expect(warnings).toHaveLength(20);
    expect(warnings.at(-1)).toEqual({
      code: "more-unseen",
      path: "",
      message: "81 more places hold something that is not hashed; they are not listed",
    });
    expect(codes({ ...base, tools: tools.slice(0, 20) }).at(-1)).toBe("unhashed-function /tools/19");
  });

  test("name the members that no field list covers, and report a spec that is no plain object", () => {
    const spec = { ...base, maxTurns: 3, pluginIds: [], "a\nb": 1, [Symbol("s")]: 1 };
    expect(fingerprintSpec(spec).warnings).toEqual([
      { code: "uncovered-field", path: "", message: "the covered fields do not include maxTurns, pluginIds, a\\u{a}b" },
      { code: "hidden-members", path: "", message: expect.stringContaining("only the covered fields") },
    ]);
    expect(fingerprintSpec(spec, { coverage: "docV1" }).warnings[0]?.message).not.toContain("maxTurns");
  });

  test("visit a shared object once", () => {
    const shared = { run: () => 1 };
    expect(codes({ ...base, tools: [shared, shared] })).toEqual(["unhashed-function /tools/0/run"]);
  });
});
