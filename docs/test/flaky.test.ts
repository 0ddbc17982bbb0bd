import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { parseFlakyList, problemsOf } from "../../apps/scripts/src/flaky/flaky-list.ts";
import { REPOSITORY } from "./examples.ts";

const NOW = Date.parse("2026-11-28T12:00:00Z");
const row = (test: string, date: string): string =>
  `[packages/trail] test/${test}.test.ts > holds\t${date}\ta race of two writers\n`;

test("the list that is committed can be read", () => {
  expect(parseFlakyList(readFileSync(`${REPOSITORY}.ci/flaky.txt`, "utf8")).length).toBeLessThanOrEqual(3);
});

test("a row has the test, the day and the cause; comments and empty lines are no rows", () => {
  expect(parseFlakyList(`# a comment\n\n${row("chain", "2026-11-28")}`)).toEqual([
    { test: "[packages/trail] test/chain.test.ts > holds", date: "2026-11-28", cause: "a race of two writers" },
  ]);
});

test.each([
  ["no cause", "[docs] test/a.test.ts > holds\t2026-11-28\t"],
  ["no day", "[docs] test/a.test.ts > holds\ta race"],
  ["a day that there is not", "[docs] test/a.test.ts > holds\t2026-02-30\ta race"],
  ["no test", "\t2026-11-28\ta race"],
  ["a fourth member", "[docs] test/a.test.ts > holds\t2026-11-28\ta race\tand more"],
  ["spaces between", "[docs] test/a.test.ts > holds 2026-11-28 a race"],
])("%s is refused with the number of its line", (_, line) => {
  expect(() => parseFlakyList(`# a comment\n${line}\n`)).toThrow(/^line 2: expected a test, a day/);
});

describe("a list", () => {
  const problems = (text: string): string[] => problemsOf(parseFlakyList(text), NOW);

  test("of three rows that are two weeks old can stay", () => {
    expect(problems(["a", "b", "c"].map((name) => row(name, "2026-11-14")).join(""))).toEqual([]);
  });

  test("of four rows cannot stay", () => {
    const four = ["a", "b", "c", "d"].map((name) => row(name, "2026-11-28")).join("");
    expect(problems(four)).toEqual(["expected at most 3 flaky tests, received 4: fix one"]);
  });

  test("with a row that is older than two weeks cannot stay", () => {
    expect(problems(row("a", "2026-11-13"))).toEqual([
      "expected a row at most 14 days old, received 15: fix [packages/trail] test/a.test.ts > holds",
    ]);
  });

  test("with a day in the future cannot stay", () => {
    expect(problems(row("a", "2026-11-29"))).toEqual([
      "[packages/trail] test/a.test.ts > holds: expected a day in the past, received 2026-11-29",
    ]);
  });

  test("that names a test twice cannot stay", () => {
    expect(problems(row("a", "2026-11-27") + row("a", "2026-11-28"))).toEqual([
      "[packages/trail] test/a.test.ts > holds: expected one row, received two",
    ]);
  });
});
