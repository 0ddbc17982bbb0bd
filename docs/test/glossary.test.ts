import { globSync, readFileSync } from "node:fs";
import ts from "typescript";
import { describe, expect, test } from "vitest";
import { REPOSITORY } from "./examples.ts";

interface Place {
  readonly place: string;
  readonly text: string;
}

/** Returns the words in the last column of each table. */
function forbiddenWords(): string[] {
  const rows = readFileSync(`${REPOSITORY}docs/GLOSSARY.md`, "utf8").matchAll(/^\| [^|]+\| [^|]+\| ([^|]+) \|$/gm);
  return [...rows]
    .flatMap(([, words = ""]) => words.split(",").map((word) => word.trim()))
    .filter((word) => word !== "" && word !== "not" && !/^-+$/.test(word));
}

const SOURCES = globSync(["packages/*/src/**/*.ts", "apps/*/src/**/*.ts", "fixtures/src/**/*.ts"], { cwd: REPOSITORY });

/** Yields the lines of every document and doc comment, and every string with a space, such as help and messages. */
function* texts(pattern: RegExp): Generator<Place> {
  const files = { cwd: REPOSITORY, exclude: (path: string) => /node_modules|CHANGELOG|target/.test(path) };
  const documents = [
    "*.md",
    "docs/*.md",
    "packages/*/README.md",
    "apps/*/README.md",
    "fixtures/*.md",
    "fixtures/rules/*.md",
  ];
  for (const file of globSync(documents, files)) {
    if (file !== "docs/GLOSSARY.md") yield* lines(file, withoutCode(readFileSync(REPOSITORY + file, "utf8")));
  }
  for (const file of SOURCES) yield* textsOf(file, readFileSync(REPOSITORY + file, "utf8"), pattern);
}

/** Yields the doc comments and strings of a source, which is parsed only if the pattern matches in it. */
function* textsOf(file: string, text: string, pattern: RegExp): Generator<Place> {
  if (!pattern.test(text.replaceAll(/\\[a-z]/g, " "))) return;
  for (const [comment] of text.matchAll(/\/\*\*.*?\*\//gs)) yield* lines(file, withoutCode(comment));
  for (const literal of sentencesOf(file, text)) yield { place: file, text: literal };
}

/** Returns the text without names between backticks, without Python code, and without the entries that an example imports. */
function withoutCode(text: string): string {
  return text
    .replaceAll(/^```py .*?^```$/gms, "")
    .replaceAll(/`[^`\n]*`/g, "`…`")
    .replaceAll(/(?<= from )"@agentprint\/[^"\n]*"/g, '"…"');
}

function* lines(place: string, text: string): Generator<Place> {
  for (const [index, line] of text.split("\n").entries()) yield { place: `${place}, line ${index + 1}`, text: line };
}

function* sentencesOf(file: string, text: string): Generator<string> {
  const nodes: ts.Node[] = [ts.createSourceFile(file, text, ts.ScriptTarget.Latest)];
  for (let node = nodes.pop(); node; node = nodes.pop()) {
    if ((ts.isStringLiteralLike(node) || ts.isTemplateLiteralToken(node)) && node.text.includes(" ")) yield node.text;
    ts.forEachChild(node, (child) => void nodes.push(child));
  }
}

describe("the words of the glossary", () => {
  const words = forbiddenWords();
  const pattern = new RegExp(`\\b(?:${words.join("|")})s?\\b`, "i");

  test("no document, help or message has a word that the glossary replaces", () => {
    const all = [...texts(pattern)];
    expect(SOURCES.length).toBeGreaterThan(1000);
    expect(all.length).toBeGreaterThan(5000);
    expect(all.filter(({ text }) => pattern.test(text))).toEqual([]);
  });

  test.each([
    ["a doc comment", (word: string) => `/** Reads the ${word}. */\nexport {};\n`],
    ["a string", (word: string) => `fail("expected a ${word}");\n`],
    ["a line of a template", (word: string) => `print(\`a line\\n${word} in \${place}\`);\n`],
  ])("each is found in %s", (_, sourceWith) => {
    const found = (word: string) =>
      [...textsOf("a.ts", sourceWith(word), pattern)].filter(({ text }) => pattern.test(text));
    expect(words.filter((word) => found(word).length === 0)).toEqual([]);
  });

  test("no term is a word that another row replaces", () => {
    const terms = readFileSync(`${REPOSITORY}docs/GLOSSARY.md`, "utf8").matchAll(/^\| ([^|]+?) +\| /gm);
    expect([...terms].map(([, term]) => String(term)).filter((term) => pattern.test(term))).toEqual([]);
    expect(words.length).toBeGreaterThan(40);
  });
});
