import { type AgentSpec, diffSpecs, fingerprintSpec } from "@agentprint/drover";
import fc from "fast-check";
import { describe, expect, test } from "vitest";

const base: AgentSpec = { id: "writer", systemPrompt: "Write.\nBe brief.", tools: ["read", "write"] };
const values = (changed: Partial<AgentSpec>, recorded: Partial<AgentSpec> = {}) =>
  diffSpecs({ ...base, ...recorded }, { ...base, ...changed }).changes.flatMap((change) => change.values);

describe("diffSpecs", () => {
  test("finds nothing in equal specs, whatever the order of keys", () => {
    const recorded = { ...base, model: { provider: "a", id: "b" } };
    const current = { ...base, model: { id: "b", provider: "a" } };
    expect(diffSpecs(recorded, current)).toMatchObject({ drifted: false, changes: [] });
  });

  test("names the fields against a fingerprint alone", () => {
    const current = { ...base, systemPrompt: "Write.", model: "big" };
    const diff = diffSpecs(fingerprintSpec({ ...base, skills: ["x"] }), current);
    expect(diff.drifted).toBe(true);
    expect(diff.current.sha256).toBe(fingerprintSpec(current).sha256);
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
      { path: "/plugins/1/id", kind: "changed", recorded: "b", current: "c", lines: expect.anything() },
    ]);
    expect(values(plugins("a", "b"), plugins("a"))).toEqual([
      { path: "/plugins/1", kind: "added", current: { id: "b" } },
    ]);
    expect(values({}, plugins("a"))).toEqual([{ path: "/plugins/0", kind: "removed", recorded: { id: "a" } }]);
  });

  test("compares the sources of prompt functions", () => {
    expect(values({ systemPrompt: () => "a" }, { systemPrompt: () => "b" })).toEqual([
      expect.objectContaining({ path: "/systemPrompt", recorded: '() => "b"', current: '() => "a"' }),
    ]);
    expect(values({ systemPrompt: () => "a" })).toEqual([
      { path: "/systemPrompt", kind: "changed", recorded: base.systemPrompt, current: { function: '() => "a"' } },
    ]);
  });

  test("compares prompts line by line", () => {
    expect(values({ systemPrompt: "Write.\nBe long.\nBe kind." })).toEqual([
      {
        path: "/systemPrompt",
        kind: "changed",
        recorded: "Write.\nBe brief.",
        current: "Write.\nBe long.\nBe kind.",
        lines: [
          { kind: "removed", recordedLine: 2, text: "Be brief." },
          { kind: "added", currentLine: 2, text: "Be long." },
          { kind: "added", currentLine: 3, text: "Be kind." },
        ],
      },
    ]);
  });

  test("names values by JSON Pointer", () => {
    const before = { type: "object", properties: { "a/b": { type: "string" }, old: true }, required: ["a/b"] };
    const after = { type: "object", properties: { "a/b": { type: "number" }, new: 1 }, required: ["x", "a/b"] };
    expect(values({ inputSchema: after }, { inputSchema: before })).toEqual([
      expect.objectContaining({ path: "/inputSchema/properties/a~1b/type", kind: "changed" }),
      { path: "/inputSchema/properties/old", kind: "removed", recorded: true },
      { path: "/inputSchema/properties/new", kind: "added", current: 1 },
      { path: "/inputSchema/required/0", kind: "added", current: "x" },
    ]);
  });

  test("tells a removed element from a changed one", () => {
    expect(values({ tools: ["write"] })).toEqual([{ path: "/tools/0", kind: "removed", recorded: "read" }]);
    expect(values({ tools: ["read", "bash", "edit"] })).toEqual([
      expect.objectContaining({ path: "/tools/1", kind: "changed", recorded: "write", current: "bash" }),
      { path: "/tools/2", kind: "added", current: "edit" },
    ]);
    expect(values({ tools: [] })).toHaveLength(2);
  });

  test("reports a field that only one spec has as a whole", () => {
    expect(values({ model: { id: "b" } })).toEqual([{ path: "/model", kind: "added", current: { id: "b" } }]);
    expect(values({}, { model: 1 })).toEqual([{ path: "/model", kind: "removed", recorded: 1 }]);
    expect(values({ model: [1] }, { model: { 0: 1 } })).toEqual([
      { path: "/model", kind: "changed", recorded: { 0: 1 }, current: [1] },
    ]);
  });

  test("reports a difference below the deepest level it walks as a whole", () => {
    const nest = (leaf: number): unknown => JSON.parse(`${"[".repeat(400)}${leaf}${"]".repeat(400)}`);
    const [change] = values({ model: nest(1) }, { model: nest(2) });
    expect(change?.path.split("/")).toHaveLength(257);
  });

  test("says drifted exactly when a field changed", () => {
    const spec = fc.record({
      id: fc.string(),
      systemPrompt: fc.string(),
      model: fc.jsonValue(),
      quota: fc.jsonValue(),
    });
    fc.assert(
      fc.property(spec, spec, (recorded, current) => {
        const diff = diffSpecs(recorded, current);
        expect(diff.drifted).toBe(diff.changes.length > 0);
        for (const change of diff.changes) expect(change.values?.length).toBeGreaterThan(0);
      }),
    );
  });

  test("keeps an own __proto__ key as data", () => {
    const recorded = { ...base, model: JSON.parse('{"__proto__":{"x":1}}') };
    const current = { ...base, model: JSON.parse('{"__proto__":{"x":2}}') };
    expect(diffSpecs(recorded, current).changes[0]?.values?.[0]?.path).toBe("/model/__proto__/x");
    expect(({} as { x?: number }).x).toBeUndefined();
  });
});
