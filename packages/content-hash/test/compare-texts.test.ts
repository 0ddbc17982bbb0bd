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
  ])("warns that white space has a meaning in %s", (path, language) => {
    expect(compareTexts("a\n b", "a\nb", { path }).warnings).toEqual([
      `white space has a meaning in ${language}: the texts may differ in more than formatting`,
    ]);
    expect(compareTexts("a \nb", "a\nb", { path }).warnings).toEqual([]);
    expect(compareTexts("a", "b", { path }).warnings).toEqual([]);
  });

  test.each([["main.ts"], ["py"], [""], ["notes.constructor"]])("does not warn for %j", (path) => {
    const expected = path === "py" ? 1 : 0;
    expect(compareTexts("a\n b", "a\nb", { path }).warnings).toHaveLength(expected);
  });
});

describe("a difference that may change the meaning", () => {
  const warned = (before: string, after: string, path?: string): readonly string[] =>
    compareTexts(before, after, path === undefined ? {} : { path }).warnings;

  test.each([
    [
      "// only admins\ncheck(user);\n",
      "// only admins check(user);\n",
      "auth.ts",
      "the line break at the end of a comment",
    ],
    ["x = 1 # one\ny = 2", "x = 1 # one y = 2", undefined, "the line break at the end of a comment"],
    ["-- n\nWHERE a", "-- n WHERE a", "x.sql", "the line break at the end of a comment"],
    ["% off\n\\input{a}", "% off \\input{a}", "x.tex", "the line break at the end of a comment"],
    ["; off\nmov a", "; off mov a", "x.lisp", "the line break at the end of a comment"],
    ["return\nx;", "return x;", "a.js", "the line break after a keyword"],
    ["rm a\nb\n", "rm a b\n", "run.sh", "a line break has a meaning in shell"],
    ["RUN a\nRUN b\n", "RUN a RUN b\n", "Dockerfile", "a line break has a meaning in Docker"],
    ["RUN a\nRUN b\n", "RUN a RUN b\n", "Dockerfile.dev", "a line break has a meaning in Docker"],
    ["a\nb\n", "a b\n", ".gitignore", "a line break has a meaning in ignore files"],
    ["A=1\nB=2\n", "A=1 B=2\n", ".env.local", "a line break has a meaning in environment files"],
    ["a==1\nb==2", "a==1 b==2", "requirements-dev.txt", "a line break has a meaning in requirements files"],
    ["a\nb", "a b", ".bashrc", "a line break has a meaning in shell files"],
    ["a 1\nb 2", "a 1 b 2", "go.mod", "a line break has a meaning in Go"],
    ["* * a\n* * b", "* * a * * b", "crontab", "a line break has a meaning in cron"],
    ["a  \nb\n", "a\nb\n", "x.md", "two spaces at the end of a line have a meaning in Markdown"],
    ["make \\\n all\n", "make \\ \n all\n", "mk.sh", "the line break after a backslash"],
    ["#define A \\\n 1", "#define A \\ 1", "a.h", "the line break after a backslash"],
    ['s = """a\n  b"""', 's = """a\n b"""', "a.kt", "white space has a meaning inside quotes"],
    ["s = `a\n b`", "s = `a b`", "a.ts", "white space has a meaning inside quotes"],
  ])("%j and %j in %s", (before, after, path, warning) => {
    for (const warnings of [warned(before, after, path), warned(after, before, path)]) {
      expect(warnings).toHaveLength(1);
      expect(warnings[0]).toMatch(/ha(s|ve) a meaning/);
      expect(warnings[0]?.startsWith(warning)).toBe(true);
    }
  });

  test.each([
    ["f(a,\n  b);", "f(a, b);", "a.ts"],
    ["see https://a.example/b\nfor more", "see https://a.example/b for more", "a.txt"],
    ["a\\b\nc", "a\\b c", "a.txt"],
    ["a `b` c\nd", "a `b` c d", "a.js"],
    ["a = 'x'  \nb", "a = 'x'\nb", "a.js"],
    ["returned\nx", "returned x", "a.js"],
    ["a\r\nb  \r\n", "a\nb\n", "a.sh"],
    ["a  \n\nb", "a\n\nb", "a.md"],
    ["a\\  \n", "a\\", "a.sh"],
    ["\ufeffa\n", "a", "a.sh"],
  ])("is none in %j and %j of %s", (before, after, path) => {
    expect(warned(before, after, path)).toEqual([]);
  });

  test("is named once, with its first line and the number of further places", () => {
    expect(warned("a\n\nb\n// c\nd\n// e\nf", "a\n\nb\n// c d\n// e f")).toEqual([
      "the line break at the end of a comment has a meaning: line 4 and 1 more",
    ]);
  });

  test("is found quickly in a text of one long line, and in one of as many lines", () => {
    const words = Array.from({ length: 200_000 }, (_, index) => `w${index}`);
    expect(warned(words.join(" "), words.join("  "))).toEqual([]);
    expect(warned(words.join("\n"), words.join(" "), "a.sh")).toEqual([
      "a line break has a meaning in shell: line 1 and 199998 more",
    ]);
  });
});

test("a service hashes at its level", () => {
  expect(createContentHashService().computeTextHash("a  b")).toBe(computeTextHash("a b", "whitespace"));
  expect(createContentHashService({ level: "eol" }).computeTextHash("a\r\n")).toBe(computeTextHash("a\n", "eol"));
  expect(() => createContentHashService({ level: "x" as NormalizationLevel })).toThrow(/level must be one of/);
});
