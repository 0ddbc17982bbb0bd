import { parseJson } from "@agentprint/canonical-json";
import { runs } from "@agentprint/testing/property-runs";
import { anyCharacter } from "@agentprint/testing/text/any-character";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { parseRecordLine } from "../../src/accelerators/parse-record-line.ts";
import { formatThoughtLine } from "../../src/chain/index.ts";
import type { ThoughtRecord } from "../../src/index.ts";
import { at, chainOf } from "../records.ts";

const line = formatThoughtLine(at(chainOf(1), 0)).trimEnd();

describe("parseRecordLine", () => {
  test("reads a line of formatThoughtLine", () => {
    expect(parseRecordLine(line)).toEqual(at(chainOf(1), 0));
  });

  test("reads what parseJson reads, or leaves the line to it, for any change of a line", () => {
    const piece = fc.oneof(
      fc.constantFrom('"', "\\", "\\u0041", "\\u00", "\\n", "\n", "\u0001", "{", "}", ",", ":", " ", '"id":"x",'),
      fc.string({ unit: anyCharacter, maxLength: 3 }),
    );
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.nat(line.length), fc.nat(3), piece), { maxLength: 3 }), (changes) => {
        let text = line;
        for (const [offset, removed, added] of changes) {
          text = text.slice(0, offset) + added + text.slice(offset + removed);
        }
        // As decoded from UTF-8.
        const decoded = text.toWellFormed();
        const value = parseRecordLine(decoded);
        if (value !== undefined) expect(value).toEqual(parseJson(decoded));
      }),
      { numRuns: runs(500) },
    );
  });

  test("reads any texts as they were written, where it reads them", () => {
    const text = fc.oneof(
      fc.string({ unit: anyCharacter }),
      fc.string({ unit: fc.constantFrom("a", "\n", '"', "\\", "\b") }),
    );
    const names = Object.keys(at(chainOf(1), 0));
    const anyRecord = fc.record(Object.fromEntries(names.map((name) => [name, text])));
    fc.assert(
      fc.property(anyRecord, (record) => {
        const value = parseRecordLine(formatThoughtLine(record as unknown as ThoughtRecord).trimEnd());
        if (value !== undefined) expect(value).toEqual(record);
      }),
    );
  });
});
