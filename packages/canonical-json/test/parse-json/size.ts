import { parseJson } from "@agentprint/canonical-json";
import { describe, expect, test } from "vitest";
import { rejection } from "./rejection.ts";

const ROOMY = { maxBytes: 32 * 1024 * 1024 };

/** Returns how deep a parsed value is nested, following each container's first value. */
function depthOf(root: unknown): number {
  let depth = 0;
  for (let value = root; typeof value === "object" && value !== null; value = Object.values(value)[0]) depth++;
  return depth;
}

/** Tests texts with `count` levels, members or characters. The quick tests use fewer than the slow ones. */
export function describeSize(count: number): void {
  describe("deep nesting", () => {
    const shapes = [
      ["arrays", "[", "]"],
      ["objects", '{"a":', "}"],
      ["both", '[{"a":', "}]"],
    ] as const;

    test.each(shapes)(`%s, ${count} levels within a raised limit`, (_name, open, close) => {
      const times = count / (open.length > 5 ? 2 : 1);
      const text = `${open.repeat(times)}0${close.repeat(times)}`;
      expect(depthOf(parseJson(text, { maxDepth: count }))).toBe(count);
      expect(rejection(text, { maxDepth: count - 1 }).code).toBe("too-deep");
      expect(rejection(`${text.slice(0, -1)}!`, { maxDepth: count }).code).toBe("unexpected-token");
    });

    test.each(shapes)("%s, unclosed: the default limit stops at level 10,001", (_name, open) => {
      const error = rejection(open.repeat(count));
      expect([error.code, error.path.split("/").length - 1]).toEqual(["too-deep", 10_000]);
      expect(depthOf(parseJson(`${"[".repeat(10_000)}${"]".repeat(10_000)}`))).toBe(10_000);
    });
  });

  describe("wide and long input takes linear time", () => {
    const wide = (members: number, name: (i: number) => string) =>
      `{${Array.from({ length: members }, (_, i) => `"${name(i)}":${i}`).join(",")}`;

    test.each<[members: number, kind: string, name: (i: number) => string]>([
      [count, "names", (i) => `k${i}`],
      [count / 5, "indexes", String],
      [count / 5, "sparse indexes", (i) => String((i * 40_009) % 4_294_967_291)],
      [count / 5, "names with a long common prefix", (i) => `${"x".repeat(64)}${i}`],
    ])("%i %s in one object, and the first again at the end", (members, _kind, name) => {
      const text = wide(members, name);
      expect(Object.keys(parseJson(`${text}}`, ROOMY) as object)).toHaveLength(members);
      const error = rejection(`${text},"${name(0)}":0}`, ROOMY);
      expect([error.code, error.path]).toEqual(["duplicate-key", `/${name(0)}`]);
    });

    test("long strings: escapes, backslashes, surrogate pairs, one unclosed", () => {
      for (const [unit, value] of [
        ["\\n", "\n"],
        ["\\\\", "\\"],
        ['\\"', '"'],
        ["\\ud83d\\ude00", "😀"],
        ["😀", "😀"],
      ] as const) {
        expect(parseJson(`"${unit.repeat(count)}"`)).toBe(value.repeat(count));
        expect(rejection(`"${unit.repeat(count)}`).code).toBe("unexpected-end");
      }
      expect(rejection(`"${"x".repeat(8 * count)}\u0000"`).column).toBe(8 * count + 2);
    });

    test("runs of digits, white space and quotes", () => {
      const digits = "1".repeat(10 * count);
      expect(parseJson(`0.${digits}`)).toBe(0.1111111111111111);
      expect(rejection(digits).code).toBe("number-overflow");
      expect(rejection(`0${digits}`).code).toBe("invalid-number");
      expect(parseJson(`${" \n".repeat(4 * count)}1`)).toBe(1);
      expect(rejection(`${"\r\n".repeat(4 * count)}x`).line).toBe(4 * count + 1);
      expect(rejection('"'.repeat(10 * count + 1)).code).toBe("trailing-data");
    });

    test("many small objects, and a duplicate in the last", () => {
      const text = `[${'{"a":1,"b":[]},'.repeat(count / 2)}`;
      expect(parseJson(`${text}0]`)).toHaveLength(count / 2 + 1);
      expect(rejection(`${text}{"a":1,"a":1}]`).path).toBe(`/${count / 2}/a`);
    });
  });
}
