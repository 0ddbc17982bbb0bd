import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { REPOSITORY } from "../repository.ts";

/** A fenced code block in a document. */
export interface CodeBlock {
  readonly page: string;
  readonly line: number;
  readonly language: string;
  /** The name of the file in which a reader saves it, or `""`. */
  readonly file: string;
  readonly code: string;
  /** Why it is not run: the text of a comment `<!-- not run: … -->` before it. */
  readonly reason: string | undefined;
}

const FENCE = /^(?:<!-- not run: ([^\n]+) -->\n\n)?```(\w+) ?(\S*)\n(.*?)^```$/gms;
const DOCUMENTS = [
  "*.md",
  "docs/*.md",
  "packages/*/*.md",
  "apps/*/*.md",
  "fixtures/*.md",
  "fixtures/ports/*/README.md",
];

/** Returns every document that may contain code to run. */
export function documents(): string[] {
  return globSync([...DOCUMENTS, "lab/*.md", "integrations/*/*.md", "integrations/skills/*/SKILL.md"], {
    cwd: REPOSITORY,
  })
    .filter((path) => !path.endsWith("CHANGELOG.md"))
    .sort();
}

/** Returns the blocks of a document, in order. */
export function blocksOf(page: string): CodeBlock[] {
  const text = readFileSync(join(REPOSITORY, page), "utf8");
  return [...text.matchAll(FENCE)].map(
    ({ 0: all, 1: reason, 2: language = "", 3: file = "", 4: code = "", index }) => ({
      page,
      line: text.slice(0, index + all.indexOf("```")).split("\n").length,
      language,
      file,
      code,
      reason,
    }),
  );
}

/** Documents whose commands belong to the checkout: `.ci/run` and the tests run them there. */
export const OF_THE_CHECKOUT: ReadonlySet<string> = new Set(["README.md", "CONTRIBUTING.md"]);

/** Returns the documents with commands that a reader runs in an empty folder. */
export function walkedPages(): string[] {
  return documents().filter(
    (page) =>
      !OF_THE_CHECKOUT.has(page) &&
      blocksOf(page).some(({ language, reason }) => language === "sh" && reason === undefined),
  );
}
