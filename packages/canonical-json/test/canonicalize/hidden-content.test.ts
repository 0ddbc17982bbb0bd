import { runInNewContext } from "node:vm";
import { canonicalize, hashCanonical, isPlainObject } from "@agentprint/canonical-json";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { PROFILES, thrown } from "./hostile.ts";

const REALMS: readonly [name: string, evaluate: (source: string) => unknown][] = [
  ["this realm", (source) => new Function(`return ${source}`)() as unknown],
  ["another realm", (source) => runInNewContext(source) as unknown],
];

/** Source code for values of ECMA-262 and ECMA-402 that keep content where JSON cannot see it. */
const BUILT_IN = [
  "new Map([[1, 2]])",
  "new Set([1])",
  "new WeakMap()",
  "new WeakSet()",
  "new WeakRef({})",
  "new FinalizationRegistry(() => {})",
  "Promise.resolve(1)",
  "Object.assign(new Date(0), { toJSON: undefined })",
  "/a/g",
  "new Error('e')",
  "new RangeError('e')",
  "new ArrayBuffer(1)",
  "new SharedArrayBuffer(1)",
  "new DataView(new ArrayBuffer(1))",
  "new Uint8Array([1])",
  "Object(Symbol('s'))",
  "(function* () { yield 1; })()",
  "(function* () { throw new Error('run'); })()",
  "(async function* () { yield 1; })()",
  "[1].values()",
  "new Map([[1, 2]]).entries()",
  "new Set([1]).values()",
  "'a'[Symbol.iterator]()",
  "'a'.matchAll(/a/g)",
  ...["Collator", "DateTimeFormat", "ListFormat", "NumberFormat", "PluralRules", "Segmenter"].map(
    (name) => `new Intl.${name}("de")`,
  ),
  "new Intl.Locale('de')",
  "new Intl.RelativeTimeFormat('de')",
  "new Intl.DisplayNames('de', { type: 'region' })",
  "new (class { #secret = 1; get secret() { return this.#secret; } })()",
  "new (class {})()",
  "Object.create({ inherited: 1 })",
  "Object.create(Object.create(null))",
  "Object.create(Date.prototype, { toJSON: { value: undefined } })",
  "new Proxy(new Map([[1, 2]]), {})",
];

