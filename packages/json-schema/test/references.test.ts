import { runs } from "@agentprint/testing/property-runs";
import { Ajv2020 } from "ajv/dist/2020.js";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { SchemaDocument, walkSchemas } from "../src/index.ts";

interface Node {
  readonly [keyword: string]: string | number | boolean | { readonly [name: string]: Node };
}

const IDS = ["x", "x/", "x/y", "../z", "https://example.org/", "https://example.org/w#", "a b"];
const ANCHORS = ["one", "two"];
const NAMES = ["a", "b", "a/b"];
const FRAGMENTS = [
  "",
  "#",
  "#one",
  "#two",
  "#three",
  ...["a", "b", "a~1b", "c"].flatMap((name) => [`#/$defs/${name}`, `#/$defs/a/$defs/${name}`, `#/%24defs/${name}`]),
];
const REFERENCES = ["", ...IDS.map((id) => id.replace("#", "")), "https://example.com/root", "nowhere"].flatMap((id) =>
  FRAGMENTS.map((fragment) => `${id}${fragment}`),
);

/** Nested schemas, some with a URI or an anchor. */
const { node } = fc.letrec<{ node: Node }>((tie) => ({
  node: fc
    .record(
      {
        $id: fc.option(fc.constantFrom(...IDS), { freq: 2, nil: undefined }),
        $anchor: fc.option(fc.constantFrom(...ANCHORS), { freq: 2, nil: undefined }),
        $defs: fc.oneof(
          { maxDepth: 3 },
          fc.constant(undefined),
          fc.dictionary(fc.constantFrom(...NAMES), tie("node"), { noNullPrototype: true }),
        ),
      },
      { noNullPrototype: true },
    )
    .map((node) => Object.fromEntries(Object.entries(node).filter(([, value]) => value !== undefined)) as Node),
}));

const document = fc
  .dictionary(fc.constantFrom(...NAMES), node, { minKeys: 1, noNullPrototype: true })
  .map(($defs) => numbered({ $id: "https://example.com/root", $defs }));

/** The same schemas, but no two of them equal, because ajv sees no conflict between equal ones. */
function numbered(root: Node): Node {
  let next = 0;
  const copy = (node: Node): Node => {
    const { $defs, ...rest } = node;
    const inside = Object.entries($defs ?? {}).map(([name, schema]) => [name, copy(schema as Node)]);
    return { ...rest, const: next++, ...($defs !== undefined && { $defs: Object.fromEntries(inside) }) };
  };
  return copy(root);
}

/**
 * Returns the number of the schema that ajv applies for a reference to an absolute URI; `undefined` if it finds none.
 */
function numberOf(ajv: Ajv2020, uri: string): unknown {
  try {
    const validate = ajv.compile({ $ref: uri });
    validate("no number");
    return validate.errors?.[0]?.params["allowedValue"];
  } catch (error) {
    expect(error).toBeInstanceOf(Ajv2020.MissingRefError);
    return undefined;
  }
}

describe("references", () => {
  test("lead to the schema that ajv finds under the same URI", () => {
    const counts = { found: 0, missing: 0, remote: 0, ambiguous: 0 };
    fc.assert(
      fc.property(document, fc.shuffledSubarray(REFERENCES, { minLength: 8, maxLength: 8 }), (root, references) => {
        const ajv = new Ajv2020({ strict: false, validateSchema: false, meta: false, inlineRefs: false });
        const schemas = new SchemaDocument(root);
        try {
          ajv.addSchema(root).getSchema("https://example.com/root");
        } catch (error) {
          expect(String(error)).toMatch("resolves to more than one schema");
          const uri = /"([^"]*)"/.exec(String(error))?.[1] ?? "";
          expect([uri, schemas.resolve(uri, schemas.root.base).type]).toEqual([uri, "ambiguous"]);
          counts.ambiguous++;
          return;
        }
        for (const { base } of walkSchemas(schemas)) {
          for (const reference of references) {
            const resolution = schemas.resolve(reference, base);
            counts[resolution.type]++;
            const uri = URL.canParse(reference, base) ? new URL(reference, base).href : "";
            const { const: number } = (resolution.type === "found" ? resolution.place.value : {}) as { const?: number };
            expect([base, reference, number]).toEqual([base, reference, uri === "" ? undefined : numberOf(ajv, uri)]);
            if (resolution.type === "remote") expect(resolution.uri).toBe(uri);
          }
        }
      }),
      { numRuns: runs(60) },
    );
    expect(Math.min(...Object.values(counts))).toBeGreaterThan(0);
  });
});

/** Returns the type of the resolution, and the pointer of the place that was found. */
function lead(schema: unknown, reference: string, from = ""): string {
  const document = new SchemaDocument(schema as never);
  const place = [...walkSchemas(document)].find(({ pointer }) => pointer === from);
  const resolution = document.resolve(reference, place?.base ?? "");
  return resolution.type === "found" ? resolution.place.pointer : resolution.type;
}

const DRAFT_4 = "http://json-schema.org/draft-04/schema#";
const DRAFT_7 = "http://json-schema.org/draft-07/schema#";

