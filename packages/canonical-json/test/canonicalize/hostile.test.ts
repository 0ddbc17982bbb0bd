import { canonicalize, hashCanonical } from "@agentprint/canonical-json";
import { describe, expect, test } from "vitest";
import { nest, PROFILES, thrown } from "./hostile.ts";
import { describeSize } from "./size.ts";

/** The number of levels accepted if no limit is given. */
const MAX_DEPTH = 1_000_000;

describeSize(30_000);

test.each(PROFILES)("one level more than the limit is a coded error with its whole path, %s", (profile) => {
  const tooDeep = nest(MAX_DEPTH + 1, (inner) => [inner], 1);
  const error = thrown(() => canonicalize(tooDeep, { profile }));
  expect(error.code).toBe("too-deep");
  expect(error.path.length).toBe(2 * MAX_DEPTH);
  expect(error.message.length).toBeLessThan(1000);
});

test.each(PROFILES)("mixed containers around the change from recursion to a stack, %s", (profile) => {
  for (const depth of [398, 399, 400, 401, 402]) {
    const value = nest(depth, (inner) => [1, { k: inner, e: {}, l: [] }, "s"], [null, { t: true }]);
    expect(canonicalize(value, { profile })).toBe(canonicalize(JSON.parse(JSON.stringify(value)), { profile }));
    expect(JSON.parse(canonicalize(value, { profile }))).toEqual(value);
  }
});

describe("cycles", () => {
  test("the path ends where the ancestor is met again", () => {
    const value: Record<string, unknown> = { a: { list: [0] } };
    (value["a"] as { list: unknown[] }).list.push({ back: value["a"] });
    for (const profile of PROFILES) {
      const error = thrown(() => canonicalize(value, { profile }));
      expect(error).toMatchObject({ code: "cycle", path: "/a/list/1/back" });
      expect(error).toBeInstanceOf(TypeError);
    }
  });

  test("an array that holds itself", () => {
    const value: unknown[] = [];
    value.push(value);
    expect(thrown(() => canonicalize({ a: value }))).toMatchObject({ code: "cycle", path: "/a/0" });
  });

  test("a cycle that begins 10,000 levels down", () => {
    const loop: unknown[] = [];
    loop.push(loop);
    const error = thrown(() => canonicalize(nest(10_000, (inner) => [inner], loop)));
    expect(error).toMatchObject({ code: "cycle", path: "/0".repeat(10_001) });
  });

  test("a toJSON that grows forever stops at the depth limit", () => {
    const grow = { toJSON: () => ({ next: grow }) };
    expect(thrown(() => canonicalize(grow, { maxDepth: 5000 })).code).toBe("too-deep");
  });
});

describe("values that answer back", () => {
  test("what a getter, toJSON or proxy throws is the cause of an error with its path", () => {
    const boom = new RangeError("boom\u001b");
    const fail = (): never => {
      throw boom;
    };
    const getter = Object.defineProperty({}, "g", { get: fail, enumerable: true });
    const revoked = Proxy.revocable({}, {});
    revoked.revoke();
    const cases: readonly [unknown, string][] = [
      [{ a: [getter] }, "/a/0/g"],
      [{ a: { toJSON: fail } }, "/a"],
      [{ p: new Proxy({}, { ownKeys: fail }) }, "/p"],
      [{ p: new Proxy({ x: 1 }, { get: fail }) }, "/p"],
      [[revoked.proxy], "/0"],
    ];
    for (const [value, path] of cases) {
      const error = thrown(() => canonicalize(value));
      expect(error).toMatchObject({ code: "unreadable", path });
      expect(error.cause).toBeInstanceOf(Error);
      expect(error.message).not.toContain("\u001b");
    }
    const odd = {
      toJSON: () => {
        throw "a text";
      },
    };
    expect(thrown(() => canonicalize(odd)).cause).toBe("a text");
  });

  test("a thrown value may refuse to be converted to text", () => {
    const revoked = Proxy.revocable({}, {});
    revoked.revoke();
    const silent = Object.defineProperty(new Error(), "message", { value: Symbol("message") });
    for (const thing of [
      Object.create(null),
      { toString: () => canonicalize(1n) },
      silent,
      revoked.proxy,
    ] as unknown[]) {
      const error = thrown(() =>
        canonicalize({
          get a() {
            throw thing;
          },
        }),
      );
      expect(error).toMatchObject({ code: "unreadable", path: "/a" });
      expect(error.cause === thing).toBe(true);
    }
  });

  test("each property is read exactly once", () => {
    const reads: PropertyKey[] = [];
    const spy = (target: object): object =>
      new Proxy(target, {
        get(inner, key, receiver) {
          reads.push(key);
          return Reflect.get(inner, key, receiver) as unknown;
        },
      });
    canonicalize(spy({ b: 1, a: spy([1, "two", 3]), c: spy({}) }));
    const count = (key: PropertyKey) => reads.filter((read) => read === key).length;
    for (const key of ["a", "b", "c", "0", "1", "2"]) expect([key, count(key)]).toEqual([key, 1]);
    expect(count("length")).toBe(1);
    expect(count("toJSON")).toBe(3);
  });

  test("a getter may canonicalize: the outer text is not disturbed", () => {
    const inner = { z: "x".repeat(200), a: [1, 2, 3] };
    const value = {
      a: "before",
      get b() {
        return hashCanonical(inner);
      },
      get c() {
        return canonicalize({ again: canonicalize(inner) });
      },
      d: "after",
    };
    const expected = {
      a: "before",
      b: hashCanonical(inner),
      c: canonicalize({ again: canonicalize(inner) }),
      d: "after",
    };
    expect(canonicalize(value)).toBe(canonicalize(expected));
    expect(hashCanonical(value)).toBe(hashCanonical(expected));
  });

  test("an error inside a re-entrant call gets the path of the outer value", () => {
    const value = {
      get outer() {
        return canonicalize({ inner: 1n });
      },
    };
    const error = thrown(() => canonicalize(value));
    expect(error).toMatchObject({ code: "unreadable", path: "/outer" });
    expect(error.cause).toMatchObject({ code: "bigint", path: "/inner" });
  });

  test("a failed call leaves nothing behind", () => {
    for (let i = 0; i < 3; i++) expect(() => canonicalize({ a: "é".repeat(100), b: 1n })).toThrow();
    expect(canonicalize({ a: 1 })).toBe('{"a":1}');
  });

  test("keys removed or added while reading are handled as in JSON.stringify", () => {
    const make = () => {
      const value: Record<string, unknown> = {
        get a() {
          delete value["b"];
          value["c"] = 3;
          return 1;
        },
        b: 2,
      };
      return value;
    };
    expect(canonicalize(make())).toBe(JSON.stringify(make()));
  });
});
