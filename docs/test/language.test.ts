import { describe, expect, test } from "vitest";
import { readSources, type Source, type Text, textsOf } from "../../apps/scripts/src/words/texts.ts";

const SOURCES = readSources();
const PROGRAMS = SOURCES.filter(({ file }) => /\.(?:ts|tsx|mjs)$/.test(file));
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
  [/\btexts of numbers\b/i, "number text"],
  [/\bsigns? of no width\b/i, "zero-width character"],
  [/\bsurrogates? that stands? alone\b/i, "lone surrogate"],
  [/\bof the processor (?:an?|each)\b/i, "of processor time per, or each"],
];
/** Texts that a specification, an oracle or a vector fixes byte for byte. */
const FIXED = /^(?:fixtures\/tools\/|docs\/test\/language\.test\.ts$|apps\/scripts\/src\/words\/)/;

const COMMENTS = PROGRAMS.flatMap(({ file, source }) =>
  (source.match(COMMENT) ?? []).map((line) => ({ file, line: line.trim() })),
);

/** The lines of comments that match, each with its file. */
const comments = (pattern: RegExp): string[] =>
  COMMENTS.filter(({ line }) => pattern.test(line)).map(({ file, line }) => `${file}: ${line}`);

/** The patterns without their lookaheads, which need the complete paragraph. */
const SOUGHT = REPLACEMENTS.map(([{ source }]) => new RegExp(source.replace(/\(\?!.*$/, ""), "i"));

/** Whether the consecutive words of a file contain a replaceable word: no other file needs to be parsed. */
function mayHave({ source }: Source): boolean {
  const words = source.replaceAll("\\n", " ").replaceAll(/[^A-Za-z]+/g, " ");
  return SOUGHT.some((pattern) => pattern.test(words));
}

const replaceableIn = (sources: readonly Source[]): string[] =>
  sources.filter(mayHave).flatMap(textsOf).flatMap(replaceable);

function replaceable({ file, line, text }: Text): string[] {
  const prose = text.replaceAll(/`[^`]*`|\$\{[^{}]*\}|[\w-]+(?:[-./]\w+)+/g, "…");
  return REPLACEMENTS.flatMap(([pattern, words]) => {
    const [found] = pattern.exec(prose) ?? [];
    return found === undefined ? [] : [`${file}:${line}: "${found}": write ${words}`];
  });
}

test("a comment names its subject first: it does not begin with What", () => {
  expect(PROGRAMS.length).toBeGreaterThan(1000);
  expect(comments(/^(?:\/\*\*|\/\/) What\b/)).toEqual([]);
});

test("a comment says who reports, lists or sends something to whom, and not that someone is told", () => {
  expect(COMMENTS.length).toBeGreaterThan(10_000);
  expect(comments(/\btold\b/i)).toEqual([]);
});

describe("a word that a plainer one replaces", () => {
  test("is in no page, comment, help or message", () => {
    expect(SOURCES.length).toBeGreaterThan(2000);
    expect(replaceableIn(SOURCES.filter(({ file }) => !FIXED.test(file)))).toEqual([]);
  });

  test.each([
    ["a.md", "# A\n\nIt starts\nanew.\n", 3],
    ["a.ts", "/** Reads the list, but\n * for its end. */\nrun();\n", 1],
    ["a.ts", "// The digest that\n// of `x` is not.\nlet x;\n// All that is\n// whole.\n", 1],
    ["a.ts", 'fail("there is no file that\\nof itself begins");\n', 1],
    ["a.py", '"""Says it once\nmore."""\n', 1],
  ])("is found in %s: %j", (file, source, line) => {
    expect(replaceableIn([{ file, source }])[0]).toMatch(new RegExp(`^${file}:${line}: `));
  });

  test.each([
    ["a.md", "They are whole numbers, and `anew` is code.\n"],
    ["a.ts", "const anew = that.of;\n"],
  ])("is not in %s: %j", (file, source) => {
    expect(replaceableIn([{ file, source }])).toEqual([]);
  });
});
