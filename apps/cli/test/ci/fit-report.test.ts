import { anyCharacter } from "@agentprint/testing/text/any-character";
import fc from "fast-check";
import { expect, test } from "vitest";
import { REPOSITORY } from "../support/action-run.ts";

const { fitReport } = await import(`${REPOSITORY}integrations/github-action/fit-report.mjs`);
const bytes = (text: string): number => Buffer.byteLength(text);

const change = (level: string, name: string, lines = 3): string =>
  `- **${level}** \`${name}\`: changed\n  \`\`\`diff\n${"  + öööööööööö\n".repeat(lines)}  \`\`\`\n`;
const folded = (name: string, changes: string): string =>
  `### \`${name}\`\n\n<details><summary>many</summary>\n\n${changes}\n</details>\n\n`;

test("leaves a report that fits as it is", () => {
  const markdown = `## check\n\nall\n\n${folded("a", change("note", "x"))}`;
  expect(fitReport(markdown, bytes(markdown), bytes)).toBe(markdown);
});

test("cuts within sections, the least important findings first, and says how much is missing and where to find it", () => {
  const notes = Array.from({ length: 400 }, (_, index) => change("note", `n${index}`)).join("");
  const markdown = `## check\n\nall\n\n${folded("a", notes + change("error", "worst"))}${folded("b", change("warning", "w"))}`;
  const cut: string = fitReport(markdown, 3000, bytes);
  expect(bytes(cut)).toBeLessThanOrEqual(3000);
  expect(cut).toMatch(/^## check\n\nall\n/);
  expect(cut).toContain("- **error** `worst`");
  expect(cut).toContain("- **warning** `w`");
  expect(cut).toContain("- **note** `n0`");
  expect(cut).toMatch(
    /\nShown in full: 1 of 1 errors, 1 of 1 warnings, \d\d of 400 notes\. .*see the job's JSON report for everything\.\n$/,
  );
  expect(cut.split("<details>")).toHaveLength(cut.split("</details>").length);
});

test("keeps the sentences of the head, however long a line before them is", () => {
  const names = `${"server\\_1 could not be read; ".repeat(20_000)}\n`;
  const markdown = `## check\n\n${names}\nThis change removes 3000 servers from the lock\n\n${folded("a", change("error", "x"))}`;
  for (const max of [10_000, 65_536]) {
    const cut: string = fitReport(markdown, max, bytes);
    expect(bytes(cut)).toBeLessThanOrEqual(max);
    expect(cut).toMatch(/read; [^\n]{0,40} … \(\d+ more characters of this line\)\n/);
    expect(cut).toContain("\nThis change removes 3000 servers from the lock\n");
    expect(cut).toContain("- **error** `x`");
  }
});

test("cuts the lines of a change that is too long, and closes its fence", () => {
  const markdown = `## check\n\nall\n\n${folded("a", change("error", "long", 1000))}`;
  const cut: string = fitReport(markdown, 2000, bytes);
  expect(bytes(cut)).toBeLessThanOrEqual(2000);
  expect(cut).toContain("- **error** `long`");
  expect(cut).toMatch(/ {2}```\n {2}\(\d+ more lines of this change\)\n/);
  expect(cut).toContain("Shown in full: 0 of 1 errors.");
});

test("never exceeds the available room", () => {
  const line = fc.oneof(
    fc.constantFrom("### server", "- **error** x", "- **note** y", "  ```diff", "  ```", "</details>"),
    fc.string({ unit: anyCharacter, maxLength: 80 }),
  );
  fc.assert(
    fc.property(fc.array(line, { maxLength: 40 }), fc.integer({ min: 250, max: 900 }), (lines, max) => {
      expect(bytes(fitReport(lines.join("\n"), max, bytes))).toBeLessThanOrEqual(max);
    }),
  );
});
