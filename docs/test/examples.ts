import { existsSync, globSync, readFileSync } from "node:fs";
import { dirname } from "node:path";
import { fileURLToPath } from "node:url";
import { blocksOf, documents } from "@agentprint/testing/markdown/code-blocks";

/** A fenced `ts` block of a doc comment. */
export interface Example {
  /** `file:line` from the repository root. */
  readonly place: string;
  readonly code: string;
}

export const REPOSITORY: string = fileURLToPath(new URL("../../", import.meta.url));

/** Returns the package folders from the repository root, except for the one that only tests use. */
export function packageRoots(): string[] {
  const all = globSync("packages/*/package.json", { cwd: REPOSITORY }).map(dirname);
  return all.filter((root) => root !== "packages/testing").sort();
}

const IN_DOC_COMMENT = /^ *\* ```ts\n(.*?)^ *\* ```/gms;
/** Returns every example in the doc comments and the READMEs of a package. */
export function examplesOf(root: string): Example[] {
  const sources = globSync("src/**/*.ts", { cwd: REPOSITORY + root }).sort();
  const commented = sources.flatMap((file) => {
    const text = readFileSync(`${REPOSITORY}${root}/${file}`, "utf8");
    return [...text.matchAll(IN_DOC_COMMENT)].map((match) => ({
      place: `${root}/${file}:${text.slice(0, match.index).split("\n").length + 1}`,
      code: (match[1] as string).replaceAll(/^ *\* ?/gm, ""),
    }));
  });
  const documented = documents()
    .filter((page) => page.startsWith(`${root}/README`))
    .flatMap(blocksOf)
    .filter(({ language, reason }) => language === "ts" && reason === undefined)
    .map(({ page, line, code }) => ({ place: `${page}:${line}`, code }));
  return [...documented, ...commented];
}

/**
 * Turns `expression; // comment` and `console.log(expression); // comment` into a check of the comment, and a line that
 * logs with comments below it into a check of the output: see `check.ts`.
 */
export function withChecks({ code, place }: Example): string {
  const checked = code
    .replaceAll(/^(?!\/\/|.*console\.log)(\S.*;)\n\/\/ (.+)$/gm, "$1 // $2")
    .replaceAll(
      /^( *)(?:console\.log\((.*)\)|(.*)); \/\/ (.+)$/gm,
      (line: string, indent: string, logged: string | undefined, bare: string | undefined, comment: string) => {
        const expression = logged ?? bare ?? "";
        if (/^(const|let|return|import|export|throw|if|for)\b/.test(expression)) return line;
        return `${indent}$check(${JSON.stringify(comment)}, ${logged !== undefined}, ${expression});`;
      },
    )
    .replaceAll(
      /^((?:(?:if|for) \(.*\) )?console\.log\(.*\);)\n((?:\/\/ .+\n?)+)/gm,
      (_all: string, statement: string, comments: string) => {
        const lines = [...comments.matchAll(/^\/\/ (.+)$/gm)].map(([, line]) => line);
        return `await $checkPrinted(${JSON.stringify(lines)}, async () => {\n${statement}\n});\n`;
      },
    );
  const helper = `import { check as $check, checkPrinted as $checkPrinted } from "${REPOSITORY}docs/test/check.ts";`;
  return `// ${place}\n${helper}\n${worldOf(place, code)}\n${checked}\nvoid $check, $checkPrinted;\nexport {};\n`;
}

/** Packages whose READMEs still use names that are in no block, such as a transport of a server. */
const LEANING = ["packages/guard/", "packages/registry-api/"];

/**
 * Imports from the package's `test/example-world.ts` the names that an example in a doc comment uses without declaring
 * them. An example in a README is self-contained.
 */
function worldOf(place: string, code: string): string {
  if (place.includes("/README") && !LEANING.some((root) => place.startsWith(root))) return "";
  const path = `${REPOSITORY}${place.split("/").slice(0, 2).join("/")}/test/example-world.ts`;
  if (!existsSync(path)) return "";
  const names = [...readFileSync(path, "utf8").matchAll(/^export const (\w+)/gm)].map(([, name]) => String(name));
  const missing = names.filter((name) => used(name).test(code) && !introduced(name).test(code));
  return `import { ${missing.join(", ")} } from "${path}";`;
}

const used = (name: string): RegExp => new RegExp(`(?<!\\w)(?<!(?<!\\.\\.)\\.)${name}\\b(?!:)`);
const introduced = (name: string): RegExp => new RegExp(`\\b(?:const|let)\\s+(?:\\{[^}]*\\b)?${name}\\b`);
