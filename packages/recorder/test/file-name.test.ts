import fc from "fast-check";
import { expect, test } from "vitest";
import { fileNameOf, sessionOf } from "../src/sink/file-name.ts";
import { parseLeaseName } from "../src/sink/lease.ts";

const FIRST = "AaBbCcNnOoZz019_-";
const ID = fc
  .tuple(fc.constantFrom(...FIRST), fc.string({ unit: fc.constantFrom(...FIRST, "."), maxLength: 127 }))
  .map(([first, rest]) => first + rest);
const HOSTILE = fc.constantFrom(
  "con",
  "CON",
  "Con.x",
  "nul.jsonl",
  "lpt1",
  "com0.a",
  "a.1-00000000-0.open",
  "A.jsonl",
  "a.checkpoint",
);
const SESSION = fc.oneof(ID, HOSTILE, fc.constantFrom("A".repeat(128), "aB".repeat(64)));

test("a name leads back to its session, and fits where names have 255 bytes", () => {
  fc.assert(
    fc.property(SESSION, (session) => {
      const name = fileNameOf(session);
      expect(sessionOf(name)).toBe(session);
      expect(`${name}.4194304-00000000-0123456789.open`.length).toBeLessThanOrEqual(255);
      expect(parseLeaseName(`${name}.1-0000000a-7.open`)).toEqual({ session, pid: 1, machine: "0000000a", turn: 7 });
    }),
  );
});

test("two sessions have two names, also where case is ignored, and none has the name of a device", () => {
  fc.assert(
    fc.property(SESSION, SESSION, (one, other) => {
      fc.pre(one !== other);
      expect(fileNameOf(one).toLowerCase()).not.toBe(fileNameOf(other).toLowerCase());
      expect(fileNameOf(one)).not.toMatch(/^(?:con|prn|aux|nul|com\d|lpt\d)(?:\.|$)/i);
    }),
  );
  // Letters that differ only in case.
  expect(new Set(["ab", "Ab", "aB", "AB"].map(fileNameOf)).size).toBe(4);
  expect(fileNameOf("monday-2.b_C")).toBe("+800+monday-2.b_c");
});

test.each([
  "+1+con",
  "+0+monday",
  "+4+ab",
  "+01+a",
  "+1+",
  "++a",
  "Monday",
  "con",
  ".hidden",
  "",
  "a\n",
  "+1+.a",
  "+2+a.b",
])("a file that no session writes is none of one: %j", (name) => {
  expect(sessionOf(name)).toBe(name === "+1+con" ? "Con" : undefined);
  expect(parseLeaseName(`${name}.jsonl`)).toBeUndefined();
});

test.each([
  "a.open",
  "a.1-0000000a.open",
  "a.1-0000000A-0.open",
  "a.x-0000000a-0.open",
  "a.1-0000000a-0.open.jsonl",
  "A.1-0000000a-0.open",
])("the name of another file is no lease's: %s", (name) => {
  expect(parseLeaseName(name)).toBeUndefined();
});
