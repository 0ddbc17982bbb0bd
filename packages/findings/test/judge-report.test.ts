import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type Finding, judgeReport, LEVELS, type Outcome, outcomeOf, type Report, worstOutcome } from "../src/index.ts";

const OF_A_CLOCK = { rule: "clock/slow", level: "warning", place: { subject: "hall" }, message: "late" } as const;
const REPORT: Report = {
  command: "clocks",
  title: "Clocks",
  summary: "all go",
  findings: [],
  rules: {},
  checked: ["hall"],
  data: {},
};
const OUTCOMES: readonly Outcome[] = ["same", "drift", "unknown"];

describe("the outcome of a report", () => {
  test.each<[string, Partial<Report>, Outcome]>([
    ["nothing was found", {}, "same"],
    ["a warning was found", { findings: [OF_A_CLOCK] }, "drift"],
    ["a note was found", { findings: [{ ...OF_A_CLOCK, level: "note" }] }, "same"],
    ["a remark was made", { findings: [{ ...OF_A_CLOCK, isRemark: true }] }, "same"],
    ["a policy lets the finding pass", { findings: [{ ...OF_A_CLOCK, isAllowed: true }] }, "same"],
    ["a subject could not be read", { findings: [{ ...OF_A_CLOCK, couldNotTell: true }, OF_A_CLOCK] }, "unknown"],
    ["nothing could be told", { couldNotTell: "no clock was read", findings: [OF_A_CLOCK] }, "unknown"],
    ["hashes alone differ", { differs: true }, "drift"],
    ["it differs whatever could not be told", { differs: true, couldNotTell: "one of two clocks" }, "drift"],
  ])("where %s", (_name, found, outcome) => {
    const { couldNotTell: _, differs: __, ...shown } = { ...REPORT, ...found };
    expect(judgeReport({ ...REPORT, ...found })).toEqual({ ...shown, outcome });
  });

  test("counts what a policy says that counts", () => {
    const note: Finding = { ...OF_A_CLOCK, level: "note" };
    expect(judgeReport({ ...REPORT, findings: [note] }, () => true).outcome).toBe("drift");
    expect(judgeReport({ ...REPORT, findings: [OF_A_CLOCK] }, () => false).outcome).toBe("same");
  });

  test("is never 'the same' if something is undecided, whatever a policy says", () => {
    const finding = fc.record(
      {
        level: fc.constantFrom(...LEVELS),
        couldNotTell: fc.constant(true as const),
        isRemark: fc.constant(true as const),
        isAllowed: fc.constant(true as const),
      },
      { requiredKeys: ["level"] },
    );
    const reason = fc.option(fc.string(), { nil: undefined });
    fc.assert(
      fc.property(fc.array(finding), reason, fc.func(fc.boolean()), (findings, couldNotTell, counts) => {
        const isOpen = couldNotTell !== undefined || findings.some((each) => each.couldNotTell);
        expect(outcomeOf({ findings, couldNotTell }, counts) === "unknown").toBe(isOpen);
      }),
    );
  });
});

test("the worst outcome has the highest exit code, and no outcomes give 'the same'", () => {
  expect(worstOutcome([])).toBe("same");
  fc.assert(
    fc.property(fc.array(fc.constantFrom(...OUTCOMES), { minLength: 1 }), (outcomes) => {
      expect(worstOutcome(outcomes)).toBe(OUTCOMES[Math.max(...outcomes.map((each) => OUTCOMES.indexOf(each)))]);
    }),
  );
});
