import { type AgentSpec, diffSpecs, fingerprintSpec } from "@agentprint/drover";
import fc from "fast-check";
import { describe, expect, test } from "vitest";

const base: AgentSpec = { id: "writer", systemPrompt: "Write.\nBe brief.", tools: ["read", "write"] };
const values = (after: Partial<AgentSpec>, before: Partial<AgentSpec> = {}) =>
  diffSpecs({ ...base, ...before }, { ...base, ...after }).changes.flatMap((change) => change.values);

describe("diffSpecs", () => {
  test("finds nothing in equal specs, whatever the order of keys", () => {
    const before = { ...base, model: { provider: "a", id: "b" } };
    const after = { ...base, model: { id: "b", provider: "a" } };
    expect(diffSpecs(before, after)).toMatchObject({ drifted: false, changes: [] });
  });

  test("names the fields against a fingerprint alone", () => {
    const after = { ...base, systemPrompt: "Write.", model: "big" };
    const diff = diffSpecs(fingerprintSpec({ ...base, skills: ["x"] }), after);
    expect(diff.drifted).toBe(true);
    expect(diff.after.sha256).toBe(fingerprintSpec(after).sha256);
    expect(diff.changes).toEqual([
      { field: "model", kind: "added" },
      { field: "systemPrompt", kind: "changed" },
      { field: "skills", kind: "removed" },
    ]);
  });

  test.each([
    [{ sha256: "x" }],
    [{ spec32: "ZZ", sha256: "x", fields: { id: "1" } }],
    [{ ...fingerprintSpec(base), fields: { id: "1" } }],
  ])("refuses a malformed fingerprint: %j", (recorded) => {
    expect(() => diffSpecs(recorded as never, base)).toThrow(
      expect.objectContaining({ name: "SpecError", code: "invalid-spec", message: expect.stringContaining("sha256") }),
    );
  });

  test("refuses what is neither a spec nor a fingerprint", () => {
    for (const recorded of [null, "x", {}]) {
      expect(() => diffSpecs(recorded as never, base)).toThrow(expect.objectContaining({ name: "SpecError" }));
    }
  });

  test("names plugins where the spec has them", () => {
    const plugins = (...ids: string[]) => ({ plugins: ids.map((id) => ({ id })) });
    expect(values(plugins("a", "c"), plugins("a", "b"))).toEqual([
      { pointer: "/plugins/1/id", before: "b", after: "c", lines: expect.anything() },
    ]);
    expect(values(plugins("a", "b"), plugins("a"))).toEqual([{ pointer: "/plugins/1", after: { id: "b" } }]);
    expect(values({}, plugins("a"))).toEqual([{ pointer: "/plugins/0", before: { id: "a" } }]);
  });

  test("compares the sources of prompt functions", () => {
    expect(values({ systemPrompt: () => "a" }, { systemPrompt: () => "b" })).toEqual([
      expect.objectContaining({ pointer: "/systemPrompt", before: '() => "b"', after: '() => "a"' }),
    ]);
    expect(values({ systemPrompt: () => "a" })).toEqual([
      { pointer: "/systemPrompt", before: base.systemPrompt, after: { function: '() => "a"' } },
    ]);
  });

  test("compares prompts line by line", () => {
    expect(values({ systemPrompt: "Write.\nBe long.\nBe kind." })).toEqual([
      {
        pointer: "/systemPrompt",
        before: "Write.\nBe brief.",
        after: "Write.\nBe long.\nBe kind.",
        lines: [
          { kind: "removed", line: 2, text: "Be brief." },
          { kind: "added", line: 2, text: "Be long." },
          { kind: "added", line: 3, text: "Be kind." },
        ],
      },
    ]);
  });

  test("names values by JSON Pointer", () => {
    const before = { type: "object", properties: { "a/b": { type: "string" }, old: true }, required: ["a/b"] };
    const after = { type: "object", properties: { "a/b": { type: "number" }, new: 1 }, required: ["x", "a/b"] };
    expect(values({ inputSchema: after }, { inputSchema: before })).toEqual([
      expect.objectContaining({ pointer: "/inputSchema/properties/a~1b/type", before: "string", after: "number" }),
      { pointer: "/inputSchema/properties/new", after: 1 },
      { pointer: "/inputSchema/properties/old", before: true },
      { pointer: "/inputSchema/required/0", after: "x" },
    ]);
  });

  test("distinguishes a removed element from a changed one", () => {
    expect(values({ tools: ["write"] })).toEqual([{ pointer: "/tools/0", before: "read" }]);
    expect(values({ tools: ["read", "bash", "edit"] })).toEqual([
      expect.objectContaining({ pointer: "/tools/1", before: "write", after: "bash" }),
      { pointer: "/tools/2", after: "edit" },
    ]);
    expect(values({ tools: [] })).toHaveLength(2);
  });

  test("reports a field that only one spec has as a whole", () => {
    expect(values({ model: { id: "b" } })).toEqual([{ pointer: "/model", after: { id: "b" } }]);
    expect(values({}, { model: 1 })).toEqual([{ pointer: "/model", before: 1 }]);
    expect(values({ model: [1] }, { model: { 0: 1 } })).toEqual([{ pointer: "/model", before: { 0: 1 }, after: [1] }]);
  });

  test("reports a difference below the deepest level it walks as a whole", () => {
    const nest = (leaf: number): unknown => JSON.parse(`${"[".repeat(400)}${leaf}${"]".repeat(400)}`);
    const [change] = values({ model: nest(1) }, { model: nest(2) });
    expect(change?.pointer.split("/")).toHaveLength(258);
  });

  test("says drifted exactly when a field changed", () => {
    const spec = fc.record({
      id: fc.string(),
      systemPrompt: fc.string(),
      model: fc.jsonValue(),
      quota: fc.jsonValue(),
    });
    fc.assert(
      fc.property(spec, spec, (before, after) => {
        const diff = diffSpecs(before, after);
        expect(diff.drifted).toBe(diff.changes.length > 0);
        for (const change of diff.changes) expect(change.values?.length).toBeGreaterThan(0);
      }),
    );
  });

  test("keeps an own __proto__ key as data", () => {
    const before = { ...base, model: JSON.parse('{"__proto__":{"x":1}}') };
    const after = { ...base, model: JSON.parse('{"__proto__":{"x":2}}') };
    expect(diffSpecs(before, after).changes[0]?.values?.[0]?.pointer).toBe("/model/__proto__/x");
    expect(({} as { x?: number }).x).toBeUndefined();
  });
});
