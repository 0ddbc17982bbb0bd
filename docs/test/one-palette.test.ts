import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { THEMES } from "../../apps/scripts/src/pictures/diagram.ts";
import { REPOSITORY } from "./examples.ts";

/** The pairs of colours, light and dark, in a style sheet. */
function coloursOf(path: string): string[] {
  const text = readFileSync(REPOSITORY + path, "utf8");
  return [...text.matchAll(/light-dark\((#\w+), ?(#\w+)\)/g)].map(([, light, dark]) => `${light} ${dark}`);
}

const PALETTE = coloursOf("apps/playground/src/style/base.css");

test.each(["apps/registry/src/page/style.ts", "packages/trail-page/src/page/style.ts"])(
  "%s has the colours of the playground",
  (path) => {
    expect(PALETTE.length).toBe(12);
    expect(coloursOf(path)).toEqual(expect.arrayContaining(PALETTE));
    expect(coloursOf(path).filter((pair) => !PALETTE.includes(pair))).toEqual([]);
  },
);

test("the registry has the mark of the site", () => {
  const [mark, own] = ["docs/pictures/mark.svg", "apps/registry/src/page/mark.ts"].map((path) =>
    [...readFileSync(REPOSITORY + path, "utf8").matchAll(/<(?:rect|g|path)[^>]*>/g)].map(([element]) => element),
  );
  expect(mark?.length).toBe(4);
  expect(own).toEqual(mark);
});

test("the site and the pictures of concepts have no colour of their own for what the playground has one", () => {
  const site = readFileSync(`${REPOSITORY}apps/site/.vitepress/theme/style.css`, "utf8");
  const all = new Set(PALETTE.flatMap((pair) => pair.split(" ")));
  for (const variable of [
    "--vp-c-bg",
    "--vp-c-bg-alt",
    "--vp-c-text-1",
    "--vp-c-text-3",
    "--vp-c-divider",
    "--vp-c-brand-1",
  ]) {
    const values = [...site.matchAll(new RegExp(`${variable}: (#\\w+)`, "g"))].map(([, value = ""]) => value);
    expect(
      values.filter((value) => !all.has(value)),
      variable,
    ).toEqual([]);
    expect(values).toHaveLength(2);
  }
  const drawn = Object.values(THEMES).flatMap((theme) => Object.values({ ...theme }));
  expect(drawn.filter((colour) => !all.has(colour.replace(/^#ffffff$/, "#fff")))).toEqual([]);
});
