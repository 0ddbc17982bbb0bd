import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { CONCEPTS } from "../../apps/scripts/src/pictures/concepts.ts";
import { drawDiagram, THEMES } from "../../apps/scripts/src/pictures/diagram.ts";
import { REPOSITORY } from "./examples.ts";

const PICTURES = `${REPOSITORY}docs/pictures/`;
const PAGE = readFileSync(`${REPOSITORY}docs/concepts.md`, "utf8");

/** A wide font takes 6.6 pixels per character, and each side of a box has a margin of 12. */
const CHARACTER_PX = 6.6;
const MARGINS_PX = 24;

test("the pictures of the concepts are those that the script draws: node apps/scripts/src/pictures/main.ts", () => {
  for (const [name, diagram] of Object.entries(CONCEPTS)) {
    for (const [theme, colours] of Object.entries(THEMES)) {
      expect(readFileSync(`${PICTURES}${name}-${theme}.svg`, "utf8"), name).toBe(drawDiagram(diagram, colours));
    }
  }
});

test("no words leave their box", () => {
  const wide = Object.values(CONCEPTS).flatMap(({ boxes }) =>
    boxes.flatMap(({ size: [width], title, lines = [] }) =>
      [title, ...lines].filter((text) => text.length * CHARACTER_PX > width - MARGINS_PX),
    ),
  );
  expect(wide).toEqual([]);
});

test("each concept of the page has its picture", () => {
  const shown = [...PAGE.matchAll(/<img src="pictures\/(concept-[a-z]+)-light\.svg" alt="[^"]{40,}">/g)];
  expect(shown.map(([, name]) => name)).toEqual(Object.keys(CONCEPTS));
  expect(PAGE.match(/^## /gm)?.length).toBe(Object.keys(CONCEPTS).length);
});
