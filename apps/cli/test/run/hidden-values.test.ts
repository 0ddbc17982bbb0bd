import type { JudgedReport } from "@agentprint/findings";
import { createSecretReplacer } from "@agentprint/mcp-visit";
import { FORMATS, renderReport } from "@agentprint/report";
import { runs } from "@agentprint/testing/property-runs";
import fc from "fast-check";
import { expect, test } from "vitest";
import { HiddenValues } from "../../src/run/hidden-values.ts";

const secret = fc
  .string({ unit: "grapheme", minLength: 8, maxLength: 40 })
  .filter((text) => text.trim().length >= 8 && /[^\w\s]/.test(text) && text.trim() === text);
const encode = fc.constantFrom<(text: string) => string>(
  (text) => text,
  (text) => JSON.stringify(text),
  (text) => encodeURIComponent(text),
  (text) => Buffer.from(`x${text}`).toString("base64"),
  (text) => `${"filler ".repeat(40)}${text}${" filler".repeat(40)}`,
);

/** Returns a report with a server's text in every place that can hold one. */
function reportOf(text: string): JudgedReport {
  const change = {
    rule: "mcp/tool-contract-changed",
    level: "error",
    message: `it said ${text}`,
  } as const;
  const subject = `s › ${text}`;
  return {
    command: "agentprint check",
    title: "agentprint check",
    summary: `drifted: ${text}`,
    outcome: "drift",
    checked: [`s › ${text}`],
    findings: [
      {
        ...change,
        place: { subject, pointer: `/${text}` },
        before: text,
        after: { [text]: [`now ${text}`] },
        note: text,
      },
      {
        ...change,
        before: `the same ${text} and more`,
        after: `the same ${text} and less`,
        place: { subject, location: { file: text, line: 1 } },
      },
      { ...change, place: { subject }, couldNotTell: true },
    ],
    rules: { "mcp/tool-contract-changed": { level: "error", summary: "a tool changed", help: "look at it" } },
    data: { servers: [{ server: text, [text]: { said: text } }] },
  };
}

test("no report in any format shows a secret in any encoding", () => {
  fc.assert(
    fc.property(secret, encode, fc.constantFrom(...FORMATS), fc.boolean(), (value, write, format, full) => {
      const replacer = createSecretReplacer([{ name: "API_TOKEN", value }]);
      const rendered = renderReport(replacer.replaceIn(reportOf(write(value))), format, { full });
      expect(rendered).toContain("‹value of API_TOKEN›");
      // The replacer finds no value in the output, even in escaped form.
      expect(replacer.replace(rendered)).toBe(rendered);
      expect(rendered).not.toContain(value);
    }),
    { numRuns: runs(150) },
  );
});

test("a report without secrets is the same, byte by byte", () => {
  fc.assert(
    fc.property(fc.string({ unit: "grapheme" }), fc.constantFrom(...FORMATS), (text, format) => {
      const replacer = createSecretReplacer([{ name: "API_TOKEN", value: "no report has this in it" }]);
      expect(renderReport(replacer.replaceIn(reportOf(text)), format)).toBe(renderReport(reportOf(text), format));
    }),
    { numRuns: runs(50) },
  );
});

test("values are hidden as soon as they are looked up", () => {
  const hidden = new HiddenValues();
  expect(hidden.replace("hunter22")).toBe("hunter22");
  const report = reportOf("hunter22");
  expect(hidden.replaceIn(report)).toBe(report);
  hidden.hide([{ name: "A", value: "hunter22" }]);
  hidden.hide([
    { name: "A", value: "hunter22" },
    { name: "B", value: "hunter33" },
  ]);
  expect(hidden.replace("hunter22 hunter33")).toBe("‹value of A› ‹value of B›");
  expect(renderReport(hidden.replaceIn(report), "text")).not.toContain("hunter22");
});
