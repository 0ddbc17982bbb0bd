import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { findings } from "./quick-start.ts";

test("the quick start of the README is this program and gives what it says", () => {
  const readme = readFileSync(new URL("../README.md", import.meta.url), "utf8");
  expect(readme).toContain(readFileSync(new URL("quick-start.ts", import.meta.url), "utf8"));
  expect(readme).toContain(findings);
});
