import { diffJson, type JsonValue } from "@agentprint/canonical-json";
import { pairElements } from "@agentprint/json-schema";
import { expect, test } from "vitest";
import { createSchemaMixer } from "../src/index.ts";

function mixerOf(before: JsonValue, after: JsonValue) {
  const edits = diffJson(before, after, { pairElements });
  return { pointers: edits.map(({ pointer }) => pointer), mix: createSchemaMixer(before, after, edits) };
}

test("edits are applied alone and together, to the schema before", () => {
  const [before, after] = [
    { type: "string", minLength: 1 },
    { type: "number", minimum: 1 },
  ];
  const { pointers, mix } = mixerOf(before, after);
  expect(pointers).toEqual(["/minLength", "/minimum", "/type"]);
  expect(mix([])).toEqual(before);
  expect(mix([0])).toEqual({ type: "string" });
  expect(mix([1, 2])).toEqual({ type: "number", minLength: 1, minimum: 1 });
  expect(mix(pointers.keys())).toEqual(after);
});

test("no mixture lacks a definition of either schema", () => {
  const before = { $ref: "#/$defs/A", $defs: { A: { type: "string" } } };
  const after = { $ref: "#/$defs/B", $defs: { B: { type: "number" } } };
  const { pointers, mix } = mixerOf(before, after);
  expect(pointers).toEqual(["/$defs/A", "/$defs/B", "/$ref"]);
  const $defs = { A: { type: "string" }, B: { type: "number" } };
  expect(mix([0])).toEqual({ $ref: "#/$defs/A", $defs });
  expect(mix([0, 1, 2])).toEqual({ $ref: "#/$defs/B", $defs });
});

test("edits that are no list are refused", () => {
  expect(() => createSchemaMixer({}, {}, 1 as never)).toThrow("edits");
});
