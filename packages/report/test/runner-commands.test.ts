import type { Finding, JudgedReport } from "@agentprint/findings";
import { runs } from "@agentprint/testing/property-runs";
import { runnerCommandIn } from "@agentprint/testing/report/runner-rules";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { FORMATS, renderReport } from "../src/index.ts";
import { withoutRunnerCommands } from "../src/runner-commands.ts";

const command = fc.constantFrom(
  "##[add-mask]e",
  "##[stop-commands]x",
  "###[error]x",
  "##[group]x",
  "##vso[task.setvariable variable=x]y",
  "##teamcity[x]",
  "::add-mask::e",
  " \t::stop-commands::x",
  "\u00a0::error::x",
  "\u0085 ::error::x",
  "::set-output name=a::b",
  "::ADD-MASK::e",
  "section_start:1700000000:x\r\u001b[0K",
  "section_end:1700000000:x\r\u001b[0K",
);
const glue = fc.constantFrom(
  "",
  "#",
  "##",
  "[",
  ":",
  "::",
  "\n",
  "\r",
  "\r\n",
  " ",
  "`",
  "\\",
  "\u200b",
  "\u2028",
  "]",
  "%0A",
  '"',
  "x",
);
/** Text of unknown origin that tries to be a command. */
const hostile = fc.array(fc.oneof(command, glue), { minLength: 1, maxLength: 6 }).map((parts) => parts.join(""));

const finding: fc.Arbitrary<Finding> = fc
  .record({
    subject: hostile,
    server: hostile,
    pointer: hostile,
    file: hostile,
    message: hostile,
    note: hostile,
    rule: hostile,
    before: hostile,
    after: hostile,
  })
  .map(({ subject, server, pointer, file, message, note, rule, before, after }) => ({
    rule,
    level: "error",
    message,
    note,
    before,
    after: { [after]: after },
    place: { subject, server, pointer: `/${pointer}`, location: { file, line: 1 } },
  }));

const report: fc.Arbitrary<JudgedReport> = fc
  .record({ findings: fc.array(finding, { maxLength: 4 }), title: hostile, summary: hostile })
  .map(({ findings, title, summary }) => ({
    command: title,
    title,
    summary,
    outcome: "drift",
    findings,
    rules: Object.fromEntries(findings.map(({ rule }) => [rule, { level: "error", summary, help: summary }])),
    checked: findings.map(({ place }) => place.subject),
    servers: findings.map(({ place }) => ({ server: place.server ?? "", tools: 1, outcome: "drift" })),
    data: { title },
  }));

describe("no line of a report is a command of a runner", () => {
  test.each(FORMATS)("in the format %s", (format) => {
    fc.assert(
      fc.property(report, fc.constantFrom({}, { brief: true }, { full: true }), (each, options) => {
        for (const line of renderReport(each, format, options).split(/\r\n|\r|\n/)) {
          if (format !== "github") expect(runnerCommandIn(line)).toBeUndefined();
          else expect(line === "" || /^::(?:error|warning|notice) [^\n]*?::(?!.*##\w*\[)/.test(line), line).toBe(true);
        }
      }),
      { numRuns: runs(150) },
    );
  });

  test.each(["text", "markdown"] as const)("in the table of %s", (format) => {
    fc.assert(
      fc.property(report, (each) => {
        const lines = renderReport(each, format, { summary: true }).split("\n");
        expect(lines.flatMap((line) => runnerCommandIn(line) ?? [])).toEqual([]);
      }),
    );
  });
});

test("a text without commands stays, and a JSON text means the same", () => {
  for (const text of ["a::b", "## [x]", "#[x]", "x ::y::", "std::string", ""])
    expect(withoutRunnerCommands(text)).toBe(text);
  fc.assert(
    fc.property(fc.dictionary(hostile, fc.array(hostile)), fc.constantFrom(0, 2), (value, indent) => {
      const text = JSON.stringify(value, null, indent);
      expect(JSON.parse(withoutRunnerCommands(text))).toEqual(JSON.parse(text));
    }),
  );
});

test("a command stays none behind any white space of .NET", () => {
  for (let code = 1; code <= 0xffff; code++) {
    const line = `${String.fromCharCode(code)}::add-mask::x`;
    const lines = withoutRunnerCommands(line).split(/[\r\n]/);
    if (lines.some((each) => runnerCommandIn(each) !== undefined)) expect.unreachable(`U+${code.toString(16)}`);
  }
});

test("the rules of the runners find commands", () => {
  for (const line of [
    "\u0085::error::x",
    "\u3000::error::x",
    "::error::x",
    " \t::add-mask::x",
    "a ##[group]x",
    "x##vso[task.x]y",
    "section_start:1:x",
  ]) {
    expect(runnerCommandIn(line)).toBeDefined();
  }
  for (const line of ["::x::y", "a ::error::x", "##[x]", "## [error]"]) expect(runnerCommandIn(line)).toBeUndefined();
});
