import { describe, expect, test } from "vitest";
import { compareInput as compare, verdicts } from "./support/compare.ts";

const S = { type: "string" };
const I = { type: "integer" };
const O = { type: "object" };
const A = { type: "array" };

describe("constant arrays and objects", () => {
  const closed = (properties: object, ...required: string[]) => ({
    ...O,
    ...{ properties, required, additionalProperties: false },
  });

  test("a closed object accepts one constant alone, wherever it stands", () => {
    const [object, constant] = [closed({ kind: { const: "a" } }, "kind"), { const: { kind: "a" } }];
    const places = [
      (s: object) => s,
      (s: object) => ({ not: s }),
      (s: object) => ({ ...A, items: s }),
      (s: object) => ({ ...O, properties: { a: s } }),
      (s: object) => ({ anyOf: [s, S] }),
      (s: object) => ({ oneOf: [S, s] }),
    ];
    for (const place of places) {
      expect(verdicts(place(object), place(constant))).toEqual(["compatible", "compatible"]);
    }
    expect(compare({ ...O, properties: { kind: { const: "a" } } }, constant).verdict).toBe("breaking");
  });

  test("a list of constants is complete, or the one that is missing is found", () => {
    const flags = ["a", "b", "c", "d", "e"];
    const object = closed(Object.fromEntries(flags.map((flag) => [flag, { type: "boolean" }])), ...flags);
    const all = Array.from({ length: 32 }, (_, bits) =>
      Object.fromEntries(flags.map((flag, i) => [flag, (bits & (1 << i)) !== 0])),
    );
    expect(verdicts(object, { enum: all })).toEqual(["compatible", "compatible"]);
    for (const missing of [0, 13, 31]) {
      const { verdict, counterexample } = compare(object, { enum: all.toSpliced(missing, 1) });
      expect([verdict, counterexample?.value]).toEqual(["breaking", all[missing]]);
    }
  });

  test("constants inside of constants are compared by their parts", () => {
    const object = closed({ a: { ...A, prefixItems: [closed({}), { type: "null" }], minItems: 2, items: false } }, "a");
    expect(verdicts(object, { const: { a: [{}, null] } })).toEqual(["compatible", "compatible"]);
    expect(compare(object, { const: { a: [{}, 1] } }).verdict).toBe("breaking");
  });

  test("more constants than are compared part by part leave it open", () => {
    const object = closed({ n: { ...I, minimum: 1, maximum: 200 } }, "n");
    const all = Array.from({ length: 200 }, (_, i) => ({ n: i + 1 }));
    expect(compare(object, { enum: all }).verdict).toBe("unknown");
    expect(compare(object, { enum: all.slice(1, 60) }).verdict).toBe("breaking");
  });

  test("constants too large to be written part by part are compared as a whole", () => {
    const big = Array.from({ length: 60_000 }, (_, i) => [i]);
    expect(verdicts({ const: big }, { ...A, minItems: 1 })[0]).toBe("compatible");
    expect(compare({ ...A, minItems: 1 }, { const: big }).verdict).toBe("breaking");
  });
});
