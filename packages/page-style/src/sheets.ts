import { readFileSync } from "node:fs";

/** Both style sheets as one text, which a build inserts so that they need not be read. */
export const SHEETS: string = ["tokens.css", "base.css"]
  .map((file) => readFileSync(new URL(`../${file}`, import.meta.url), "utf8"))
  .join("");
