import { untypedRefusals } from "@agentprint/testing/wrong-arguments";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import * as door from "../src/index.ts";
import * as judgement from "../src/judgement/index.ts";

const { compareTools, pinTools, ToolPinsError } = door;

const { definitionSetHashV1, findInvisible, fingerprintWithWire, instructionsHashV1 } = judgement;
const { proseSignals, readDefinitionV1, reviewText, setHashOf, toolDefinitionHashV1 } = judgement;

/** The functions of the entry `./judgement` whose arguments, according to the README, are checked. */
const parts = {
  definitionSetHashV1,
  findInvisible,
  fingerprintWithWire,
  instructionsHashV1,
  proseSignals,
  readDefinitionV1,
  reviewText,
  setHashOf,
  toolDefinitionHashV1,
};

const functions = Object.entries<unknown>({ ...door, ...parts }).filter(
  (entry): entry is [string, (...args: unknown[]) => unknown] =>
    typeof entry[1] === "function" && !(entry[1].prototype instanceof Error),
);

function refuse(): never {
  throw new Error("no");
}

const handlers: ProxyHandler<object>[] = [
  { get: refuse },
  { ownKeys: refuse },
  { getPrototypeOf: refuse },
  { has: refuse },
  { getOwnPropertyDescriptor: refuse },
];

function cyclic(): object {
  const inner: Record<string, unknown> = { "\ud800": "\udfff" };
  inner["z"] = inner;
  return { name: "a", inputSchema: { properties: inner }, x: inner };
}

/** Makes values that an untyped or hostile caller might pass; fast-check itself cannot touch some of them. */
const hostile: fc.Arbitrary<() => unknown> = fc.oneof(
  fc
    .anything({ withBigInt: true, withMap: true, withSet: true, withTypedArray: true, withNullPrototype: true })
    .map((value) => () => value),
  fc
    .constantFrom("wire", "contract", "", "[]", '[{"name":"a"}]', Number.NaN, Symbol("a"), refuse)
    .map((value) => () => value),
  fc.constantFrom(...handlers).map((handler) => () => new Proxy({ name: "a" }, handler)),
  fc.constantFrom(...handlers).map((handler) => () => new Proxy([{ name: "a" }], handler)),
  fc.constantFrom<() => unknown>(
    cyclic,
    () => [cyclic()],
    () => Object.defineProperty({}, "name", { get: refuse, enumerable: true }),
    () => Object.defineProperty({}, "definitions", { get: refuse, enumerable: true }),
    () => ({ names: { [Symbol.iterator]: refuse } }),
    () => ({ names: [1] }),
    () => ({ servers: [Symbol("a")], otherTools: Object.assign(["a"], { [Symbol.iterator]: refuse }) }),
    () => ({ name: "a", toJSON: refuse }),
    () => Object.assign([], { map: refuse, toSorted: refuse, [Symbol.iterator]: refuse }),
    () => Object.create({ name: "a", judge: refuse }),
    () => [{ name: "a", hash: 1 }],
    () => ({ ...pinTools([{ name: "a" }]), tools: Object.assign([{}], { map: refuse }) }),
    () => pinTools([{ name: "a" }], { definitions: true }),
  ),
);

test("no exported function answers a wrong argument with an error without a code", async () => {
  expect(await untypedRefusals([door, parts])).toEqual([]);
}, 60_000);

test.each(functions)("%s throws nothing but errors of this package, whatever it is called with", (_, called) => {
  fc.assert(
    fc.property(fc.array(hostile, { maxLength: 4 }), (makers) => {
      const args = makers.map((make) => make());
      try {
        called(...args);
      } catch (error) {
        expect(error).toBeInstanceOf(ToolPinsError);
      }
    }),
    { numRuns: 300 },
  );
});

describe("a judge", () => {
  const pins = pinTools([{ name: "a" }], { definitions: true });
  const now = [{ name: "a", inputSchema: { type: "object" } }];
  const right = { expect: () => {}, changes: () => ({ changes: [] }), findings: () => [] };

  test.each<[string, unknown]>([
    ["that is not made", () => undefined],
    ["that cannot be made", refuse],
    ["whose maker throws what cannot be read", () => refuseWith(new Proxy({}, { getPrototypeOf: refuse }))],
    ["without questions", () => ({})],
    ["that throws when it compares", () => ({ ...right, changes: refuse })],
    ["that does not compare", () => ({ ...right, changes: () => undefined })],
    ["whose changes are a text", () => ({ ...right, changes: () => ({ changes: "none" }) })],
    ["that throws when it judges", () => ({ ...right, findings: refuse })],
    ["that finds nothing, not even an empty list", () => ({ ...right, findings: () => undefined })],
    ["that finds a text", () => ({ ...right, findings: () => "none" })],
    ["that finds what is none", () => ({ ...right, findings: () => [undefined] })],
    ["that finds something without a place", () => ({ ...right, findings: () => [{ layer: "rest", finding: {} }] })],
  ])("%s is an error about the option", (_, judge) => {
    const compare = (): unknown => compareTools(pins, now, { judge: judge as never });
    expect(compare).toThrow(ToolPinsError);
    expect(compare).toThrow(
      expect.objectContaining({ code: "invalid-argument", reason: expect.stringMatching(/^options\.judge: /) }),
    );
  });

  test("may find nothing", () => {
    expect(compareTools(pins, now, { judge: () => right }).findings).toEqual([]);
  });
});

function refuseWith(error: unknown): never {
  throw error;
}
