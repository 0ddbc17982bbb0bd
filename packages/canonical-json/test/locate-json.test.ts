import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type JsonValue, locateJson, type PathSegment, parseJson, toPointer } from "../src/index.ts";

describe("locateJson", () => {
  test("finds the start of a value, whatever ends the lines before it", () => {
    const text = '{\r\n "a/b": [1,\r  {"~": "x"}],\n "": null}';
    const pointers = ["", "/a~1b", "/a~1b/0", "/a~1b/1/~0", "/"];
    expect(locateJson(text, pointers).map(({ line, column, offset }) => [line, column, text[offset]])).toEqual([
      [1, 1, "{"],
      [2, 9, "["],
      [2, 10, "1"],
      [3, 9, '"'],
      [4, 6, "n"],
    ]);
  });

  test("falls back to the nearest value around one that is not there", () => {
    const places = locateJson('{\n"a": {"b": 1}}', ["/a/c/d", "/x"]);
    expect(places.map(({ line, column }) => [line, column])).toEqual([
      [2, 6],
      [1, 1],
    ]);
  });

  test("points to a text that parses to the very value", () => {
    fc.assert(
      fc.property(fc.json(), fc.constantFrom(undefined, 1, "\t"), (json, indent) => {
        const value = JSON.parse(json) as JsonValue;
        const text = JSON.stringify(value, null, indent);
        const paths = pathsOf(value);
        const found = locateJson(text, paths.map(toPointer));
        for (const [index, path] of paths.entries()) {
          const wanted = JSON.stringify(valueAt(value, path), null, indent);
          const flat = text.slice(found[index]?.offset).replaceAll(/\n\s*/g, "");
          expect(flat.startsWith(wanted.replaceAll(/\n\s*/g, ""))).toBe(true);
        }
      }),
    );
  });

  test("10,000 values under a long name take no memory for their pointers", () => {
    const text = `{"${"k".repeat(100_000)}": [${"0, ".repeat(10_000)}1]}`;
    const [place] = locateJson(text, [`/${"k".repeat(100_000)}/10000`]);
    expect(text[place?.offset ?? 0]).toBe("1");
  });

  test("refuses what parseJson refuses", () => {
    expect(() => locateJson("[1,]", [""])).toThrow(expect.objectContaining({ code: "unexpected-token" }));
    expect(() => parseJson("[1,]")).toThrow(expect.objectContaining({ code: "unexpected-token" }));
  });
});

function pathsOf(value: JsonValue, path: PathSegment[] = []): PathSegment[][] {
  if (typeof value !== "object" || value === null) return [path];
  const children = Array.isArray(value) ? [...value.entries()] : Object.entries(value);
  return [path, ...children.flatMap(([key, child]) => pathsOf(child, [...path, key]))];
}

function valueAt(value: JsonValue, path: readonly PathSegment[]): JsonValue {
  return path.reduce<JsonValue>((at, segment) => (at as Record<PathSegment, JsonValue>)[segment] as JsonValue, value);
}