/** Only a result that must be awaited would distinguish an asynchronous generator from a proxy. */
const UNTRACEABLE = /^new \(class|^Object\.create|^new Proxy|^\(async/;

const refusal = (value: unknown, path = "/at") =>
  PROFILES.map((profile) => thrown(() => canonicalize({ at: value }, { profile }))).every(
    (error) => error.code === "opaque-object" && error.path === path,
  );

describe.each(REALMS)("values of %s whose content JSON cannot see", (_realm, evaluate) => {
  test.each(BUILT_IN)("%s is refused, with its path", (source) => {
    expect(refusal(evaluate(source))).toBe(true);
    expect(refusal([1, { deep: evaluate(source) }], "/at/1/deep")).toBe(true);
  });

  const PROTOTYPES = ["null", "Object.prototype", "(class Mine {}).prototype", "[]", "Object.create(null)"];
  const traceable = BUILT_IN.filter((source) => !UNTRACEABLE.test(source));
  test.each(PROTOTYPES)("a prototype that was replaced by %s shows no content", (prototype) => {
    for (const source of traceable) {
      const value = evaluate(`Object.setPrototypeOf(${source}, ${prototype})`);
      if (source.includes("toJSON")) Reflect.deleteProperty(value as object, "toJSON"); // is a member otherwise
      expect([source, refusal(value)]).toEqual([source, true]);
    }
  });

  test.each([
    "Object.assign(Object.setPrototypeOf(new Date(0), null), { a: 1 })",
    "Object.assign(Object.setPrototypeOf(new Error('e'), Object.prototype), { code: 1 })",
    "Object.assign(Object.setPrototypeOf(/a/, Object.prototype), { a: 1 })",
    "Object.assign(new Map([[1, 2]]), { a: 1 })",
    "Object.assign(new (class extends Map { get [Symbol.toStringTag]() { return 'Mine'; } })(), { a: 1 })",
    "Object.assign(Object(Symbol('s')), { a: 1 })",
    "Object.assign((function* () {})(), { a: 1 })",
    "Object.assign(new Intl.NumberFormat('de'), { a: 1 })",
    "Object.assign([1].values(), { a: 1 })",
    "Object.assign(new WebAssembly.Memory({ initial: 1 }), { a: 1 })",
    "Object.assign(Object.setPrototypeOf(new Uint8Array(1), Object.prototype), { a: 1 })",
    "new (class extends Date { toJSON = undefined; a = 1; })()",
    "Object.assign(Object.setPrototypeOf(new Map(), null), { [Symbol.toStringTag]: 'Mine', a: 1 })",
  ])("%s hides content outside its members", (source) => {
    expect(refusal(evaluate(source))).toBe(true);
  });

  test.each([
    ["({})", "{}"],
    ["Object.create(null)", "{}"],
    ["Object.create(null, { hidden: { value: 1 } })", "{}"],
    ["Object.freeze({ a: {} })", '{"a":{}}'],
    ["({ [Symbol('s')]: 1 })", "{}"],
    ["({ a: undefined })", "{}"],
    ["Object.create(null, { a: { value: {}, enumerable: true } })", '{"a":{}}'],
    ["Object.create({ inherited: 1 }, { a: { value: 2, enumerable: true } })", '{"a":2}'],
    ["({ [Symbol.toStringTag]: 'Map', a: 1 })", '{"a":1}'],
    ["({ [Symbol.toStringTag]: 'Map' })", "{}"],
    ["({ get [Symbol.toStringTag]() { throw new Error('no'); }, a: {} })", '{"a":{}}'],
    ["new Proxy({}, {})", "{}"],
    ["new Proxy({ a: new Proxy({}, {}) }, {})", '{"a":{}}'],
    ["(function () { return arguments; })()", "{}"],
    ["(function () { return arguments; })({}, 1)", '{"0":{},"1":1}'],
    ["new (class { toJSON() { return {}; } #a = 1; })()", "{}"],
    ["new (class { a = 1; #b = 2; })()", '{"a":1}'],
    ["new (class { a = undefined; })()", "{}"],
    ["Math", "{}"],
    ["JSON", "{}"],
    ["Object.prototype", "{}"],
    ["Object.setPrototypeOf(Object('s'), null)", "throws"],
    ["Object.setPrototypeOf(Object(true), null)", "true"],
    ["Object.setPrototypeOf([1, {}], null)", "[1,{}]"],
  ])("%s is what JSON.stringify writes: %s", (source, text) => {
    const value = evaluate(source);
    for (const profile of PROFILES) {
      if (text === "throws") {
        expect(() => JSON.stringify(value)).toThrow(TypeError);
        expect(thrown(() => canonicalize(value, { profile })).code).toBe("unreadable");
      } else {
        expect(JSON.stringify(value)).toBe(text);
        expect(canonicalize(value, { profile })).toBe(text);
      }
    }
  });
});

test.each(REALMS)("plain objects of %s are distinguished from other objects", (_realm, evaluate) => {
  const plain = [
    "({})",
    "({ a: 1 })",
    "Object.create(null)",
    "new Proxy({}, {})",
    "({ [Symbol.toStringTag]: 'Map', a: 1 })",
  ];
  for (const source of plain) expect([source, isPlainObject(evaluate(source))]).toEqual([source, true]);
  const others = ["null", "1", "[]", "() => 1", "Object.setPrototypeOf([], null)", ...BUILT_IN];
  for (const source of others) expect([source, isPlainObject(evaluate(source))]).toEqual([source, false]);
  for (const source of ["new Date(0)", "new Map()", "new Error('e')", "new Uint8Array(1)", "Object('s')"]) {
    const value = evaluate(`Object.setPrototypeOf(${source}, Object.prototype)`);
    expect([source, isPlainObject(value)]).toEqual([source, false]);
  }
  expect(isPlainObject(Object.assign(evaluate("Object.setPrototypeOf(new Date(0), null)") as object, { a: 1 }))).toBe(
    false,
  );
});

test.each([
  ["Headers", () => new Headers({ a: "1" })],
  ["URLSearchParams", () => new URLSearchParams("a=1")],
  ["FormData", () => new FormData()],
  ["Blob", () => new Blob(["a"])],
  ["Request", () => new Request("http://localhost/")],
  ["Response", () => new Response("a")],
  ["AbortSignal", () => AbortSignal.abort()],
  ["EventTarget", () => new EventTarget()],
  ["Event", () => new Event("a")],
  ["ReadableStream", () => new ReadableStream()],
  ["TextDecoder", () => new TextDecoder("latin1")],
  ["CompressionStream", () => new CompressionStream("gzip")],
])("a %s is refused, with members too, and its subclasses", (_name, make) => {
  expect(refusal(make())).toBe(true);
  expect(refusal(Object.assign(make(), { a: 1 }))).toBe(true);
  const Sub = class extends (make().constructor as new () => object) {};
  expect(refusal(Object.assign(Object.setPrototypeOf(make(), Sub.prototype) as object, { a: 1 }))).toBe(true);
});

test("a URL and a Buffer have a toJSON, and count by it", () => {
  expect(canonicalize([new URL("http://localhost/a"), Buffer.from("a")])).toBe(
    '["http://localhost/a",{"data":[97],"type":"Buffer"}]',
  );
});

test("a user's class may have any tag and any name", () => {
  class Headers {
    readonly a = 1;
    get [Symbol.toStringTag](): string {
      return "Headers";
    }
  }
  expect(canonicalize(new Headers())).toBe('{"a":1}');
  const owner = globalThis as Record<string, unknown>;
  owner["Mine"] = class {
    readonly a = 1;
    get [Symbol.toStringTag](): string {
      return "Mine";
    }
  };
  expect(canonicalize(new (owner["Mine"] as new () => object)())).toBe('{"a":1}');
  delete owner["Mine"];
});

test.runIf("rawJSON" in JSON)("raw JSON text is refused: JSON.stringify would copy it, canonical or not", () => {
  const raw = (JSON as unknown as { rawJSON(text: string): unknown }).rawJSON("1e2");
  expect(refusal(raw)).toBe(true);
  expect(canonicalize(Object.assign(Object.create(null) as object, { rawJSON: "1e2" }))).toBe('{"rawJSON":"1e2"}');
});

test("without structuredClone the same values are refused and accepted", () => {
  const { structuredClone } = globalThis;
  Reflect.deleteProperty(globalThis, "structuredClone");
  try {
    for (const prototype of [null, Object.prototype]) {
      expect(refusal(Object.setPrototypeOf(new Map(), prototype))).toBe(true);
      expect(refusal(Object.setPrototypeOf(new WeakRef({}), prototype))).toBe(true);
    }
    expect(canonicalize([{}, new Proxy({}, {}), Object.create(null)])).toBe("[{},{},{}]");
  } finally {
    globalThis.structuredClone = structuredClone;
  }
});

test("two objects with one digest have the same JSON.stringify text", () => {
  const makers: readonly ((content: number) => unknown)[] = [
    (content) => new Map([[content, 1]]),
    (content) => Object.setPrototypeOf(new Set([content]), null) as unknown,
    (content) => Object.setPrototypeOf(new Date(content), {}) as unknown,
    (content) => Object.setPrototypeOf(new Error(String(content)), null) as unknown,
    (content) => new Headers({ a: String(content) }),
    (content) => ({ content }),
    (content) => [content],
    (content) => new Date(content),
    (content) => ({ toJSON: () => content }),
  ];
  const content = fc.integer({ min: 0, max: 1000 });
  fc.assert(
    fc.property(fc.constantFrom(...makers), content, content, (make, first, second) => {
      fc.pre(first !== second);
      const digests = [first, second].map((of) => {
        try {
          return hashCanonical(make(of), { profile: "ecmascript" });
        } catch {
          return Symbol("refused");
        }
      });
      expect(digests[0]).not.toBe(digests[1]);
    }),
  );
});

test("a view of a detached buffer is refused even behind a plain prototype", () => {
  const view = new Uint8Array([1]);
  structuredClone(view, { transfer: [view.buffer] });
  const opaque = expect.objectContaining({ code: "opaque-object" });
  expect(() => canonicalize(Object.setPrototypeOf(view, null))).toThrow(opaque);
  expect(isPlainObject(view)).toBe(false);
});
