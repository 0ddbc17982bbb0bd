import { describe, expect, test } from "vitest";
import { compareInput as compare } from "./support/compare.ts";
import { accepts } from "./support/interpret.ts";

const D4 = "http://json-schema.org/draft-04/schema#";
const D7 = "http://json-schema.org/draft-07/schema#";
const D2019 = "https://json-schema.org/draft/2019-09/schema";
const D2020 = "https://json-schema.org/draft/2020-12/schema";

const S = { type: "string" };
const I = { type: "integer" };

describe("a keyword that is not judged has different meanings in different dialects", () => {
  test.each([
    ["unevaluatedProperties, unknown to draft-07", { unevaluatedProperties: false }, D7, D2020],
    ["contains evaluates elements since 2020-12", { contains: S, unevaluatedItems: false }, D2020, D2019],
    ["a keyword that neither dialect has", { if: S, else: I }, D4, "http://json-schema.org/draft-06/schema#"],
  ])("%s", (_, a, old, young) => {
    const properties = { a };
    expect(compare({ $schema: old, properties }, { $schema: young, properties }).verdict).toBe("unknown");
    expect(compare({ $schema: old, properties }, { $schema: old, properties, title: "t" }).verdict).toBe("compatible");
  });

  test("without $schema the keyword is read as in 2020-12", () => {
    const properties = { a: { unevaluatedProperties: false } };
    expect(compare({ properties }, { $schema: D2020, properties }).verdict).toBe("compatible");
    expect(compare({ properties }, { $schema: D7, properties }).verdict).toBe("unknown");
  });
});

test("the encoding of a text is asserted by some validators of draft-07", () => {
  const text = { ...S, contentEncoding: "base64" };
  const { verdict, changes } = compare({ $schema: D7, ...S }, { $schema: D7, ...text });
  expect(verdict).toBe("unknown");
  expect(changes.map(({ kind, path }) => `${kind} ${path}`)).toEqual(["contentEncoding-added /contentEncoding"]);
  expect(compare({ $schema: D2020, ...S }, { $schema: D2020, ...text })).toMatchObject({ verdict: "compatible" });
  const member = (required: string[]) => ({ $schema: D7, type: "object", properties: { a: text }, required });
  expect(compare(member(["a"]), member(["a", "b"])).counterexample?.value).toEqual({ a: "MA==" });
});

describe("a schema inside that has a $schema of its own", () => {
  const embedding = (schema: object) => ({ $schema: D2020, $defs: { s: schema }, $ref: "#/$defs/s" });
  const limited = { $schema: D7, $id: "https://e/s", properties: { v: { $ref: "#/definitions/q", minLength: 3 } } };

  test("is not judged when the dialect is another one, and neither are the schemas inside it", () => {
    const embedded = embedding({ ...limited, definitions: { q: S } });
    const inside = { $defs: embedded.$defs, properties: { v: { $ref: "https://e/s#/properties/v" } } };
    for (const before of [embedded, { $schema: D2020, ...inside }]) {
      const { verdict, notes } = compare(before, { $schema: D2020, properties: { v: { ...S, minLength: 3 } } });
      expect(verdict).toBe("unknown");
      expect(notes).toContainEqual(expect.objectContaining({ code: "unsupported-keyword", schema: "before" }));
      expect(compare(before, { ...before, title: "t" }).verdict).toBe("unknown"); // for its references
    }
    const alone = { $schema: D2020, properties: { a: { $schema: D7, ...S } } };
    expect(compare(alone, { ...alone, title: "t" })).toMatchObject({ verdict: "compatible", changes: [] });
    expect(compare({ ...alone, $schema: D2019 }, alone).verdict).toBe("unknown");
  });

  test("is judged when both dialects are the same, or when the document names none", () => {
    for (const $schema of [D2020, D7]) {
      const member = (schema: object) => ({ $schema, properties: { a: { $schema, ...schema } } });
      expect(compare(member(S), member({ ...S, maxLength: 3 })).verdict).toBe("breaking");
    }
    const member = (schema: object) => ({ properties: { a: { $schema: D7, ...schema } } });
    expect(compare(member(S), member({ ...S, maxLength: 3 })).verdict).toBe("breaking");
    expect(compare(member({ prefixItems: [S] }), { properties: { a: { prefixItems: [S] } } }).verdict).toBe("unknown");
    const foreign = { properties: { a: { $schema: "https://example.com/own", ...S } } };
    expect(compare(foreign, { properties: { a: S } }).verdict).toBe("unknown");
  });

  test("a property named $schema is a property", () => {
    const properties = { $schema: S };
    expect(compare({ properties }, { properties: { $schema: I } }).verdict).toBe("breaking");
  });
});

