import { describe, expect, test } from "vitest";
import { type Graph, graphOf, importsOf, roots } from "./module-graph.ts";

/** Returns the shortest circles of imports, one for each file that closes a circle. */
function circlesIn(graph: Graph): string[] {
  const circles = [...graph.keys()].flatMap((start) => shortestCircle(graph, start));
  return [...new Set(circles)].sort();
}

function shortestCircle(graph: Graph, start: string): string[] {
  const paths: string[][] = [[start]];
  const seen = new Set<string>();
  for (const path of paths) {
    for (const next of graph.get(path.at(-1) as string) ?? []) {
      if (next === start) return [toText(path)];
      if (!seen.has(next)) paths.push([...path, next]);
      seen.add(next);
    }
  }
  return [];
}

/** Returns a circle from its alphabetically first file, so that its text is the same wherever the search began. */
function toText(circle: readonly string[]): string {
  const first = circle.indexOf([...circle].sort()[0] as string);
  const turned = [...circle.slice(first), ...circle.slice(0, first)];
  return [...turned, turned[0]].join(" → ");
}

describe("finding circles", () => {
  test("reads every way to import a module, for a type too", () => {
    const text = `
      import a, { type A } from "./a.ts";
      import { type B } from "./b.ts";
      import type { C } from "./c.ts";
      import "./d.ts";
      export { type E } from "./e.ts";
      export * from "./f.ts";
      export const g = (): Promise<import("./g.ts").G> => import("./h.ts");`;
    expect(importsOf(text)).toEqual([..."abcdefgh"].map((name) => `./${name}.ts`));
  });

  test("names each circle once", () => {
    const graph = new Map([
      ["a", ["b"]],
      ["b", ["c", "d"]],
      ["c", ["a"]],
      ["d", ["d"]],
    ]);
    expect(circlesIn(graph)).toEqual(["a → b → c → a", "d → d"]);
  });

  test("reads every package that has sources", () => {
    expect(roots).toContain("packages/canonical-json");
    for (const root of roots) expect(graphOf(root).size).toBeGreaterThan(0);
  });
});

test.each(roots)("the modules of %s import one another without a circle, types too", (root) => {
  expect(circlesIn(graphOf(root))).toEqual([]);
});
