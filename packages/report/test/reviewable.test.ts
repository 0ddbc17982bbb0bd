import type { JudgedReport } from "@agentprint/findings";
import { runs } from "@agentprint/testing/property-runs";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { cutFindings, FORMATS, type ReportFormat, renderReport } from "../src/index.ts";
import { compareWords } from "./compare.ts";
import { reportOf } from "./reports.ts";

const PEOPLE = FORMATS.filter((format) => format !== "json");

/** Undoes a format's changes to the text in a line, so that the text can be searched for. */
const UNESCAPED: Readonly<Record<Exclude<ReportFormat, "json">, (output: string) => string>> = {
  text: (output) => output,
  markdown: (output) => output,
  sarif: (output) => JSON.parse(output).runs[0].results[0].message.text,
  junit: (output) =>
    output.replaceAll("&lt;", "<").replaceAll("&gt;", ">").replaceAll("&quot;", '"').replaceAll("&amp;", "&"),
  github: (output) => output.replaceAll("%0A", "\n").replaceAll("%25", "%"),
  gitlab: (output) => JSON.parse(output)[0].description,
};

const word = fc.oneof(
  {
    weight: 8,
    arbitrary: fc.constantFrom("the", "tool", "reads", "a", "file", "and", "then", "returns", "text", "of"),
  },
  fc.string({
    unit: fc.constantFrom("a", "b", "é", "💥", "\u202e", "\ufe0f", "\u3164", "<", "%", "`"),
    minLength: 1,
    maxLength: 8,
  }),
  fc.constantFrom("0123456789abcdef".repeat(4), "\n", "\\", '"'),
);
const longText = fc.array(word, { minLength: 0, maxLength: 600 }).map((words) => words.join(" "));

/**
 * A long text, and the same text with words inserted in some places. Each inserted word is in only one of the two
 * texts.
 */
const edited = fc
  .record({
    base: fc.array(word, { minLength: 60, maxLength: 900 }),
    edits: fc.uniqueArray(fc.nat(899), { minLength: 1, maxLength: 6 }),
    sizes: fc.array(fc.integer({ min: 1, max: 40 }), { minLength: 6, maxLength: 6 }),
    isOld: fc.array(fc.boolean(), { minLength: 6, maxLength: 6 }),
  })
  .map(({ base, edits, sizes, isOld }) => {
    const places = [...new Set(edits.map((edit) => edit % (base.length + 1)))];
    const inserted = places.map((place, index) => ({
      place,
      words: Array.from({ length: sizes[index] ?? 1 }, (_, at) => `edit${index}word${at}`),
      isOld: isOld[index] ?? false,
    }));
    const side = (old: boolean): string =>
      [...base, ""]
        .flatMap((text, place) => {
          const here = inserted.filter((edit) => edit.place === place && edit.isOld === old);
          return [...here.flatMap(({ words }) => words), text];
        })
        .join(" ");
    return { before: side(true), after: side(false), words: inserted.flatMap(({ words }) => words) };
  });

const SHOWN_ELSEWHERE =
  /^\s*! \d+ characters of this change are not shown, from character \d+ of the value (before|after)/m;

describe.each(PEOPLE)("%s", (format) => {
  const lines = (report: JudgedReport, full = false): string =>
    UNESCAPED[format](renderReport(report, format, { full, compareWords }));

  test("shows every place where two long texts differ, or says how much it does not show, and where", () => {
    fc.assert(
      fc.property(edited, fc.boolean(), ({ before, after, words }, full) => {
        const report = reportOf({ before, after });
        const output = lines(report, full);
        const isWhole = cutFindings(report, format, { full, compareWords }).length === 0;
        const shown = new Set(output.match(/\w+/g));
        const missing = words.filter((text) => !shown.has(text));
        if (isWhole) expect(missing).toEqual([]);
        expect(SHOWN_ELSEWHERE.test(output)).toBe(!isWhole);
        if (full && format !== "github") expect(isWhole).toBe(true);
      }),
    );
  });

  test("a value that is new is shown completely, or marked as cut", () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 3000 }), (length) => {
        const after = `${"Reads a file. ".repeat(length)}Then sends it on.`;
        const report = reportOf({ after });
        const isWhole = cutFindings(report, format).length === 0;
        expect(lines(report).includes("Then sends it on.")).toBe(isWhole);
        expect(SHOWN_ELSEWHERE.test(lines(report))).toBe(!isWhole);
      }),
      { numRuns: runs(15) },
    );
  });
});

