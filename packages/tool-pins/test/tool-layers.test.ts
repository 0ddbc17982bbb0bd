import { canonicalize, type JsonObject, type JsonValue } from "@agentprint/canonical-json";
import { anyTool } from "@agentprint/testing/lock/arbitrary-tools";
import { pointersOf, valueAt, withValueAt } from "@agentprint/testing/lock/pointers-of";
import { runs } from "@agentprint/testing/property-runs";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { fingerprintTool, LAYERS, toolLayers } from "../src/index.ts";

describe("partition", () => {
  test("each member of a tool is in one layer, under its own pointer", () => {
    const layers = toolLayers({
      name: "move_file",
      title: "Move",
      description: "Moves a file",
      inputSchema: {
        type: "object",
        title: "Arguments",
        properties: { source: { type: "string", description: "From" }, description: { type: "string" } },
        required: ["source"],
      },
      outputSchema: { type: "object", $comment: "internal" },
      annotations: { title: "Move", destructiveHint: true },
      execution: { taskSupport: "forbidden" },
      _meta: { description: "x" },
    });
    expect(layers).toEqual({
      contract: {
        name: "move_file",
        inputSchema: {
          type: "object",
          properties: { source: { type: "string" }, description: { type: "string" } },
          required: ["source"],
        },
        outputSchema: { type: "object" },
      },
      prose: {
        title: "Move",
        description: "Moves a file",
        inputSchema: { title: "Arguments", properties: { source: { description: "From" } } },
        outputSchema: { $comment: "internal" },
      },
      hints: { annotations: { title: "Move", destructiveHint: true } },
      rest: { execution: { taskSupport: "forbidden" }, _meta: { description: "x" } },
    });
  });

  const prose = { description: "d", title: "t", $comment: "c", examples: ["e"] };

  test.each<[string, JsonValue, JsonValue, JsonObject | undefined]>([
    ["keyword with a schema", { items: prose }, { items: {} }, { items: prose }],
    ["keyword with a list of schemas", { allOf: [true, prose] }, { allOf: [true, {}] }, { allOf: { 1: prose } }],
    ["items as a list", { items: [prose] }, { items: [{}] }, { items: { 0: prose } }],
    ["schemas by name", { $defs: { title: prose } }, { $defs: { title: {} } }, { $defs: { title: prose } }],
    [
      "dependencies on a schema and on names",
      { dependencies: { a: prose, b: ["description"] } },
      { dependencies: { a: {}, b: ["description"] } },
      { dependencies: { a: prose } },
    ],
    [
      "a property named __proto__",
      { properties: JSON.parse('{"__proto__":{"title":"t"}}') },
      { properties: JSON.parse('{"__proto__":{}}') },
      { properties: JSON.parse('{"__proto__":{"title":"t"}}') },
    ],
    ["prose that is not text", { description: { a: 1 }, title: 5 }, {}, { description: { a: 1 }, title: 5 }],
  ])("prose: %s", (_name, schema, contract, expected) => {
    const layers = toolLayers({ inputSchema: schema });
    expect(canonicalize(layers.contract["inputSchema"])).toBe(canonicalize(contract));
    expect(canonicalize(layers.prose["inputSchema"])).toBe(canonicalize(expected));
  });

  test.each<[string, JsonValue]>([
    ["const", { const: prose }],
    ["enum", { enum: [prose] }],
    ["default", { default: prose }],
    ["a keyword of nobody", { "x-ui": prose }],
    ["properties that are a list", { properties: [prose] }],
    ["allOf that is no list", { allOf: prose }],
    ["dependentRequired", { dependentRequired: { a: ["title"] } }],
    ["properties named like prose", { properties: { title: true, description: {}, examples: false, $comment: true } }],
    ["a schema that is no object", ["description"]],
    ["nothing", null],
  ])("contract: %s", (_name, schema) => {
    expect(toolLayers({ inputSchema: schema })).toEqual({
      contract: { inputSchema: schema },
      prose: {},
      hints: {},
      rest: {},
    });
  });

  test.each([
    "additionalItems",
    "additionalProperties",
    "contains",
    "contentSchema",
    "else",
    "if",
    "items",
    "not",
    "propertyNames",
    "then",
    "unevaluatedItems",
    "unevaluatedProperties",
  ])("%s has a schema", (keyword) => {
    expect(toolLayers({ outputSchema: { [keyword]: prose } }).prose).toEqual({ outputSchema: { [keyword]: prose } });
  });

  test("the layers merged again are the tool, with each value once", () => {
    fc.assert(
      fc.property(anyTool, (tool) => {
        const { contract, prose: texts, hints, rest } = toolLayers(tool);
        const whole = merge(merge(merge(contract, texts), hints), rest);
        expect(canonicalize(whole)).toBe(canonicalize(tool));
      }),
      { numRuns: runs(50) },
    );
  });
});

