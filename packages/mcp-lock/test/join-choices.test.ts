import { diffJson, isSameJson, type JsonObject } from "@agentprint/canonical-json";
import { runs } from "@agentprint/testing/property-runs";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { joinChoices } from "../src/drift/join-choices.ts";
import { valueAt } from "../src/drift/value-at.ts";

const joined = (before: JsonObject, after: JsonObject) => joinChoices(diffJson(before, after), before, after);
const ofProperty = (schema: JsonObject): JsonObject => ({ inputSchema: { properties: { p: schema } } });
const [text, number, truth] = [{ type: "string" }, { type: "number" }, { type: "boolean" }];

describe("a rewritten list of choices is one change", () => {
  test.each(["anyOf", "oneOf", "allOf"])("of the list, where several of its schemas changed: %s", (keyword) => {
    const [before, after] = [{ [keyword]: [text, number] }, { [keyword]: [number, truth, text] }];
    expect(joined(ofProperty(before), ofProperty(after))).toEqual([
      { pointer: `/inputSchema/properties/p/${keyword}`, before: before[keyword], after: after[keyword] },
    ]);
  });

  test("of the schema, where it gained or lost the list together with other keywords", () => {
    const [plain, choice] = [{ type: "object", required: ["a"] }, { anyOf: [text, number] }];
    const pointer = "/inputSchema/properties/p";
    expect(joined(ofProperty(plain), ofProperty(choice))).toEqual([{ pointer, before: plain, after: choice }]);
    expect(joined(ofProperty(choice), ofProperty(plain))).toEqual([{ pointer, before: choice, after: plain }]);
  });

  test("of the outer list, where lists are in each other", () => {
    const nested = (inner: JsonObject[]): JsonObject => ofProperty({ anyOf: [{ oneOf: inner }, text] });
    expect(joined(nested([text, number]), nested([truth, text]))).toMatchObject([
      { pointer: "/inputSchema/properties/p/anyOf/0/oneOf" },
    ]);
    const both = (inner: JsonObject[], other: JsonObject): JsonObject =>
      ofProperty({ anyOf: [{ oneOf: inner }, other] });
    expect(joined(both([text, number], text), both([truth, text], truth))).toMatchObject([
      { pointer: "/inputSchema/properties/p/anyOf" },
    ]);
  });
});

describe("what stays as it is", () => {
  test.each<[string, JsonObject, JsonObject, string[]]>([
    ["one change in a list", { anyOf: [text, number] }, { anyOf: [text, truth] }, ["/anyOf/1/type"]],
    ["a list that is all that changed", text, { ...text, anyOf: [text] }, ["/anyOf"]],
    ["changes next to a list", { type: "string" }, { type: "number", title: "x" }, ["/title", "/type"]],
    [
      "properties of which one is named anyOf",
      { properties: { a: text } },
      { properties: { anyOf: text, b: text } },
      ["/properties/a", "/properties/anyOf", "/properties/b"],
    ],
  ])("%s", (_name, before, after, pointers) => {
    const changes = joined(ofProperty(before), ofProperty(after));
    expect(changes.map(({ pointer }) => pointer)).toEqual(pointers.map((each) => `/inputSchema/properties/p${each}`));
  });

  test("the keywords of the whole schema next to a list that it gained", () => {
    const changes = joined({ inputSchema: { type: "object" } }, { inputSchema: { anyOf: [text] } });
    expect(changes.map(({ pointer }) => pointer)).toEqual(["/inputSchema/anyOf", "/inputSchema/type"]);
  });
});

test("every change has the values of its place, and no difference is lost", () => {
  const { schema } = fc.letrec<{ schema: JsonObject }>((tie) => ({
    schema: fc.dictionary(
      fc.constantFrom("anyOf", "oneOf", "items", "type", "properties"),
      fc.oneof(
        { maxDepth: 3 },
        fc.constantFrom("string", "number"),
        tie("schema"),
        fc.array(tie("schema"), { maxLength: 3 }),
      ),
      { maxKeys: 3 },
    ) as fc.Arbitrary<JsonObject>,
  }));
  fc.assert(
    fc.property(schema, schema, (one, other) => {
      const [before, after] = [ofProperty(one), ofProperty(other)];
      const plain = diffJson(before, after);
      const changes = joinChoices(plain, before, after);
      const isInside = (pointer: string, place: string) => pointer === place || pointer.startsWith(`${place}/`);
      for (const { pointer } of plain) {
        expect(changes.filter((change) => isInside(pointer, change.pointer))).toHaveLength(1);
      }
      for (const change of changes) {
        const path = change.pointer.split("/").slice(1);
        if (plain.includes(change)) continue;
        expect(change).toMatchObject({ before: valueAt(before, path), after: valueAt(after, path) });
        expect(isSameJson(valueAt(before, path), valueAt(after, path))).toBe(false);
      }
    }),
    { numRuns: runs(250) },
  );
});
