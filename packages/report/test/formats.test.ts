import { EXIT, type JudgedReport } from "@agentprint/findings";
import { describe, expect, test } from "vitest";
import { type Paint, renderReport } from "../src/index.ts";
import { compareWords } from "./compare.ts";
import { reportOf } from "./reports.ts";

const long = `${"a".repeat(300)}X${"b".repeat(300)}`;

const report: JudgedReport = {
  ...reportOf({}),
  findings: [
    {
      rule: "test/rule",
      level: "error",
      message: "hints changed",
      place: { subject: "fs › move_file", pointer: "/annotations/destructiveHint" },
      before: false,
      after: true,
      note: "Others miss it",
    },
    {
      rule: "test/rule",
      level: "warning",
      message: "icon added",
      place: { subject: "fs › move_file", pointer: "/icons" },
      after: ["x"],
      note: "Others miss it",
    },
    {
      rule: "test/rule",
      level: "note",
      message: "gone",
      place: { subject: "fs › read_file", location: { file: "a b/c#.lock", line: 3, column: 5 } },
      before: 1,
    },
    { rule: "test/rule", level: "error", message: "no answer", place: { subject: "memory" }, couldNotTell: true },
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
    expect(EXIT[outcome]).toBe(code);
  });
});

describe("text", () => {
  test("one block for each subject, a repeated note once, the result last", () => {
    expect(renderReport(report, "text")).toBe(`fs › move_file
  error  hints changed at /annotations/destructiveHint: false → true
  warning  icon added at /icons: + ["x"]
    Others miss it

fs › read_file
  note  gone: - 1

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
      "  <error>error</error>  hints changed at /annotations/destructiveHint: <before>false</before> → <after>true</after>\n",
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
    expect(text).toContain(`    ~ … ${"a".repeat(40)}[-X-]{+YY+}${"b".repeat(40)} … (261 more)\n`);
  });

  test("of several differences each is shown, with how much is the same behind the last", () => {
    const same = (name: string) => Array.from({ length: 200 }, (_, index) => `${name}${index}`).join(" ");
    const [before, after] = ["one", "two"].map((change) =>
      [change, same("a"), change, same("b"), change, same("c")].join(" "),
    );
    const text = renderReport(reportOf({ before: before!, after: after! }), "text", { compareWords });
    expect(text.match(/^ {4}[-+~] .*$/gm)).toEqual([
      '    ~ "[-one-]{+two+} a0 a1 a2 a3 a4 a5 a6 a7 a8 a9 a10 a11 a12 …',
      "    ~ … a192 a193 a194 a195 a196 a197 a198 a199 [-one-]{+two+} b0 b1 b2 b3 b4 b5 b6 b7 b8 b9 b10 b11 b12 …",
      "    ~ … b192 b193 b194 b195 b196 b197 b198 b199 [-one-]{+two+} c0 c1 c2 c3 c4 c5 c6 c7 c8 c9 c10 c11 c12 … (849 more)",
    ]);
  });

  test("a value that is too long says how much is not shown, and where; with `full` it is shown to its end", () => {
    const report = reportOf({ before: 1, after: "word ".repeat(4000) });
    const text = renderReport(report, "text");
    expect(text.match(/^ {4}[-+!] .*$/gm)?.map((line) => line.slice(0, 20) + line.slice(-100))).toEqual([
      expect.stringMatching(/^ {4}- 1/),
      expect.stringMatching(/^ {4}\+ "word word wo.* word word word +…$/),
      expect.stringMatching(
        /^ {4}! \d+ charact.* are not shown, from character \d+ of the value after; SARIF has all of them$/,
      ),
    ]);
    const [, count, from] = /! (\d+) characters .* from character (\d+) of/.exec(text) ?? [];
    expect(Number(count) + Number(from) - 1).toBe(20_002);
    expect(renderReport(report, "text", { full: true })).toContain(`    + "${"word ".repeat(4000)}"\n`);
  });

  test("no part begins or ends inside of a character", () => {
    for (const middle of ["", "b"]) {
      const [before, after] = ["X", "Y"].map((end) => `${"💥".repeat(150)}${middle}${end}`);
      const pair = renderReport(reportOf({ before: before!, after: after! }), "text");
      expect(pair).toContain(`💥[-${middle}X-]{+${middle}Y+}"`);
      expect(pair).not.toMatch(/\\u\{d83d\}|\\u\{dca5\}/);
    }
  });

  test("a value that continues where the other one ends is marked", () => {
    const text = renderReport(reportOf({ before: "a".repeat(300), after: "a".repeat(301) }), "text");
    expect(text).toContain(`  error  changed: … ${"a".repeat(40)}{+a+}"\n`);
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

  test("percent signs, colons and commas are escaped where they have a meaning", () => {
    const text = renderReport(reportOf({ subject: "a,b:c%0A", message: "100%0A::error::x" }), "github");
    expect(text.split("\n")[0]).toBe("::error title=a%2Cb%3Ac%250A::100%250A::error::x");
  });
});
