import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { chooseMutants, type Mutant } from "../../mutants/choose.ts";
import { locate } from "../../mutants/locate.ts";
import { changesOf } from "../../mutants/operators.ts";

const apply = (text: string, { start, before, after }: { start: number; before: string; after: string }): string =>
  text.slice(0, start) + after + text.slice(start + before.length);

describe("the operators", () => {
  test.each<[source: string, mutants: string[]]>([
    ["if (a < 1) return;", ["if (!(a < 1)) return;", ";", "if (a <= 1) return;", "if (a < 2) return;"]],
    ["f(a && b);", [";", "f(a || b);"]],
    [
      'const x = ["a", true];',
      ["const x = [...[], true];", 'const x = ["", true];', 'const x = ["a", ...[]];', 'const x = ["a", false];'],
    ],
    ['import { a } from "b"; type C = "d" | 1; const e: "f" = g;', []],
    ['throw new Error("a sentence for people");', []],
  ])("change %s", (source, mutants) => {
    expect(
      changesOf(source)
        .map((change) => apply(source, change))
        .sort(),
    ).toEqual([...mutants].sort());
  });
});

describe("in a folder of sources", () => {
  const FILE = "packages/trail/src/a.ts";
  let root: string;
  const write = (file: string, text: string): void => {
    mkdirSync(dirname(join(root, file)), { recursive: true });
    writeFileSync(join(root, file), text);
  };
  beforeEach(() => {
    root = mkdtempSync(join(tmpdir(), "mutants-"));
    write(FILE, "export function f(a: number): number {\n  if (a > 4) return 5;\n  return a * 7;\n}\n");
  });
  afterEach(() => rmSync(root, { recursive: true }));

  test("a seed chooses the same mutants each time", () => {
    const mutants = chooseMutants(root, 10, 3);
    expect(mutants.map(({ id }) => id)).toEqual([1, 2]);
    expect(new Set(mutants.map(({ line }) => line))).toEqual(new Set([2, 3]));
    expect(chooseMutants(root, 10, 3)).toEqual(mutants);
  });

  test("a mutant is found where its file is, where its statement went, and not where it is no more", () => {
    const [mutant] = chooseMutants(root, 10, 3) as [Mutant];
    const { file, text } = locate(mutant, root) as { file: string; text: string };
    expect(file).toBe(FILE);
    expect(text).toContain(mutant.after);
    rmSync(join(root, FILE));
    expect(locate(mutant, root)).toEqual({ reason: "its statement does not occur" });
    write(
      "packages/trail/src/b.ts",
      `const g = (a: number) => {\n${mutant.statement.text.replaceAll(" ", "\n  ")}\n};\n`,
    );
    expect(locate(mutant, root)).toMatchObject({ file: "packages/trail/src/b.ts", isMoved: true });
  });
});
