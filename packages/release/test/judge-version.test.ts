import fc from "fast-check";
import { satisfies } from "semver";
import { describe, expect, test } from "vitest";
import { judgeVersion, nextVersion, ReleaseError } from "../src/index.ts";

describe("a declared version", () => {
  test.each([
    ["1.2.3", "2.0.0", "major", true, "2.0.0"],
    ["1.2.3", "1.3.0", "major", false, "2.0.0"],
    ["1.2.3", "1.3.0", "minor", true, "1.3.0"],
    ["1.2.3", "1.2.4", "minor", false, "1.3.0"],
    ["1.2.3", "1.2.4", "patch", true, "1.2.4"],
    ["1.2.3", "1.2.3", "patch", false, "1.2.4"],
    ["1.2.3", "1.2.3", "none", true, "1.2.3"],
    ["1.2.3", "1.2.2", "none", false, "1.2.3"],
    ["1.2.3", "2.0.0-rc.1", "major", true, "2.0.0"],
    ["2.0.0-rc.1", "2.0.0-rc.2", "major", true, "2.0.0"],
    ["2.0.0-rc.1", "2.0.0", "major", true, "2.0.0"],
    ["0.2.3", "0.3.0", "major", true, "0.3.0"],
    ["0.2.3", "0.2.4", "major", false, "0.3.0"],
    ["0.2.3", "0.2.4", "minor", true, "0.2.4"],
    ["0.0.3", "0.0.4", "major", true, "0.0.4"],
    ["0.9.0", "1.0.0", "major", true, "0.10.0"],
    ["v1.2.3", "1.3.0", "minor", true, "1.3.0"],
    ["1.2", "2", "major", true, "2.0.0"],
    ["1.2.3.4", "1.2.4", "patch", true, "1.2.4"],
    ["1.2.3", "1.3.0rc1", "minor", true, "1.3.0"],
    ["1.3.0-rc.1", "1.3.0-rc.2", "major", true, "2.0.0"],
    ["1.3.0.dev1", "1.3.0a2", "minor", true, "1.3.0"],
    ["1.3.0a2", "1.3.0.dev1", "minor", false, "1.3.0"],
    ["1.2.3.post1", "1.3.0", "minor", true, "1.3.0"],
  ] as const)("%s to %s for a %s change: %s, at least %s", (last, declared, level, isEnough, least) => {
    expect(judgeVersion(last, declared, level)).toEqual({ isEnough, least, isCalendar: false });
  });

  test("that is a date says nothing of the change, and has to be later", () => {
    expect(judgeVersion("2026.1.14", "2026.7.4", "major")).toEqual({
      isEnough: true,
      least: "2026.1.15",
      isCalendar: true,
    });
    expect(judgeVersion("2026.7.4", "2026.7.4", "major")).toMatchObject({ isEnough: false, isCalendar: true });
    expect(judgeVersion("2026.7.4", "3000.0.0", "none")).toMatchObject({ isEnough: true, isCalendar: true });
  });

  test("is enough for a major change exactly where ^ of npm leaves it out", () => {
    const part = fc.nat({ max: 12 });
    const version = fc.tuple(part, part, part).map((parts) => parts.join("."));
    fc.assert(
      fc.property(version, version, (last, declared) => {
        const isLater = declared.localeCompare(last, "en", { numeric: true }) > 0;
        expect(judgeVersion(last, declared, "major").isEnough).toBe(isLater && !satisfies(declared, `^${last}`));
      }),
    );
  });

  test.each(["", "latest", "1.x", "1..2", "9".repeat(300), "1.2.3-".padEnd(400, "a")])("%j is none", (text) => {
    const judge = (): unknown => judgeVersion("1.0.0", text, "patch");
    expect(judge).toThrow(ReleaseError);
    expect(judge).toThrow(expect.objectContaining({ code: "invalid-version" }));
  });

  test("follows from the level of changesets", () => {
    expect(nextVersion("1.2.3", "none")).toBe("1.2.3");
    expect(nextVersion("1.2.3", "minor")).toBe("1.3.0");
    expect(nextVersion("0.2.3", "major")).toBe("1.0.0");
  });
});
