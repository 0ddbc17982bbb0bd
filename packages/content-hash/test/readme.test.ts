import {
  ContentHashError,
  compareTexts,
  computeTextHash,
  createTextHasher,
  executeCodeHashNormalized,
  normalizeText,
} from "@agentprint/content-hash";
import { expect, test } from "vitest";

test("the quick start does what it says", async () => {
  const tabs = "if (x) {\r\n\treturn;\r\n}\r\n";
  const spaces = "if (x) {\n    return;\n}";
  expect(computeTextHash(tabs)).toBe(computeTextHash(spaces));
  expect(computeTextHash(tabs, "eol")).not.toBe(computeTextHash(spaces, "eol"));
  expect(compareTexts(tabs, spaces).equalAt).toBe("whitespace");
  const result = await executeCodeHashNormalized(JSON.stringify({ content: tabs, label: "pre-patch" }));
  expect([result.success, result.contentLength]).toEqual([true, 23]);
});

test("so do the examples of the reference", async () => {
  expect(normalizeText("  if (x) {\r\n\treturn;\r\n  }\r\n")).toBe("if (x) { return; }");
  const hasher = createTextHasher("eol");
  hasher.update("one\r");
  hasher.update("\ntwo");
  expect(hasher.digest()).toBe(computeTextHash("one\ntwo", "eol"));
  expect(() => computeTextHash("half an emoji: \ud83d")).toThrow(
    expect.objectContaining({ code: "MALFORMED_TEXT", offset: 15, constructor: ContentHashError }),
  );
  expect(compareTexts("if x:\n  y()\nz()", "if x:\n  y()\n  z()", { path: "run.py" }).warnings).toHaveLength(1);
  const named = await executeCodeHashNormalized('{"content":"a\\r\\n b","label":"pre-patch"}');
  expect([named.success, named.contentLength, named.label]).toEqual([true, 5, "pre-patch"]);
});
