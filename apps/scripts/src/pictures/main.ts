// Draws the pictures on the concepts page, in both themes: `node apps/scripts/src/pictures/main.ts`.
import { writeFileSync } from "node:fs";
import { CONCEPTS } from "./concepts.ts";
import { drawDiagram, THEMES } from "./diagram.ts";

const FOLDER = new URL("../../../../docs/pictures/", import.meta.url);

for (const [name, diagram] of Object.entries(CONCEPTS)) {
  for (const [theme, colours] of Object.entries(THEMES)) {
    writeFileSync(new URL(`${name}-${theme}.svg`, FOLDER), drawDiagram(diagram, colours));
  }
}
