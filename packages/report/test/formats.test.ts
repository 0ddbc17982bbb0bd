import { describe, expect, test } from "vitest";
import { exitCode, type Paint, type Report, renderReport } from "../src/index.ts";
import { reportOf } from "./reports.ts";

const long = `${"a".repeat(300)}X${"b".repeat(300)}`;

const report: Report = {
  ...reportOf({}),
  findings: [
    {
      ruleId: "rule",
      level: "error",
      message: "hints changed",
      subject: "fs › move_file",
      pointer: "/annotations/destructiveHint",
      before: false,
      after: true,
      note: "Others miss it",
    },
    {
      ruleId: "rule",
      level: "warning",
      message: "icon added",
      subject: "fs › move_file",
      pointer: "/icons",
      after: ["x"],
      note: "Others miss it",
    },
    {
      ruleId: "rule",
      level: "note",
      message: "gone",
      subject: "fs › read_file",
      before: 1,
      location: { file: "a b/c#.lock", line: 3, column: 5 },
    },
    { ruleId: "rule", level: "error", message: "no answer", subject: "memory", couldNotTell: true },
  ],
  checked: ["fs › list", "fs › move_file", "fs › read_file", "memory"],
  outcome: "unknown",
};

describe("exit code", () => {
  test.each([
    ["same", 0],
    ["drift", 1],
    ["unknown", 2],
  ] as const)("%s is %i", (outcome, code) => {
    expect(exitCode({ outcome })).toBe(code);
  });
});

describe("text", () => {
  test("one block for each subject, a repeated note once, the result last", () => {
    expect(renderReport(report, "text")).toBe(`fs › move_file
  error  hints changed at /annotations/destructiveHint
    - false
    + true
  warning  icon added at /icons
    + ["x"]
    Others miss it

fs › read_file
  note  gone
    - 1

memory
  error  no answer

agentprint check: 1 difference
`);
  });

  test("colours come from the caller", () => {
    const wrap = (role: string) => (text: string) => `<${role}>${text}</${role}>`;
    const roles = ["error", "warning", "note", "same", "subject", "before", "after", "dim"] as const;
    const paint = Object.fromEntries(roles.map((role) => [role, wrap(role)])) as unknown as Paint;
    const painted = renderReport(report, "text", { paint });
    expect(painted).toContain(
      "  <error>error</error>  hints changed at /annotations/destructiveHint\n    <before>- false</before>\n    <after>+ true</after>",
    );
    expect(painted).toContain("    <dim>Others miss it</dim>\n");
    expect(painted).toContain("<error>agentprint check: 1 difference</error>");
    expect(painted).toContain("<subject>memory</subject>");
    expect(renderReport({ ...report, findings: [], outcome: "same" }, "text", { paint })).toBe(
      "<same>agentprint check: 1 difference</same>\n",
    );
  });

  test("of two long values the part that differs is shown", () => {
    const text = renderReport(reportOf({ before: long, after: long.replace("X", "YY") }), "text");
    expect(text).toContain(
      `    - … ${"a".repeat(40)}X${"b".repeat(40)} … (261 more)\n    + … ${"a".repeat(40)}YY${"b".repeat(40)} … (261 more)\n`,
    );
  });

  test("a long value alone is cut, never inside a character", () => {
    const text = renderReport(reportOf({ before: `${"a".repeat(198)}💥${"b".repeat(99)}` }), "text");
    expect(text).toContain(`    - "${"a".repeat(198)}💥 … (100 more)\n`);
    for (const middle of ["", "b"]) {
      const [before, after] = ["X", "Y"].map((end) => `${"💥".repeat(150)}${middle}${end}`);
      const pair = renderReport(reportOf({ before: before!, after: after! }), "text");
      expect(pair).toContain(`💥${middle}X"`);
      expect(pair).not.toMatch(/\\u\{d83d\}|\\u\{dca5\}/);
    }
  });

  test("what goes on where the other value ends is told apart", () => {
    const text = renderReport(reportOf({ before: "a".repeat(300), after: "a".repeat(301) }), "text");
    expect(text.match(/^ {4}[-+] .*$/gm)).toEqual([`    - … ${"a".repeat(40)}"`, `    + … ${"a".repeat(40)}a"`]);
  });
});

describe("json", () => {
  test("the machine form, complete, on one line", () => {
    expect(renderReport({ ...report, data: { b: long, a: [1, { c: null }] } }, "json")).toBe(
      `{"a":[1,{"c":null}],"b":"${long}"}\n`,
    );
  });

  test("reads back as it was, whatever it holds, and writes no control character", () => {
    const data = ["\u202e\u009b\u{e0041}\ud800\n", { "\u200b": "💥" }];
    const json = renderReport({ ...report, data }, "json");
    expect(JSON.parse(json)).toEqual(data);
    expect(json.trimEnd()).toMatch(/^[ -~💥]*$/u);
  });
});

describe("github", () => {
  test("an annotation for each finding and one for the result", () => {
    expect(
      renderReport(report, "github"),
    ).toBe(`::error title=fs › move_file::hints changed at /annotations/destructiveHint%0A- false%0A+ true%0AOthers miss it
::warning title=fs › move_file::icon added at /icons%0A+ ["x"]%0AOthers miss it
::notice file=a b/c#.lock,line=3,col=5,title=fs › read_file::gone%0A- 1
::error title=memory::no answer
::notice title=agentprint check::1 difference
`);
  });

  test("percent signs, colons and commas are escaped where they mean something", () => {
    const text = renderReport(reportOf({ subject: "a,b:c%0A", message: "100%0A::error::x" }), "github");
    expect(text.split("\n")[0]).toBe("::error title=a%2Cb%3Ac%250A::100%250A::error::x");
  });
});
