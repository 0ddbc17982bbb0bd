// The page of error codes, docs/ERRORS.md, from the unions of codes and the doc comments of the sources.
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { markdownTable } from "./markdown-table.ts";

/** The path of the page from the root of the repository. */
export const ERRORS_PAGE = "docs/ERRORS.md";

const UNION = /export type (\w+)ErrorCode\b =([^;]*);/gs;
const THROWS = /@throws \{@link (\w+)\} (.*?)(?=\n\s*\* @|\n\s*\*\n|\s*\*\/)/gs;
/** A clause about one code alone: one about several does not say which of them is meant when. */
const CLAUSE = /(?<!`(?:,| or| and) )`([\w-]+)` ((?:when|where|if) [^;]*?)(?=;|, `|, or `[\w-]+` (?:when|where)|\.?$)/g;

/** The codes of one error class. */
export interface ErrorClass {
  readonly name: string;
  /** The folder of its package, from the root of the repository. */
  readonly folder: string;
  /** Each code with the words of the doc comments about it; empty where there are none. */
  readonly codes: ReadonlyMap<string, string>;
  /** The classes whose codes this one has, too. */
  readonly alsoOf: readonly string[];
}

/** Returns every error class with codes of the packages and apps below `root`, by folder and name. */
export function errorClasses(root: string): ErrorClass[] {
  const sources = globSync(["packages/*/src/**/*.ts", "apps/{cli,mcp-server,registry}/src/**/*.ts"], {
    cwd: root,
  }).sort();
  const texts = sources.map((path) => [path, readFileSync(join(root, path), "utf8")] as const);
  const sayings = texts.flatMap(([, text]) =>
    [...text.matchAll(THROWS)].map(([, name = "", said = ""]) => ({ name, said: inOneLine(said) })),
  );
  return texts.flatMap(([path, text]) =>
    [...text.matchAll(UNION)].map(([, subject = "", union = ""]) => {
      const name = `${subject}Error`;
      const alsoOf = [...union.matchAll(/\b(\w+Error)Code\b/g)].map(([, other = ""]) => other);
      const of = sayings.filter((saying) => saying.name === name);
      const codes = codesOf(union, text).map(([code, comment]) => [code, comment ?? saidOf(code, of)] as const);
      return { name, folder: path.split("/").slice(0, 2).join("/"), codes: new Map(codes), alsoOf };
    }),
  );
}

/** The codes of a union with the comment before each; `keyof typeof X` stands for the members of the table `X`. */
function codesOf(union: string, text: string): (readonly [code: string, comment: string | undefined])[] {
  const [, table] = /keyof typeof (\w+)/.exec(union) ?? [];
  const [, rows = ""] = new RegExp(`const ${table} = \\{(.*?)\\n\\}`, "s").exec(text) ?? [];
  const members = [...rows.matchAll(/^ {2}(\w+):/gm)].map(([, code = ""]) => [code, undefined] as const);
  const literals = [...union.matchAll(/(?:\/\*\*(.*?)\*\/\s*)?\|?\s*"([^"]+)"/gs)].map(
    ([, comment, code = ""]) => [code, comment === undefined ? undefined : inOneLine(comment)] as const,
  );
  return [...members, ...literals];
}

/** The first clause of a `@throws` that says when the code is thrown. */
function saidOf(code: string, sayings: readonly { readonly said: string }[]): string {
  const clauses = sayings.flatMap(({ said }) => [...said.matchAll(CLAUSE)]);
  return clauses.find(([, named]) => named === code)?.[2] ?? "";
}

/** A comment without its stars and links, in one line. */
function inOneLine(comment: string): string {
  return comment
    .replaceAll(/\n\s*\*/g, " ")
    .replaceAll(/\{@link ([^}]+)\}/g, "`$1`")
    .replaceAll(/\s+/g, " ")
    .replaceAll("|", "\\|")
    .trim();
}

/** The anchor of a code on the page. */
export function anchorOfCode(name: string, code: string): string {
  return `${name}-${code}`.toLowerCase();
}

/** Returns the page of all codes, one section a class. */
export function errorsPage(classes: readonly ErrorClass[]): string {
  const sections = classes.flatMap(({ name, folder, codes, alsoOf }) => {
    const others = alsoOf.map((other) => `[${other}](#${other.toLowerCase()})`).join(", ");
    const rows = [...codes].map(([code, said]) => [`<a id="${anchorOfCode(name, code)}"></a>\`${code}\``, said]);
    return [
      `## ${name}`,
      "",
      `Of [\`${folder}\`](../${folder}/README.md)${others && `, which also has the codes of ${others}`}.`,
      "",
      markdownTable(["code", "thrown, for example"], rows),
      "",
    ];
  });
  return [
    "# Error codes",
    "",
    "Every error of a package has a `code`, which is stable, and a message for people. The address of a code on this page is the name of its",
    "class, a hyphen and the code, in lower case. What a check finds is no error: [RULES.md](RULES.md) has the rules of findings.",
    "",
    ...sections,
  ].join("\n");
}
