import { describe, expect, test } from "vitest";
import { catalogOf, EXIT, findingKinds, fullId, LEVELS, type Rule } from "../src/index.ts";

const RULE: Rule = {
  level: "warning",
  summary: "A clock is slow.",
  help: "Wind it.",
  why: "Trains leave.",
  example: { text: "The clock of the hall." },
};
const FIXED: Rule = { ...RULE, fixedBecause: "nobody can tell the time without it" };

test("each outcome has an exit code", () => {
  expect(EXIT).toEqual({ same: 0, drift: 1, unknown: 2 });
});

test("levels are in order", () => {
  expect(LEVELS).toEqual(["note", "warning", "error"]);
});

describe("the kind of a finding", () => {
  const byRule = findingKinds({ "clock/slow": RULE });

  test("has the level of its rule", () => {
    expect(byRule("clock/slow", "late")).toEqual({ rule: "clock/slow", level: "warning", message: "late" });
  });

  test("has the level that replaces it", () => {
    expect(byRule("clock/slow", "late", "note").level).toBe("note");
  });
});

describe("an id", () => {
  const ids = ["clock/slow", "clock/fast", "train/fast"];

  test.each([
    ["clock/slow", "clock/slow"],
    ["slow", "clock/slow"],
    ["train/fast", "train/fast"],
    ["fast", undefined],
    ["clock", undefined],
    ["toString", undefined],
    ["", undefined],
  ])("%j means %s", (given, id) => {
    expect(fullId(given, ids)).toBe(id);
  });
});

describe("a catalog", () => {
  const catalog = catalogOf({ "clock/slow": RULE, "clock/stopped": FIXED });

  test.each([
    ["clock/slow", { id: "clock/slow", isConfigurable: true }],
    ["stopped", { id: "clock/stopped", isConfigurable: false }],
    ["constructor", undefined],
  ])("has %s", (given, found) => {
    expect(catalog.find(given)).toEqual(found);
  });
});
