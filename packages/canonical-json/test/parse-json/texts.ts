import { anyCharacter } from "@agentprint/testing/text/any-character";
import fc from "fast-check";

const space = fc.string({ unit: fc.constantFrom(" ", "\n", "\r", "\t"), maxLength: 3 });

const { text } = fc.letrec<{ text: string; value: string; string: string }>((tie) => ({
  text: fc.tuple(space, tie("value"), space).map((parts) => parts.join("")),
  value: fc.oneof(
    { depthSize: "small", withCrossShrink: true },
    fc.constantFrom("true", "false", "null"),
    fc
      .double()
      .filter(Number.isFinite)
      .map(String)
      .map((number) => number.replace("e+", "E")),
    fc.stringMatching(/^-?(0|[1-9]\d{0,25})(\.\d{1,25})?([eE][-+]?\d{1,4})?$/),
    tie("string"),
    fc.array(tie("text"), { maxLength: 4 }).map((items) => `[${items.join(",")}]`),
    fc
      .array(fc.tuple(space, tie("string"), space, tie("text")), { maxLength: 4 })
      .map((members) => `{${members.map(([a, name, b, value]) => `${a}${name}${b}:${value}`).join(",")}}`),
  ),
  string: fc
    .array(
      fc.oneof(
        fc.string({ unit: anyCharacter, maxLength: 6 }).map((text) => JSON.stringify(text).slice(1, -1)),
        fc.constantFrom(
          "\\u0061",
          "\\/",
          "\\ud83d\\ude00",
          "\\uD83D",
          "\\udead",
          "\udead",
          "__proto__",
          "a",
          "10",
          "\\\\",
          '\\"',
          "\u2028",
        ),
      ),
      { maxLength: 3 },
    )
    .map((parts) => `"${parts.join("")}"`),
}));

/** JSON text in any form: with odd white space, escapes, number notations and repeated names. */
export const jsonText: fc.Arbitrary<string> = text;

/** The texts that an edit inserts. */
export const EDITS: readonly string[] = [
  "",
  '"',
  "\\",
  "{",
  "}",
  "[",
  "]",
  ",",
  ":",
  "0",
  "1",
  "-",
  "e",
  ".",
  "t",
  "\\u",
  "\ud83d",
  " ",
  "\u0000",
  '"a":1,',
  "[]",
  "Infinity",
  "\ufeff",
];

/** Text with a few edits, so that most of it is still JSON. */
export const mutated: fc.Arbitrary<string> = fc
  .tuple(jsonText, fc.array(fc.tuple(fc.nat(), fc.nat(3), fc.constantFrom(...EDITS)), { minLength: 1, maxLength: 3 }))
  .map(([text, edits]) =>
    edits.reduce((changed, [where, removed, inserted]) => {
      const at = where % (changed.length + 1);
      return changed.slice(0, at) + inserted + changed.slice(at + removed);
    }, text),
  );

export function attempt(run: () => unknown): { value: unknown } | { error: unknown } {
  try {
    return { value: run() };
  } catch (error) {
    return { error };
  }
}