describe("digests", () => {
  const differing = (a: JsonObject, b: JsonObject): string[] => {
    const [x, y] = [fingerprintTool(a), fingerprintTool(b)];
    return LAYERS.filter((layer) => x[layer] !== y[layer]);
  };

  test("wire changes if and only if a layer does, wherever a value is replaced or taken out", () => {
    fc.assert(
      fc.property(
        anyTool,
        fc.constantFrom<JsonValue | undefined>(undefined, "new", 7, { description: "new" }),
        (tool, value) => {
          for (const pointer of pointersOf(tool).slice(1)) {
            const changed = withValueAt(tool, pointer, value) as JsonObject;
            const same = canonicalize(changed) === canonicalize(tool);
            expect(fingerprintTool(changed).wire === fingerprintTool(tool).wire).toBe(same);
            expect(differing(tool, changed).length === 0).toBe(same);
          }
        },
      ),
      { numRuns: runs(20) },
    );
  });

  test("two tools have the same wire digest if and only if they have the same layers", () => {
    fc.assert(
      fc.property(anyTool, anyTool, (a, b) => {
        expect(fingerprintTool(a).wire === fingerprintTool(b).wire).toBe(differing(a, b).length === 0);
      }),
      { numRuns: runs(50) },
    );
  });

  test("a change of one leaf is in the layer that holds the leaf", () => {
    fc.assert(
      fc.property(anyTool, (tool) => {
        const layers = toolLayers(tool);
        for (const layer of LAYERS) {
          for (const pointer of pointersOf(layers[layer]).slice(1)) {
            const leaf = valueAt(layers[layer], pointer);
            if (typeof leaf === "object" && leaf !== null) continue;
            expect(differing(tool, withValueAt(tool, pointer, `${leaf} changed`) as JsonObject)).toEqual([layer]);
          }
        }
      }),
      { numRuns: runs(20) },
    );
  });

  test("the order of members changes no digest, the order of elements does", () => {
    expect(
      differing(
        { name: "a", inputSchema: { type: "object", title: "t" } },
        { inputSchema: { title: "t", type: "object" }, name: "a" },
      ),
    ).toEqual([]);
    expect(differing({ inputSchema: { required: ["a", "b"] } }, { inputSchema: { required: ["b", "a"] } })).toEqual([
      "contract",
    ]);
  });

  test("are those of the payloads that toolLayers shows", () => {
    // SHA-256 of `{"name":"a"}` and of `{}`, from sha256sum.
    expect(fingerprintTool({ name: "a" })).toEqual({
      wire: "d9d719b27480b55cd4918020e7473e716ed3569c8adafe926cf9b10b4f8ef064",
      contract: "d9d719b27480b55cd4918020e7473e716ed3569c8adafe926cf9b10b4f8ef064",
      prose: "44136fa355b3678a1146ad16f7e8649e94fb4fc21fe77e8310c060f61caaff8a",
      hints: "44136fa355b3678a1146ad16f7e8649e94fb4fc21fe77e8310c060f61caaff8a",
      rest: "44136fa355b3678a1146ad16f7e8649e94fb4fc21fe77e8310c060f61caaff8a",
    });
  });
});

function merge(contract: JsonValue, prose: JsonValue): JsonValue {
  if (!isTree(prose)) throw new Error("prose inside a leaf");
  if (Array.isArray(contract)) {
    return contract.map((item, index) => (Object.hasOwn(prose, index) ? merge(item, prose[index] ?? null) : item));
  }
  if (!isTree(contract)) throw new Error("prose inside a leaf");
  const shared = Object.entries(contract).map(([key, value]): [string, JsonValue] => [
    key,
    Object.hasOwn(prose, key) ? merge(value, prose[key] ?? null) : value,
  ]);
  return Object.fromEntries([...Object.entries(prose).filter(([key]) => !Object.hasOwn(contract, key)), ...shared]);
}

function isTree(value: JsonValue): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

test("a schema of a million levels has no layers, and takes no stack", () => {
  let inputSchema: JsonObject = {};
  for (let level = 0; level < 1_000_000; level++) inputSchema = { not: inputSchema };
  expect(() => toolLayers({ inputSchema })).toThrow(expect.objectContaining({ code: "invalid-definition" }));
});
