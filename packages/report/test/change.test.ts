import type { Finding, JudgedReport, Level } from "@agentprint/findings";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { FORMATS, renderReport } from "../src/index.ts";

const CHANGE = [
  "Judged by the base 0123",
  "This change removes 1 server from the lock, approves 400 findings (mcp/item-added 400)",
];

function report(levels: readonly Level[], length = 10): JudgedReport {
  const findings = levels.map((level, index): Finding => {
    const name = `${level}${index}`;
    return {
      rule: "mcp/item-added",
      level,
      message: "added",
      place: { subject: name, server: "it" },
      after: `${name} ${"ö".repeat(length)}`,
    };
  });
  return {
    command: "agentprint check",
    title: "agentprint check",
    summary: "it",
    outcome: "same",
    change: CHANGE,
    findings,
    rules: {},
    checked: [],
    data: {},
  };
}

test.each(FORMATS)("%s names what the change does, however many findings there are", (format) => {
  for (const options of [{}, { brief: true }, { summary: true }, { maxBytes: 1 }, { full: true }]) {
    const text = renderReport(report(Array(400).fill("note")), format, options).replaceAll("\\", "");
    for (const sentence of CHANGE) expect(text).toContain(sentence);
  }
});

test("the first annotation of a result that takes several names what the change does", () => {
  const long = { ...report(["note"]), summary: "it could not be read; ".repeat(5000) };
  const lines = renderReport(long, "github").split("\n");
  const notices = lines.filter((line) => line.startsWith("::notice title=agentprint check::"));
  expect(notices.length).toBeGreaterThan(10);
  expect(notices[0]).toBe(`::notice title=agentprint check::${CHANGE.join("%0A")}`);
  const nearly = { ...report([]), summary: "x".repeat(3850) };
  for (const line of renderReport(nearly, "github").split("\n")) expect(line.length).toBeLessThan(4096);
});

describe("a limit of Markdown", () => {
  const bytes = (text: string): number => new TextEncoder().encode(text).length;

  test("leaves out what matters least first, inside of sections, and says how much", () => {
    const levels = [...Array(400).fill("note"), "error", ...Array(20).fill("warning")] as Level[];
    const text = renderReport(report(levels), "markdown", { full: true, maxBytes: 5000 });
    expect(bytes(text)).toBeLessThanOrEqual(5000);
    expect(text).toContain("error400");
    for (let index = 401; index < 421; index++) expect(text).toContain(`warning${index}`);
    expect(text).toContain("`note0`");
    expect(text).not.toContain("`note399`");
    expect(text).toMatch(
      /\d+ of 421 findings do not fit here, the least important ones: the JSON report has all of them/,
    );
  });

  test("shows the beginning of a finding that is too long for it", () => {
    const text = renderReport(report(["error"], 2_000_000), "markdown", { full: true, maxBytes: 1_000_000 });
    expect(bytes(text)).toBeLessThanOrEqual(1_000_000);
    expect(text).toContain("error0");
    expect(text).toMatch(/characters of this change are not shown/);
  });

  test("is kept, and a worse finding is never left out for another", () => {
    const levels = fc.array(fc.constantFrom<Level>("error", "warning", "note"), { maxLength: 60 });
    fc.assert(
      fc.property(levels, fc.integer({ min: 600, max: 6000 }), (some, maxBytes) => {
        const text = renderReport(report(some), "markdown", { maxBytes });
        expect(bytes(text)).toBeLessThanOrEqual(maxBytes);
        const left = some.filter((level, index) => !text.includes(`\`${level}${index}\``));
        if (left.includes("error")) expect(text).not.toContain("`note");
        if (left.includes("error") || left.includes("warning")) expect(text).not.toContain("`note");
      }),
    );
  });
});
