import { describe, expect, test } from "vitest";
import {
  hashToolSpecStatic,
  hydrateToolSpec,
  jsonSchema,
  policy,
  tool,
  toolSpecCanonicalPayload,
  toolSpecToWire,
} from "../src/index.ts";

const search = tool({
  name: "search",
  description: "",
  inputSchema: jsonSchema({ type: "object", properties: { 10: {}, 9: {} } }),
  instructions: ["b\n\nc", "", "a"],
  policies: [policy("z", () => true, { executeBinding: "snapshot" }), policy("a", () => true)],
  handler: () => [],
});

describe("wire form", () => {
  test("has the hashed members of a tool and no others", () => {
    expect(toolSpecToWire(search)).toEqual({
      name: "search",
      description: "",
      instructions: ["b\n\nc", "", "a"],
      inputSchema: { type: "object", properties: { 9: {}, 10: {} } },
      policyBindings: [
        { id: "z", executeBinding: "snapshot" },
        { id: "a", executeBinding: "live" },
      ],
    });
  });

  test.each(["code-unit", "locale"] as const)("replays the digest through JSON, %s", (sort) => {
    const replayed = hydrateToolSpec(JSON.parse(JSON.stringify(toolSpecToWire(search))));
    expect(hashToolSpecStatic(replayed, { sort })).toBe(search.computeStaticHash({ sort }));
    expect(Object.isFrozen(replayed)).toBe(true);
  });

  test("an absent description and an empty one differ", () => {
    const absent = { ...toolSpecToWire(search), description: null };
    expect(hydrateToolSpec(absent).description).toBeUndefined();
    expect(hashToolSpecStatic(hydrateToolSpec(absent))).not.toBe(search.staticHash);
  });

  test("an opaque schema stays opaque", () => {
    const opaque = { "~standard": { vendor: "v", version: 1, validate: () => ({ value: 1 }) } };
    const shut = tool({ name: "shut", inputSchema: opaque, handler: () => 1 });
    const replayed = hydrateToolSpec(toolSpecToWire(shut));
    expect(hashToolSpecStatic(replayed)).toBe(shut.staticHash);
    expect(() => toolSpecCanonicalPayload(replayed, { requireTransparentSchemas: true })).toThrow("v schema");
    const lookalike = { ...toolSpecToWire(shut), inputSchema: { vendor: { type: "string" }, version: 1 } };
    expect(toolSpecCanonicalPayload(hydrateToolSpec(lookalike), { requireTransparentSchemas: true }).schema).toEqual(
      lookalike.inputSchema,
    );
    const strict = { schemaSource: "standard-json-schema", requireTransparentSchemas: true } as const;
    expect(() => hashToolSpecStatic(replayed, strict)).toThrow(expect.objectContaining({ code: "opaque-schema" }));
  });
});

describe("a wire form from an untrusted source", () => {
  const good = JSON.parse(JSON.stringify(toolSpecToWire(search)));
  const refused: [string, unknown, string][] = [
    ["null", null, ""],
    ["text", "tool", ""],
    ["array", [], ""],
    ["no name", { ...good, name: "" }, "/name"],
    ["description", { ...good, description: 1 }, "/description"],
    ["instructions as one text", { ...good, instructions: "a\n\nb" }, "/instructions"],
    ["instruction that is no text", { ...good, instructions: ["a", 1] }, "/instructions/1"],
    ["no bindings", { ...good, policyBindings: undefined }, "/policyBindings"],
    ["binding that is no object", { ...good, policyBindings: [null] }, "/policyBindings/0"],
    ["binding without id", { ...good, policyBindings: [{ executeBinding: "live" }] }, "/policyBindings/0/id"],
    [
      "unknown binding",
      { ...good, policyBindings: [{ id: "p", executeBinding: "" }] },
      "/policyBindings/0/executeBinding",
    ],
    ["schema that is text", { ...good, inputSchema: "{}" }, "/inputSchema"],
    ["schema that is an array", { ...good, inputSchema: [] }, "/inputSchema"],
  ];
  test.each(refused)("%s is refused with its path", (_name, wire, path) => {
    expect(() => hydrateToolSpec(wire)).toThrow(expect.objectContaining({ code: "invalid-wire", path }));
  });
});
