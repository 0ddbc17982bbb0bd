import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { verifyChain } from "../../src/chain/index.ts";
import { type ThoughtRecord, ZERO_HASH } from "../../src/index.ts";
import { at, chainOf, rehashed, summary } from "../records.ts";

const LENGTH = 5;
const ONES = "1".repeat(64);

function child(parent: ThoughtRecord, id: string): ThoughtRecord {
  return rehashed(parent, { id, prev_hash: parent.hash });
}

/** Values that have a record's hash but are not that record. */
const impostor = fc.constantFrom<(record: ThoughtRecord) => unknown>(
  (record) => ({ ...record, content: "other" }),
  (record) => ({ ...record, hash: ONES }),
  (record) => ({ ...record, id: "" }),
  ({ hash }) => ({ hash }),
);

describe("for linking, values with the same hash count as one", () => {
  test("the second record behind a hash is a fork and the first is none, also where other values carry the hash", async () => {
    const places = fc.array(fc.tuple(impostor, fc.nat(LENGTH)), { maxLength: 4 });
    await fc.assert(
      fc.asyncProperty(fc.nat(LENGTH - 1), places, async (of, impostors) => {
        const records = chainOf(LENGTH);
        const parent = at(records, of);
        const values: unknown[] = [...records];
        for (const [make, place] of impostors) values.splice(place, 0, make(parent));
        const children = [child(parent, "first"), child(parent, "second")];
        const { problems } = await verifyChain([...values, ...children]);
        const forks = problems.filter(({ kind }) => kind === "fork").map(({ index }) => index);
        expect(forks.includes(values.length)).toBe(of < LENGTH - 1);
        expect(forks).toContain(values.length + 1);
      }),
    );
  });

  test("a record is anchored if any value with its previous hash is anchored", async () => {
    const records = chainOf(4);
    const altered = { ...at(records, 2), content: "other" };
    const before = await verifyChain([...records.slice(0, 2), altered, ...records.slice(2)]);
    expect(summary(before)).toEqual([
      ["altered", 2, "", undefined],
      ["fork", 3, "/prev_hash", 1],
    ]);
    expect(before.unanchored).toEqual([{ from: 2, to: 2 }]);
    const behind = await verifyChain([...records.slice(0, 3), altered, at(records, 3)]);
    expect(summary(behind)).toEqual([["altered", 3, "", undefined]]);
    expect(behind.unanchored).toEqual([{ from: 3, to: 3 }]);
  });

  test("64 zeros mark the start of a chain, even if a record claims them as its own hash", async () => {
    const [first, other] = [at(chainOf(1), 0), at(chainOf(1, { prefix: "other" }), 0)];
    const report = await verifyChain([{ ...first, hash: ZERO_HASH }, other]);
    expect(summary(report)).toEqual([
      ["altered", 0, "", undefined],
      ["second-genesis", 1, "/prev_hash", 0],
    ]);
  });

  test("a link that is not reported, behind garbage or in the first record, still makes a later one a fork", async () => {
    const [a, b, c] = chainOf(3) as [ThoughtRecord, ThoughtRecord, ThoughtRecord];
    expect(summary(await verifyChain([a, null, c, b, child(b, "second")]))).toEqual([
      ["malformed", 1, "", undefined],
      ["fork", 4, "/prev_hash", 3],
    ]);
    expect(summary(await verifyChain([b, a, child(a, "second")]))).toEqual([
      ["missing-genesis", 0, "/prev_hash", undefined],
      ["fork", 2, "/prev_hash", 1],
    ]);
  });
});
