import { globSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { REPOSITORY } from "./examples.ts";

const SOURCES = globSync(["{packages,apps}/**/*.{ts,tsx,mjs}", "{fixtures,integrations,docs,lab}/**/*.{ts,mjs}"], {
  cwd: REPOSITORY,
  exclude: (path) => /(^|\/)(node_modules|dist|\.mutants|archive)$/.test(path),
});
/** Each line that is only a comment, or a part of one. */
const COMMENT = /^[ \t]*(?:\/\*\*|\*|\/\/).*$/gm;

/** The comments of the sources that match, each with its file. */
function comments(pattern: RegExp): string[] {
  return SOURCES.flatMap((path) => {
    const lines = readFileSync(REPOSITORY + path, "utf8").match(COMMENT) ?? [];
    return lines.filter((line) => pattern.test(line)).map((line) => `${path}: ${line.trim()}`);
  });
}

test("a comment names its subject first: it does not begin with What", () => {
  expect(SOURCES.length).toBeGreaterThan(1000);
  expect(comments(/^\s*(?:\/\*\*|\/\/) What\b/)).toEqual([]);
});

test("a comment says who reports, lists or sends something to whom, and not that somebody is told", () => {
  expect(comments(/\btold\b/i)).toEqual([]);
});
