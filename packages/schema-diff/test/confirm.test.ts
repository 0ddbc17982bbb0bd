import { describe, expect, test } from "vitest";
import { acceptsValue } from "../src/index.ts";
import { compareInput as compare } from "./support/compare.ts";

const S = { type: "string" };
const O = { type: "object" };

describe("a schema with several patterns is confirmed, each pattern with its own automaton", () => {
  test("when the patterns are for two members", () => {
    const before = {
      ...O,
      properties: { id: { ...S, pattern: "^[a-z]+$" }, version: { ...S, pattern: "^[0-9]+$" } },
      required: ["id", "version"],
    };
    const after = { ...before, required: ["id", "version", "region"] };
    expect(compare(before, after)).toMatchObject({
      verdict: "breaking",
      counterexample: { value: { id: "a", version: "0" } },
    });
  });

  test("when the patterns are for one string", () => {
    const after = { ...S, allOf: [{ pattern: "a" }, { pattern: "b" }] };
    expect(compare({ ...S, pattern: "a" }, after)).toMatchObject({
      verdict: "breaking",
      counterexample: { value: "a" },
    });
  });

  test("when the patterns are for names, one of them a name of the prototype", () => {
    const before = { ...O, patternProperties: { "^a": S, constructor: { type: "number" } }, required: ["a"] };
    const after = { ...before, required: ["a", "constructor"] };
    expect(compare(before, after).counterexample?.value).toEqual({ a: "a" });
    expect(compare(after, { ...after, maxProperties: 1 }).counterexample?.value).toEqual({ a: "a", constructor: 0 });
  });
});

describe("a schema that refers to its own root is confirmed", () => {
  const tree = { ...O, properties: { label: S, child: { $ref: "#" } }, additionalProperties: false };

  test.each([
    ["without an id", tree],
    ["with an id", { $id: "https://example.com/tree", ...tree }],
  ])("%s", (_, schema) => {
    const after = { ...schema, properties: { ...tree.properties, label: { ...S, minLength: 1 } } };
    expect(compare(schema, after)).toMatchObject({ verdict: "breaking", counterexample: { value: { label: "" } } });
    expect(acceptsValue(schema, { child: { child: 1 } })).toMatchObject({
      verdict: "rejects",
      places: [{ valuePath: "/child/child" }],
    });
  });
});
