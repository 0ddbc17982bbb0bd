import { globSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { readTexts, type Text } from "../../apps/scripts/src/words/texts.ts";
import { REPOSITORY } from "./examples.ts";

const SOURCES = globSync(["{packages,apps}/**/*.{ts,tsx,mjs}", "{fixtures,integrations,docs,lab}/**/*.{ts,mjs}"], {
  cwd: REPOSITORY,
  exclude: (path) => /(^|\/)(node_modules|dist|\.mutants|archive)$/.test(path),
});
/** Each line that is only a comment, or a part of one. */
const COMMENT = /^[ \t]*(?:\/\*\*|\*|\/\/).*$/gm;
/** Words that an engineer whose first language is English would not write here, and what to write instead. */
const REPLACEMENTS: readonly (readonly [RegExp, string])[] = [
  [/\banew\b/i, "again"],
  [/\bbeside\b/i, "next to, in addition to, while or compared with"],
  [/\bthat of\b/i, "the possessive: the server's, not that of the server"],
  [/\b(?:is|are|stays?|was|were|all) whole\b(?! (?:numbers?|lines?))/i, "intact or complete"],
  [/\bthe member that is (?:the|its|an?)\b/i, "the key that holds"],
  [/\b(?:some|any|every)body\b/i, "someone, anyone, everyone"],
  [/\bonce more\b/i, "again"],
  [/\bbut for\b/i, "except for"],
  [/\b(?:is|are) no valid\b/i, "is not a valid"],
  [/\bin a process of its own\b/i, "in its own process"],
  [/\bcounts? for itself\b/i, "counts separately"],
  [/\bof the processor (?:an?|each)\b/i, "of processor time per, or each"],
];
/** Texts that a specification, an oracle or a vector fixes byte for byte. */
const FIXED = /^(?:fixtures\/tools\/|docs\/test\/language\.test\.ts$|apps\/scripts\/src\/words\/)/;

/** The comments of the sources that match, each with its file. */
function comments(pattern: RegExp): string[] {
  return SOURCES.flatMap((path) => {
    const lines = readFileSync(REPOSITORY + path, "utf8").match(COMMENT) ?? [];
    return lines.filter((line) => pattern.test(line)).map((line) => `${path}: ${line.trim()}`);
  });
}

function replaceable({ file, line, text }: Text): string[] {
  const prose = text.replaceAll(/`[^`]*`|\$\{[^{}]*\}|[\w-]+(?:[-./]\w+)+/g, "…");
  return REPLACEMENTS.flatMap(([pattern, words]) => {
    const [found] = pattern.exec(prose) ?? [];
    return found === undefined ? [] : [`${file}:${line}: "${found}": write ${words}`];
  });
}

test("a comment names its subject first: it does not begin with What", () => {
  expect(SOURCES.length).toBeGreaterThan(1000);
  expect(comments(/^\s*(?:\/\*\*|\/\/) What\b/)).toEqual([]);
});

test("a comment says who reports, lists or sends something to whom, and not that someone is told", () => {
  expect(comments(/\btold\b/i)).toEqual([]);
});

test("no page, comment, help or message has a word that a plainer one replaces", () => {
  const texts = readTexts();
  expect(texts.length).toBeGreaterThan(20_000);
  expect(texts.filter(({ file }) => !FIXED.test(file)).flatMap(replaceable)).toEqual([]);
});