describe("a reviewer", () => {
  const limited = FORMATS.filter((format) => format !== "json" && format !== "sarif");

  test.each(limited)("learns from %s that a name is too long for it", (format) => {
    const long = "name ".repeat(10_000);
    for (const finding of [{ pointer: `/${long}` }, { subject: long }, { message: long }, { note: long }]) {
      const report = reportOf(finding);
      expect(renderReport(report, format).replaceAll("\\", "")).toMatch(/ … \(\d+ more\)/);
      expect(cutFindings(report, format)).toEqual(report.findings);
    }
    expect(cutFindings(reportOf({ pointer: "/a", before: 1, after: 2, note: "Look" }), format)).toEqual([]);
  });

  test("gets whole values from SARIF, however long they are", () => {
    const [before, after] = ["a ", "b "].map((text) => text.repeat(100_000));
    const report = reportOf({ before: before!, after: { text: after! } });
    const [result] = JSON.parse(renderReport(report, "sarif")).runs[0].results;
    expect(result.properties).toEqual({ before, after: { text: after } });
    expect(cutFindings(report, "sarif")).toEqual([]);
    expect(cutFindings(report, "json")).toEqual([]);
  });

  test("reads in whole numbers how much is not shown", () => {
    const words = Array.from({ length: 69 }, (_, index) => `word${index}`);
    for (const message of ["changed", "prose changed"]) {
      const after = [...words.slice(0, 64), "new0at0", ...words.slice(64)];
      after.splice(6, 0, ...Array.from({ length: 338 }, (_, index) => `new1at${index}`));
      const report = reportOf({ message, pointer: "/description", before: words.join(" "), after: after.join(" ") });
      expect(renderReport(report, "github")).toMatch(
        /! \d+ characters of this change are not shown, from character \d+ of the value (before|after)/,
      );
    }
  });

  test("gets messages that GitHub does not cut", () => {
    fc.assert(
      fc.property(
        fc.record({ before: longText, after: longText, message: longText, note: longText, pointer: longText }),
        fc.integer({ min: 1, max: 20 }),
        (finding, times) => {
          const repeated = Object.entries(finding).map(([name, text]) => [name, text.repeat(times)]);
          const [line = ""] = renderReport(reportOf(Object.fromEntries(repeated)), "github").split("\n");
          const message = line
            .replace(/^::error [^:]*::/, "")
            .replaceAll("%0A", "\n")
            .replaceAll("%25", "%");
          expect(message.length).toBeLessThanOrEqual(4096);
        },
      ),
    );
  });

  test("reads the whole result in notices that GitHub does not cut", () => {
    const summary = Array.from({ length: 300 }, (_, index) => `server-${index} drifted: 1 of 3 tools changed`).join(
      "; ",
    );
    const notices = renderReport(reportOf({}, { summary }), "github")
      .split("\n")
      .flatMap((line) => /^::notice title=agentprint check::(.*)$/.exec(line)?.[1] ?? []);
    expect(notices.length).toBeGreaterThan(1);
    expect(notices.join("")).toBe(summary);
    for (const notice of notices) expect(notice.length).toBeLessThanOrEqual(4096);
  });

  test("learns that GitHub annotates ten findings of a level in a step", () => {
    const [finding] = reportOf({}).findings;
    const findings = (["error", "warning", "note"] as const).flatMap((level) =>
      Array.from({ length: 12 }, (_, index) => ({ ...finding!, level, message: `changed ${index}` })),
    );
    const report = reportOf({}, { findings });
    const lines = renderReport(report, "github").trimEnd().split("\n");
    for (const command of ["error", "warning", "notice"]) {
      expect(lines.filter((line) => line.startsWith(`::${command} `))).toHaveLength(10);
    }
    expect(lines.at(-1)).toBe(
      "::notice title=agentprint check::1 difference%0AGitHub shows 10 of 12 errors, 10 of 12 warnings, 9 of 12 notes of a " +
        "step as annotations; the report in Markdown, for the job summary, has all of them",
    );
    expect(cutFindings(report, "github")).toEqual([
      ...findings.slice(10, 12),
      ...findings.slice(22, 24),
      ...findings.slice(33),
    ]);
  });

  test.each(FORMATS)("reads the whole result in %s, and no hash or command of it is cut", (format) => {
    const hash = "0123456789abcdef".repeat(4);
    const summary = Array.from({ length: 60 }, (_, index) => `server-${index} drifted: 1 of 3 tools changed`).join(
      "; ",
    );
    const text = `${"word ".repeat(3000)}sha256-${hash} agentprint approve files --expect ${hash}`;
    const report = reportOf({ before: text, after: text.replaceAll("012", "fed") }, { summary, data: { summary } });
    const output = renderReport(report, format, { full: true });
    if (!["sarif", "junit", "gitlab"].includes(format)) {
      expect(output.replaceAll("\\", "")).toContain(summary);
    }
    for (const found of output.matchAll(/[0-9a-f]{20,}/g)) expect([64]).toContain(found[0].length);
  });
});
