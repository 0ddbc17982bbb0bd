import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { afterAll, expect, test } from "vitest";

const SOURCES = new URL("../src/", import.meta.url);
const GENERATED = new URL("./.generated/", import.meta.url);
const modules = readdirSync(SOURCES, { recursive: true })
  .map(String)
  .filter((name) => name.endsWith(".ts"));

/** `@example` blocks of a module, without the comment's stars. */
function examplesOf(source: string): string[] {
  return [...source.matchAll(/@example\n((?: \*.*\n)+)/g)].flatMap(([, comment = ""]) => {
    const text = comment.replaceAll(/^ \* ?/gm, "");
    return [...text.matchAll(/```ts\n([\s\S]*?)```/g)].map(([, code = ""]) => code);
  });
}

/** Turns `expression; // value`, or the value on the next line, into an assertion. */
function withAssertions(code: string): string {
  const asserted = code
    .replaceAll(/;\n\/\/ (.+)$/gm, "; // $1")
    .replaceAll(/^console\.log\((.+)\); \/\/ (.+)$/gm, "check($1, $2);")
    .replaceAll(/^( +)console\.log\((.+)\); \/\/ (.+)$/gm, "$1check($2, $3);")
    .replaceAll(/^(?!const |let |import |export )(\S.*); \/\/ (.+)$/gm, "check($1, $2);")
    .replaceAll('"@agentprint/agent-capabilities', '"../../src/index.ts')
    .replaceAll(/"\.\.\/\.\.\/src\/index\.ts\/([a-z-]+)"/g, '"../../src/adapters/$1.ts"');
  return `import { expect } from "vitest";\nlet checks = 0;\nconst check = (actual: unknown, expected: unknown) => {\n  checks++;\n  expect(actual).toEqual(expected);\n};\n${asserted}\nexport { checks };\n`;
}

afterAll(() => rmSync(GENERATED, { recursive: true, force: true }));

for (const name of modules) {
  const examples = examplesOf(readFileSync(new URL(name, SOURCES), "utf8"));
  test.each(examples.map((code, index) => [index, code] as const))(`${name}, example %s`, async (index, code) => {
    mkdirSync(GENERATED, { recursive: true });
    const file = new URL(`${name.replaceAll(/[/.]/g, "-")}-${index}.ts`, GENERATED);
    writeFileSync(file, withAssertions(code));
    const { checks } = (await import(file.pathname)) as { checks: number };
    expect(checks).toBeGreaterThan(0);
  });
}

test("every exported function has an example", () => {
  for (const name of modules.filter((module) => !module.startsWith("index"))) {
    const source = readFileSync(new URL(name, SOURCES), "utf8");
    const index = readFileSync(new URL("index.ts", SOURCES), "utf8");
    for (const [, exported = ""] of source.matchAll(/^export (?:async )?(?:function|class) (\w+)/gm)) {
      if (!new RegExp(`\\b${exported}\\b`).test(index)) continue;
      const comment = source.slice(
        0,
        source.search(new RegExp(`^export (?:async )?(?:function|class) ${exported}\\b`, "m")),
      );
      expect(comment.slice(comment.lastIndexOf("/**")), `${name}: ${exported}`).toContain("@example");
    }
  }
});