describe("a reference", () => {
  test.each([
    ["by pointer into a list", { allOf: [{}, { not: {} }] }, "#/allOf/1/not", "/allOf/1/not"],
    ["with an index that has another spelling", { allOf: [{}, {}] }, "#/allOf/01", "missing"],
    ["to a length", { allOf: [{}] }, "#/allOf/length", "missing"],
    ["to what objects inherit", { properties: {} }, "#/properties/constructor", "missing"],
    ["to a name with slash and tilde", { $defs: { "a/~": {} } }, "#/$defs/a~1~0", "/$defs/a~1~0"],
    ["to a name that is encoded", { $defs: { "%": {} } }, "#/$defs/%25", "/$defs/%"],
    ["that is no text of a URI", { $defs: {} }, "#/$defs/%E4", "missing"],
    ["that is no URI", {}, "http://[", "missing"],
    ["below a keyword nobody knows", { "x-schemas": { a: { $anchor: "a" } } }, "#a", "/x-schemas/a"],
    ["below such a keyword, in its data", { "x-schemas": { const: { $anchor: "a" } } }, "#a", "/x-schemas/const"],
    [
      "to an anchor in data",
      { const: { $anchor: "a" }, properties: { const: { $anchor: "a" } } },
      "#a",
      "/properties/const",
    ],
    ["to a dynamic anchor", { $defs: { a: { $dynamicAnchor: "a" } } }, "#a", "/$defs/a"],
    ["to two anchors", { $defs: { a: { $anchor: "a" }, b: { $dynamicAnchor: "a" } } }, "#a", "ambiguous"],
    ["to an id that is a fragment", { $schema: DRAFT_7, definitions: { a: { $id: "#a" } } }, "#a", "/definitions/a"],
    ["to an id of draft-04", { $schema: DRAFT_4, definitions: { a: { id: "a" } } }, "a", "/definitions/a"],
    ["to an id, in a list", { $schema: DRAFT_4, items: [{ id: "a" }] }, "a", "/items/0"],
    ["to an id without a draft", { definitions: { a: { id: "a" } } }, "a", "ambiguous"],
    ["to an id where it means nothing", { $schema: DRAFT_7, definitions: { a: { id: "a" } } }, "a", "remote"],
    ["to a schema of another draft", { $defs: { a: { $schema: DRAFT_4, id: "a" } } }, "a", "/$defs/a"],
    ["to an id that is no URI", { $defs: { a: { $id: "http://[" } } }, "a", "remote"],
    ["to an id that is no text", { $defs: { a: { $id: 1 } } }, "a", "remote"],
    ["to a URN", { $defs: { a: { $id: "urn:a:b" } } }, "urn:a:b#", "/$defs/a"],
    ["to the root, by its own URI", { $id: "https://example.com/a#" }, "https://example.com/a", ""],
    ["to the root that is no object", true, "#", ""],
  ])("%s", (_, schema, reference, expected) => {
    expect(lead(schema, reference)).toBe(expected);
  });

  test("resolves against the nearest id, also one with slashes", () => {
    const inner = { $id: "b/c", $defs: { here: { $anchor: "here" } } };
    const schema = { $id: "https://example.com/a/", $defs: { inner, other: { $id: "b/b/c" } } };
    expect(lead(schema, "#here", "/$defs/inner/$defs/here")).toBe("/$defs/inner/$defs/here");
    expect(lead(schema, "#here")).toBe("missing");
    expect(lead(schema, "c", "/$defs/inner")).toBe("/$defs/inner");
    expect(lead(schema, "b/c", "/$defs/inner")).toBe("/$defs/other");
  });
});

describe("a place", () => {
  const document = new SchemaDocument({ $schema: DRAFT_7, items: [{ not: {} }], not: { $schema: "mine:" } });

  test("has the dialect of the schemas around it", () => {
    expect([...walkSchemas(document)].map(({ pointer, dialect }) => [pointer, dialect])).toEqual([
      ["", 7],
      ["/items/0", 7],
      ["/not", "unknown"],
      ["/items/0/not", 7],
    ]);
  });

  test("leads to places below it by names and indexes", () => {
    expect(document.child(document.root, "items", 0, "not")).toMatchObject({ pointer: "/items/0/not", value: {} });
    expect(document.child(document.root, "items", 1)).toBeUndefined();
    expect(document.at("/items/0/not")).toEqual({});
    expect(document.at("/items/0/not/not")).toBeUndefined();
  });
});

test("a meter receives the steps before the work, and can stop it by throwing", () => {
  let steps = 0;
  const meter = {
    spend: (count: number) => {
      steps += count;
      if (steps > 100) throw new Error("too much");
    },
  };
  const wide = (count: number) => ({
    $anchor: "a",
    $defs: Object.fromEntries(Array.from({ length: count }, (_, i) => [i, {}])),
  });
  const resolve = (count: number) => new SchemaDocument(wide(count), meter).resolve("#nothing", "a:");
  expect(resolve(50).type).toBe("remote");
  expect(steps).toBeGreaterThan(50);
  steps = 0;
  expect(() => resolve(1000)).toThrow("too much");
});

test.each(["#/$defs/a\tb", "#/$defs/ab ", " #/$defs/ab"])("%j is no URI reference and leads nowhere", (reference) => {
  const document = new SchemaDocument({ $defs: { ab: true, "a\tb": true, "ab ": true, "a b": true } });
  expect(document.resolve(reference, document.root.base)).toEqual({ type: "missing" });
  expect(document.resolve("#/$defs/a b", document.root.base)).toMatchObject({ place: { pointer: "/$defs/a b" } });
});