describe("references are compared by the URI to which they lead", () => {
  const referring = (more: object) => ({ properties: { p: { $ref: "foo" } }, ...more });

  test("a relative reference with another base leads elsewhere", () => {
    const [a, b] = ["https://a/x", "https://b/x"];
    expect(compare(referring({ $id: a }), referring({ $id: b })).verdict).toBe("unknown");
    expect(compare(referring({ $id: a }), referring({ $id: "https://a/y" })).verdict).toBe("compatible");
    expect(compare(referring({ $schema: D4, id: a }), referring({ $schema: D4, id: b })).verdict).toBe("unknown");
    const absolute = { properties: { p: { $ref: "https://c/" } } };
    expect(compare({ $id: a, ...absolute }, { $id: b, ...absolute }).verdict).toBe("compatible");
  });

  test("an id with slashes is relative to the base around it, not to itself", () => {
    const referring = ($ref: string, type: string) => ({ $id: "https://a/", $ref, $defs: { x: { $id: "b/c", type } } });
    const { verdict, counterexample } = compare(referring("b/c", "string"), referring("b/c", "integer"));
    expect([verdict, counterexample?.value]).toEqual(["breaking", "a"]);
    expect(compare(referring("b/b/c", "string"), S).verdict).toBe("unknown");
  });

  test("an id of draft-04 names a schema and changes the base", () => {
    const named = (schema: object) => referring({ $schema: D4, definitions: { f: { id: "foo", ...schema } } });
    expect(compare(named(S), { $schema: D4, properties: { p: S } }).verdict).toBe("compatible");
    expect(compare(named(S), named(I)).verdict).toBe("breaking");
    const [definitions, allOf] = [{ b: S }, [{ $ref: "#/definitions/b" }]];
    const nested = { $schema: D4, definitions, properties: { a: { id: "https://y/", allOf, definitions: { b: I } } } };
    expect(compare(nested, { $schema: D4, properties: { a: I } }).verdict).toBe("compatible");
    expect(compare(nested, { $schema: D4, properties: { a: S } }).verdict).toBe("breaking");
    const unsaid = (schema: object) => referring({ definitions: { f: { id: "foo", ...schema } } });
    expect(compare(unsaid(S), unsaid(I)).verdict).toBe("unknown");
  });

  test("an id next to a $ref of draft-07 counts for some validators", () => {
    const schema = ($id: string) => ({ $schema: D7, $id, properties: { p: { $id: "https://b/", $ref: "foo" } } });
    expect(compare(schema("https://a/"), schema("https://c/")).verdict).toBe("unknown");
    const document = (q: object) => ({ $schema: D7, $id: "https://a/", $ref: "#/definitions/q", definitions: { q } });
    expect(compare(document(I), document({ type: "number" })).verdict).toBe("compatible");
  });

  test.each(["default", "enum", "examples"])("a definition may be named %s", (name) => {
    const named = (schema: object) => referring({ $defs: { [name]: { $id: "foo", ...schema } } });
    expect(compare(named(S), named(I)).counterexample?.value).toEqual({ p: "a" });
  });

  test.each([
    ["ids", { $id: "foo" }, "foo"],
    ["anchors", { $anchor: "foo" }, "#foo"],
  ])("nothing is concluded when two schemas have the URI: %s", (_, name, $ref) => {
    const schema = (type: string) => ({
      properties: { p: { $ref } },
      $defs: { a: { ...name, type } },
      "x-data": { b: { c: { ...name, type: "string" } } },
    });
    expect(compare(schema("string"), schema("integer")).verdict).toBe("unknown");
  });

  test("a $dynamicAnchor is an anchor", () => {
    const schema = (type: string) => ({ $ref: "#foo", $defs: { a: { $dynamicAnchor: "foo", type } } });
    expect(compare(schema("integer"), schema("number")).verdict).toBe("compatible");
  });

  test("a schema that refers to itself through its own value is named by the reference", () => {
    const { notes } = compare({ not: { $ref: "#" } }, { not: { $ref: "#" }, minLength: 1 });
    expect(notes).toMatchObject([
      { code: "ref-cycle", schema: "before", path: "/not/$ref" },
      { code: "ref-cycle", schema: "after", path: "/not/$ref" },
    ]);
  });

  test.each([
    ["a tab", "a\tb"],
    ["a space at the end", "ab "],
  ])("nothing is concluded from a reference with %s, which some validators ignore", (_, name) => {
    const schema = (type: string) => ({
      $ref: `#/$defs/${name}`,
      $defs: { [name]: { type }, ab: { type: "integer" } },
    });
    expect(compare(schema("string"), { type: "integer" }).verdict).toBe("unknown");
    expect(compare(schema("integer"), { type: "string" }).verdict).toBe("unknown");
  });
});

describe("equal text can have different meanings at two places of a document", () => {
  /** Accepts everything if `a` and `b` are equal. */
  const either = (a: object, b: object, more: object = {}) => ({
    ...{ $schema: D2020, $id: "https://a/" },
    anyOf: [{ not: { $ref: "a" } }, { $ref: "b" }],
    $defs: { a: { $id: "a", ...a }, b: { $id: "b", ...b }, ...more },
  });
  const rejects = (schema: object, value: unknown) => {
    expect(accepts(schema, value)).toBe(false);
    expect(compare(true, schema).verdict).toBe("unknown");
  };

  test("a reference resolves against its own base", () => {
    const closed = (name: string) => ({
      allOf: [{ $ref: "#/$defs/t", unevaluatedProperties: false }],
      $defs: { t: { properties: { [name]: true } } },
    });
    rejects(either(closed("p"), closed("q")), { p: 1 });
  });

  test("a dynamic reference resolves on the way to it", () => {
    const scoped = (type: string) => ({ $ref: "inner", $defs: { t: { $dynamicAnchor: "t", type } } });
    const inner = { $id: "inner", $dynamicRef: "#t", $defs: { t: { $dynamicAnchor: "t" } } };
    rejects(either(scoped("string"), scoped("integer"), { inner }), "a");
  });
});
