import {
  compareTexts,
  computeTextHash,
  createContentHashService,
  type NormalizationLevel,
} from "@agentprint/content-hash";
import { describe, expect, test } from "vitest";

describe("compareTexts", () => {
  test.each([
    ["a\nb", "a\nb", "bytes", false],
    ["a\r\nb", "a\nb", "eol", true],
    ["\ufeffa", "a", "eol", true],
    ["a  \nb\n\n", "a\nb", "trailing", true],
    ["if (x) {\n  y\n}", "if (x) {\n\ty }", "whitespace", true],
    ["a b", "ab", null, false],
    ["é", "e\u0301", null, false],
  ])("%j and %j", (before, after, equalAt, formattingOnly) => {
    expect(compareTexts(before, after)).toEqual({ equalAt, formattingOnly, warnings: [] });
  });

  test.each([
    ["run.py", "Python"],
    ["/srv/deploy.YML", "YAML"],
    ["C:\\src\\Makefile", "Make"],
    ["build/rules.mk", "Make"],
    ["BUILD", "Starlark"],
    ["README.md", "Markdown"],
  ])("warns that white space means something in %s", (path, language) => {
    expect(compareTexts("a\n b", "a\nb", { path }).warnings).toEqual([
      `white space means something in ${language}: the texts may differ in more than formatting`,
    ]);
    expect(compareTexts("a \nb", "a\nb", { path }).warnings).toEqual([]);
    expect(compareTexts("a", "b", { path }).warnings).toEqual([]);
  });

  test.each([["main.ts"], ["py"], [""], ["notes.constructor"]])("does not warn for %j", (path) => {
    const expected = path === "py" ? 1 : 0;
    expect(compareTexts("a\n b", "a\nb", { path }).warnings).toHaveLength(expected);
  });
});

test("a service hashes at its level", () => {
  expect(createContentHashService().computeTextHash("a  b")).toBe(computeTextHash("a b", "whitespace"));
  expect(createContentHashService({ level: "eol" }).computeTextHash("a\r\n")).toBe(computeTextHash("a\n", "eol"));
  expect(() => createContentHashService({ level: "x" as NormalizationLevel })).toThrow(/level must be one of/);
});
