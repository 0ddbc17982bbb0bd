import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { MARK, STYLE } from "../src/index.ts";

/** The text colours, each with the backgrounds on which pages show it. */
const ON: Readonly<Record<string, readonly string[]>> = {
  ink: ["ground", "panel", "red-ground", "amber-ground", "green-ground"],
  soft: ["ground", "panel"],
  accent: ["ground", "panel"],
  red: ["ground", "panel", "red-ground"],
  amber: ["ground", "panel", "amber-ground"],
  green: ["ground", "panel", "green-ground"],
};

/** Returns the relative luminance of a colour, as WCAG 2.2 defines it. */
function luminance(colour: string): number {
  const digits = colour.length === 4 ? [...colour.slice(1)].map((digit) => digit + digit) : colour.match(/[^#]{2}/g);
  const [red = 0, green = 0, blue = 0] = (digits ?? []).map((each) => {
    const part = Number.parseInt(each, 16) / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

function contrast(one: string, other: string): number {
  const [light = 0, dark = 0] = [luminance(one), luminance(other)].sort((a, b) => b - a);
  return (light + 0.05) / (dark + 0.05);
}

const colours = new Map(
  [...STYLE.matchAll(/--([\w-]+): light-dark\((#\w+), (#\w+)\)/g)].map(([, name = "", light = "", dark = ""]) => [
    name,
    [light, dark] as const,
  ]),
);

test.each(Object.entries(ON).flatMap(([text, grounds]) => grounds.map((ground) => [text, ground])))(
  "%s on %s has the contrast 4.5:1 in both schemes",
  (text, ground) => {
    for (const scheme of [0, 1] as const) {
      expect(contrast(colours.get(text)?.[scheme] ?? "", colours.get(ground)?.[scheme] ?? "")).toBeGreaterThanOrEqual(
        4.5,
      );
    }
  },
);

test("a page that has the style loads nothing, and can have it in itself", () => {
  expect(STYLE).not.toMatch(/url\(|@import|<\//);
  const used = new Set([...STYLE.matchAll(/var\(--([\w-]+)\)/g)].map(([, name]) => name));
  for (const name of used) expect(STYLE).toContain(`--${name}: `);
});

test("the mark is the one of the site", () => {
  const site = readFileSync(new URL("../../../docs/pictures/mark.svg", import.meta.url), "utf8");
  const elements = (text: string) => [...text.matchAll(/<(?:rect|g|path)[^>]*>/g)].map(([element]) => element);
  expect(elements(site)).toHaveLength(4);
  expect(elements(MARK)).toEqual(elements(site));
});
