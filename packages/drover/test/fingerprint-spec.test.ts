import { sha256Hex } from "@agentprint/canonical-json";
import { type AgentSpec, fingerprintSpec, hashSpec, specFingerprintPayload } from "@agentprint/drover";
import { describe, expect, test } from "vitest";

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

  test("tells a collision of the 32-bit hash apart", () => {
    const aa = { ...base, systemPrompt: "Mode: Aa." };
    const bb = { ...base, systemPrompt: "Mode: BB." };
    expect(hashSpec(aa)).toBe(hashSpec(bb));
    expect(fingerprintSpec(aa).fields.systemPrompt).not.toBe(fingerprintSpec(bb).fields.systemPrompt);
  });

  test("tells a prompt function from the text of its source", () => {
    const asFunction: AgentSpec = { ...base, systemPrompt: () => "x" };
    const asText: AgentSpec = { ...base, systemPrompt: '() => "x"' };
    expect(hashSpec(asFunction)).toBe(hashSpec(asText));
    expect(fingerprintSpec(asFunction).sha256).not.toBe(fingerprintSpec(asText).sha256);
    expect(specFingerprintPayload(asFunction).systemPrompt).toEqual({ function: '() => "x"' });
  });

  test("refuses what JSON cannot see, with its path", () => {
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
  ])("%s", (_name, spec, expected) => {
    expect(codes({ ...base, ...spec })).toEqual(expected);
  });

  test("are bounded", () => {
    const tools = Array.from({ length: 100 }, () => () => 1);
    expect(codes({ ...base, tools })).toHaveLength(20);
  });

  test("visit a shared object once", () => {
    const shared = { run: () => 1 };
    expect(codes({ ...base, tools: [shared, shared] })).toEqual(["unhashed-function /tools/0/run"]);
  });
});
