import fc from "fast-check";
import { expect, test } from "vitest";
import { anyCharacter } from "../../../../packages/canonical-json/test/text/any-character.ts";
import { REPOSITORY } from "../support/action-run.ts";

const { fitReport } = await import(`${REPOSITORY}action/fit-report.mjs`);
const bytes = (text: string): number => Buffer.byteLength(text);

test("leaves out whole sections, and says how many", () => {
  const sections = ["a", "b", "c"].map((name) => `### ${name}\n${"ö".repeat(200)}\n`);
  const markdown = `## check\n\n${sections.join("")}`;
  expect(fitReport(markdown, bytes(markdown), bytes)).toBe(markdown);
  const cut: string = fitReport(markdown, bytes(markdown) - 1, bytes);
  expect(cut).toMatch(/^## check\n\n### a\nö+\n### b\nö+\n\n2 of 3 sections are shown: /);
});

test("is never larger than there is room", () => {
  const line = fc.oneof(fc.constant("### server"), fc.string({ unit: anyCharacter, maxLength: 80 }));
  fc.assert(
    fc.property(fc.array(line, { maxLength: 40 }), fc.integer({ min: 200, max: 900 }), (lines, max) => {
      expect(bytes(fitReport(lines.join("\n"), max, bytes))).toBeLessThanOrEqual(max);
    }),
  );
});
