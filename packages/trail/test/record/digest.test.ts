import { hashCanonical } from "@agentprint/canonical-json";
import { runs } from "@agentprint/testing/property-runs";
import { anyCharacter } from "@agentprint/testing/text/any-character";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { computeHash, type HashedFields, thoughtCanonicalPayload } from "../../src/record/digest.ts";
import type { ThoughtRecord } from "../../src/record/record.ts";

const plain: HashedFields = { id: "r1", type: "plan", task_id: "t1", content: "c", timestamp: "ts", prev_hash: "0" };
const fields = Object.keys(plain) as (keyof HashedFields)[];

function expectCanonical(payload: HashedFields): void {
  const canonical = hashCanonical(thoughtCanonicalPayload(payload), { profile: "ecmascript" });
  expect(computeHash(payload as ThoughtRecord)).toBe(canonical);
}

describe("computeHash hashes canonical text", () => {
  test("of any six texts, hostile ones and lone surrogates included", () => {
    const hostile = fc.constantFrom(
      '"',
      "\\",
      "\n",
      "\0",
      "\u001f",
      "\u007f",
      "\ud800",
      "\udc00",
      "\u{1f600}",
      "é",
      "#",
      "]",
      "!",
    );
    const text = fc.oneof(
      fc.string({ unit: anyCharacter }),
      fc.string({ unit: fc.oneof(hostile, fc.constant("a")), maxLength: 40 }),
      fc.string({ unit: fc.constantFrom("plain", "text "), maxLength: 80 }),
    );
    const payload = fc.record({ id: text, type: text, task_id: text, content: text, timestamp: text, prev_hash: text });
    fc.assert(fc.property(payload, expectCanonical), { numRuns: runs(200) });
  });

  test.each(fields)("of every UTF-16 unit in %s", (field) => {
    for (let unit = 0; unit < 0x10000; unit += unit < 0x300 || (unit > 0xd7f0 && unit < 0xe010) ? 1 : 251) {
      expectCanonical({ ...plain, [field]: `a${String.fromCharCode(unit)}b` });
    }
  });

  test("of texts that look like a part of the text around them", () => {
    for (const content of ['","id":"r2', '"'.repeat(6), '"}', '"}   ']) {
      for (const field of fields) expectCanonical({ ...plain, [field]: content });
    }
  });

  test.each([1, 16_000, 16_383, 16_384, 16_385, 20_000, 200_000])("of a text of %i units", (length) => {
    for (const unit of ["a", "é", "✅", "\n"]) expectCanonical({ ...plain, content: unit.repeat(length) });
  });

  test("of values that are no text", () => {
    for (const value of [1, null, true, undefined, { b: 1, a: [2] }, ["x"], () => 1, new String("boxed")]) {
      for (const field of fields) expectCanonical({ ...plain, [field]: value });
    }
    expect(() => computeHash({ ...plain, id: 1n } as unknown as ThoughtRecord)).toThrow(TypeError);
  });
});
