import { globSync, readFileSync } from "node:fs";
import { dirname } from "node:path";

/** A fenced `ts` block of a doc comment. */
export interface Example {
  /** `file:line` from the repository root. */
  readonly place: string;
  readonly code: string;
}

export const REPOSITORY: string = new URL("../../", import.meta.url).pathname;

/** Package folders from the repository root. */
export function packageRoots(): string[] {
  return globSync("packages/*/package.json", { cwd: REPOSITORY }).map(dirname).sort();
}

const IN_DOC_COMMENT = /^ *\* ```ts\n(.*?)^ *\* ```/gms;
/** A block without imports continues the one before it, and is for the reader only. */
const IN_README = /^```ts\n(import .*?)^```/gms;

/** Every example in the doc comments and the README of a package. */
export function examplesOf(root: string): Example[] {
  const files = globSync(["src/**/*.ts", "README.md"], { cwd: REPOSITORY + root }).sort();
  return files.flatMap((file) => {
    const text = readFileSync(`${REPOSITORY}${root}/${file}`, "utf8");
    return [...text.matchAll(file === "README.md" ? IN_README : IN_DOC_COMMENT)].map((match) => ({
      place: `${root}/${file}:${text.slice(0, match.index).split("\n").length + 1}`,
      code: (match[1] as string).replaceAll(/^ *\* ?/gm, ""),
    }));
  });
}

/**
 * Turns `expression; // comment` and `console.log(expression); // comment` into a check of the comment: see `check.ts`.
 */
export function withChecks({ code, place }: Example): string {
  const checked = code.replaceAll(
    /^( *)(?:console\.log\((.*)\)|(.*)); \/\/ (.+)$/gm,
    (line: string, indent: string, logged: string | undefined, bare: string | undefined, comment: string) => {
      const expression = logged ?? bare ?? "";
      if (/^(const|let|return|import|export|throw|if|for)\b/.test(expression)) return line;
      return `${indent}$check(${JSON.stringify(comment)}, ${expression});`;
    },
  );
  return `// ${place}\nimport { check as $check } from "${REPOSITORY}docs/test/check.ts";\n${checked}\nvoid $check;\nexport {};\n`;
}
