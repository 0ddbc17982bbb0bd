import { CanonicalJsonError, type CanonicalJsonErrorCode, parseJson, toPointer } from "@agentprint/canonical-json";
import { runs } from "@agentprint/testing/property-runs";
import fc from "fast-check";
import { expect, test } from "vitest";
import { parsePlain } from "../../src/parse/parse-plain.ts";
import { parseStepwise } from "../../src/parse/parse-stepwise.ts";
import { rejection } from "./rejection.ts";
import { attempt, jsonText, mutated } from "./texts.ts";

const LIMITS = {
  maxNumber: Number.MAX_VALUE,
  exactNumbers: false,
  tolerate: () => false,
  tolerateInNames: false,
  maxDepth: 10_000,
  maxBytes: 1_000_000,
};
const STRICTER: CanonicalJsonErrorCode[] = ["duplicate-key", "lone-surrogate", "number-overflow"];

/** Returns everything in which two values can differ, including the order of members and the sign of zero. */
function shape(value: unknown): unknown {
  if (Object.is(value, -0)) return "-0";
  if (typeof value !== "object" || value === null) return value;
  return [
    Object.getPrototypeOf(value) === Object.prototype,
    Reflect.ownKeys(value).map((key) => [key, shape(Reflect.get(value, key))]),
  ];
}

/** `JSON.parse` in V8 13 misreads these names after certain other texts (nodejs/node#63785). */
const ESCAPED_NAME = /"(?:[^"\\]|\\.)*\\.(?:[^"\\]|\\.)*"[ \t\n\r]*:/;

test("an escape in a name means the same whatever was parsed before", () => {
  const names = ["\\n", "\\u0061", '\\"', "\\/", "\\\\", "\\u00e9", "\\ud83d\\ude00", "\\n\\n", "a\\n"];
  for (const before of names) {
    for (const name of names) {
      parseJson(`{"first":1,"${before}":2}`);
      JSON.parse(`{"first":1,"${before}":2}`);
      const key: string = JSON.parse(`"${name}"`);
      expect(Object.keys(parseJson(`{"first":1,"${name}" : 2}`) as object)).toEqual(["first", key]);
    }
  }
});

test.each([
  ["generated texts", jsonText],
  ["mutated texts", mutated],
])("agrees with JSON.parse except for the documented strictness: %s", (_name, texts) => {
  let accepted = 0;
  const rejected = new Set<string>();
  fc.assert(
    fc.property(texts, (text) => {
      const native = attempt(() => JSON.parse(text));
      const strict = attempt(() => parseJson(text));
      if ("value" in strict) {
        accepted++;
        expect("value" in native).toBe(true);
        if ("value" in native && !ESCAPED_NAME.test(text)) expect(shape(strict.value)).toEqual(shape(native.value));
        return;
      }
      if (!(strict.error instanceof CanonicalJsonError)) throw strict.error;
      rejected.add(strict.error.code);
      if ("value" in native) expect(STRICTER).toContain(strict.error.code);
    }),
    { numRuns: runs(2_000) },
  );
  expect(accepted).toBeGreaterThan(runs(50));
  expect([...rejected]).toEqual(expect.arrayContaining(STRICTER));
});

test("the proof by counting accepts exactly the strict texts without an escape in a name, with the same value", () => {
  fc.assert(
    fc.property(
      fc.oneof(jsonText, mutated),
      fc.constantFrom(Number.MAX_VALUE, 2 ** 53 - 1),
      fc.nat(6),
      fc.boolean(),
      (text, maxNumber, maxDepth, exactNumbers) => {
        const limits = { ...LIMITS, maxNumber, maxDepth, exactNumbers };
        const stepwise = attempt(() => parseStepwise(text, limits));
        const plain = parsePlain(text, limits);
        expect(plain !== undefined).toBe("value" in stepwise && !ESCAPED_NAME.test(text));
        if (plain !== undefined && "value" in stepwise) expect(shape(plain)).toEqual(shape(stepwise.value));
      },
    ),
    { numRuns: runs(1_000) },
  );
});

test("line and column are those of the offset, counted another way", () => {
  fc.assert(
    fc.property(mutated, (text) => {
      const result = attempt(() => parseJson(text));
      if (!("error" in result) || !(result.error instanceof CanonicalJsonError)) return;
      const { line, column, offset } = result.error.position ?? { line: 0, column: 0, offset: 0 };
      const isInsideCrlf = text.slice(offset - 1, offset + 1) === "\r\n";
      const lines = text.slice(0, isInsideCrlf ? offset - 1 : offset).split(/\r\n|\r|\n/);
      expect([line, column]).toEqual([lines.length, (lines.at(-1)?.length ?? 0) + (isInsideCrlf ? 2 : 1)]);
    }),
    { numRuns: runs(250) },
  );
});

test("the path leads to the invalid value", () => {
  const leaves = (value: unknown, path: (string | number)[] = []): (string | number)[][] =>
    typeof value === "object" && value !== null
      ? Object.entries(value).flatMap(([key, item]) =>
          leaves(item, [...path, Array.isArray(value) ? Number(key) : key]),
        )
      : [path];
  fc.assert(
    fc.property(
      fc.jsonValue({ noUnicodeString: false }),
      fc.nat(),
      fc.constantFrom("1e400", "nope", '"\\ud800"', '"\\x"'),
      (value, pick, wrong) => {
        const paths = leaves(value);
        const path = paths[pick % Math.max(paths.length, 1)];
        if (path === undefined) return;
        let at: (string | number)[] = [];
        const write = (item: unknown): string => {
          const here = at;
          if (here.length === path.length && here.every((segment, i) => segment === path[i])) return wrong;
          const parts = (keys: (string | number)[], each: (key: string | number) => string) =>
            keys.map((key) => {
              at = [...here, key];
              return each(key);
            });
          if (Array.isArray(item)) return `[${parts([...item.keys()], (key) => write(item[Number(key)])).join(" , ")}]`;
          if (typeof item !== "object" || item === null) return JSON.stringify(item);
          const member = (key: string | number) => `${JSON.stringify(key)} : ${write(Reflect.get(item, key))}`;
          return `{${parts(Object.keys(item), member).join(" ,\n")}}`;
        };
        const text = write(value);
        const error = rejection(text);
        expect(error.path).toBe(toPointer(path));
        expect(text.slice(error.position?.offset)).toMatch(/^(1e400|nope|\\)/);
      },
    ),
    { numRuns: runs(100) },
  );
});
