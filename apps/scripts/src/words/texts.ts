import { globSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import ts from "typescript";

const REPOSITORY: string = fileURLToPath(new URL("../../../../", import.meta.url));

/** A paragraph, list item, table cell, comment or string, on one line. */
export interface Text {
  readonly kind: "page" | "comment" | "message";
  readonly file: string;
  readonly line: number;
  readonly text: string;
}

const IGNORED: RegExp =
  /(^|\/)(node_modules|dist|target|archive|CHANGELOG\.md|\.mutants|\.cache|\.venv|\.staged|\.vitepress)$/;
const PATTERNS = [
  "*.md",
  ".changeset/*.md",
  "docs/**/*.{md,ts,mjs}",
  "{packages,apps,integrations,lab}/**/*.{md,ts,tsx,mjs}",
  "fixtures/{*.md,rules/*.md,{bin,demo,scripts,spec,src,test,tools}/**/*.{ts,mjs}}",
  "fixtures/ports/**/*.{md,py,go,rs,ts,mjs}",
];

/** A file that people read; its path is relative to the root of the repository. */
export interface Source {
  readonly file: string;
  readonly source: string;
}

/** Returns every file that contains pages, comments or messages. */
export function readSources(): Source[] {
  return globSync(PATTERNS, { cwd: REPOSITORY, exclude: (path) => IGNORED.test(path) })
    .sort()
    .map((file) => ({ file, source: readFileSync(REPOSITORY + file, "utf8") }));
}

/** Returns every text that people read in the repository: pages, comments, and strings of at least three words. */
export function readTexts(): Text[] {
  return readSources().flatMap(textsOf);
}

/** Returns the texts of one file, depending on its extension. */
export function textsOf({ file, source }: Source): Text[] {
  if (file.endsWith(".md")) return paragraphs(file, "page", blank(source, /^```.*?^```$|^---\n.*?^---$/gms), 1);
  if (/\.(ts|tsx|mjs)$/.test(file)) return [...ofScript(file, source)];
  return [...source.matchAll(/"""(.*?)"""|(?:^[ \t]*(?:\/\/[/!]?|#(?!\[))[^\n]*\n)+/gms)].flatMap((match) =>
    paragraphs(file, "comment", match[0].replaceAll('"""', ""), lineOf(source, match.index)),
  );
}

function* ofScript(file: string, source: string): Generator<Text> {
  for (const match of source.matchAll(/^[ \t]*\/\*\*.*?\*\/|(?:^[ \t]*\/\/[^\n]*\n)+/gms)) {
    yield* paragraphs(file, "comment", match[0], lineOf(source, match.index));
  }
  const root = ts.createSourceFile(file, source, ts.ScriptTarget.Latest);
  const nodes: ts.Node[] = [root];
  for (let node = nodes.pop(); node; node = nodes.pop()) {
    const text = ts.isStringLiteralLike(node) || ts.isTemplateExpression(node) ? node.getText(root).slice(1, -1) : "";
    if (/\S\s+\S+\s+\S/.test(text) && !/(^|[^$]){/.test(text)) {
      yield* paragraphs(file, "message", text.replaceAll("\\n", "\n "), lineOf(source, node.getStart(root)));
    }
    ts.forEachChild(node, (child) => void nodes.push(child));
  }
}

/** Joins the lines of each paragraph; a list item, a table cell and a tag of a doc comment each begin a new one. */
function paragraphs(file: string, kind: Text["kind"], source: string, first: number): Text[] {
  const found: { line: number; text: string }[] = [];
  let isOpen = false;
  for (const [index, raw] of source.split("\n").entries()) {
    const line = raw.replace(/^\s*(\/\*\*|\*\/|\*|\/\/[/!]?|#+|>)?\s?/, "").replace(/\s*\*\/$/, "");
    const last = isOpen && !/^\s*([-*|]|\d+\.|@\w|<!--)/.test(line) ? found.at(-1) : undefined;
    if (last) last.text += ` ${line.trim()}`;
    else {
      for (const cell of line.split(/^\s*\||\s\|(?:\s|$)/)) found.push({ line: first + index, text: cell.trim() });
    }
    isOpen = line.trim() !== "" && !/^\s*\|/.test(line);
  }
  return found.filter(({ text }) => text !== "").map((place) => ({ kind, file, ...place }));
}

function blank(source: string, pattern: RegExp): string {
  return source.replaceAll(pattern, (code) => code.replaceAll(/.+/g, ""));
}

function lineOf(source: string, index: number): number {
  return source.slice(0, index).split("\n").length;
}

/** Returns the sentences of at least five words of a text. */
export function sentencesOf({ text }: Text): string[] {
  return text.split(/(?<=[.!?]["')*_]*)\s+(?=[A-Z`"'*[])/).filter((sentence) => sentence.split(" ").length >= 5);
}
