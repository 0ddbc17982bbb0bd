// Generates docs/ERRORS.md, the page of error codes, from the unions of codes in the sources and the comments before
// the codes.
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { markdownTable } from "@agentprint/testing/markdown/markdown-table";

/** The path of the page from the root of the repository. */
export const ERRORS_PAGE = "docs/ERRORS.md";

/** Matches a union of codes; a comment in it may contain a semicolon. */
const UNION = /export type (\w+)ErrorCode\b =((?:\/\*.*?\*\/|[^;/])*);/gs;

/** Matches a row of a table of codes, or a code of a union, with the comment before it. */
const MEMBER = /(?:\/\*\*((?:(?!\*\/).)*)\*\/\s*)?^ {2}(\w+):/gms;
const LITERAL = /(?:\/\*\*((?:(?!\*\/).)*)\*\/\s*)?\|?\s*"([^"]+)"/gs;

/** The codes of one error class. */
export interface ErrorClass {
  readonly name: string;
  /** The folder of its package, from the root of the repository. */
  readonly folder: string;
  /** Each code with its comment: what happened, and what to do; empty if there is none. */
  readonly codes: ReadonlyMap<string, string>;
  /** The classes whose codes this class also has. */
  readonly alsoOf: readonly string[];
}

/** Returns every error class with codes in the packages and apps below `root`, by folder and name. */
export function errorClasses(root: string): ErrorClass[] {
  const sources = globSync(["packages/*/src/**/*.ts", "apps/{cli,mcp-server,registry}/src/**/*.ts"], {
    cwd: root,
  }).sort();
  const texts = sources.map((path) => [path, readFileSync(join(root, path), "utf8")] as const);
  return texts.flatMap(([path, text]) =>
    [...text.matchAll(UNION)].map(([, subject = "", union = ""]) => {
      const name = `${subject}Error`;
      const alsoOf = [...union.matchAll(/\b(\w+Error)Code\b/g)].map(([, other = ""]) => other);
      return { name, folder: path.split("/").slice(0, 2).join("/"), codes: codesOf(union, text), alsoOf };
    }),
  );
}

/** Returns the codes of a union with the comment before each; `keyof typeof X` means the members of the table `X`. */
function codesOf(union: string, text: string): Map<string, string> {
  const [, table] = /keyof typeof (\w+)/.exec(union) ?? [];
  const [, rows = ""] = new RegExp(`const ${table} = \\{(.*?)\\n\\}`, "s").exec(text) ?? [];
  const found = [...rows.matchAll(MEMBER), ...union.matchAll(LITERAL)];
  return new Map(found.map(([, comment = "", code = ""]) => [code, inOneLine(comment)]));
}

/** Returns a comment on one line, without its asterisks and links. */
function inOneLine(comment: string): string {
  return comment
    .replaceAll(/\n\s*\*/g, " ")
    .replaceAll(/\{@link ([^}]+)\}/g, "`$1`")
    .replaceAll(/\s+/g, " ")
    .replaceAll("|", "\\|")
    .trim();
}

/** Returns the anchor of a code on the page. */
export function anchorOfCode(name: string, code: string): string {
  return `${name}-${code}`.toLowerCase();
}

/** Returns the page of all codes, with one section per class. */
export function errorsPage(classes: readonly ErrorClass[]): string {
  const sections = classes.flatMap(({ name, folder, codes, alsoOf }) => {
    const others = alsoOf.map((other) => `[${other}](#${other.toLowerCase()})`).join(", ");
    const rows = [...codes].map(([code, said]) => [`<a id="${anchorOfCode(name, code)}"></a>\`${code}\``, said]);
    return [
      `## ${name}`,
      "",
      `In [\`${folder}\`](../${folder}/README.md)${others && `, which also has the codes of ${others}`}.`,
      "",
      markdownTable(["code", "what happened, and what to do"], rows),
      "",
    ];
  });
  return [
    "# Error codes",
    "",
    "Every error that a package throws has a stable `code` and a message for people. The anchor of a code on this page is the name of its",
    "class, a hyphen and the code, in lower case. A finding is not an error: [RULES.md](RULES.md) lists the rules that findings name.",
    "",
    ...sections,
  ].join("\n");
}
