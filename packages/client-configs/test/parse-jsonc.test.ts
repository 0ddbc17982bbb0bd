import fc from "fast-check";
import { type Node, type ParseError, parseTree } from "jsonc-parser";
import { expect, test } from "vitest";
import { ClientConfigError } from "../src/errors.ts";
import { parseJsonc } from "../src/parse-jsonc.ts";

/** The text as the parser of VS Code reads it, the client whose files have comments; `undefined` where it reports an error. */
function parseLikeVsCode(text: string): unknown {
  const errors: ParseError[] = [];
  const root = parseTree(text, errors, { allowTrailingComma: true, allowEmptyContent: false });
  return errors.length > 0 || root === undefined ? undefined : nodeOf(root);
}

function nodeOf({ type, value, offset: start, length, children = [] }: Node): unknown {
  const place = { start, end: start + length };
  if (type === "array") return { kind: "list", layout: "flow", items: children.map(nodeOf), ...place };
  if (type !== "object") return { kind: "scalar", value, ...place };
  const members = children.flatMap(({ children: [name, member] = [] }) =>
    name && member ? { name: name.value, start: name.offset, value: nodeOf(member) } : [],
  );
  return { kind: "table", layout: "flow", members, ...place };
}

function parseOrUndefined(text: string): unknown {
  try {
    return parseJsonc(text, "c.json");
  } catch (error) {
    expect(error).toBeInstanceOf(ClientConfigError);
    return undefined;
  }
}

const PIECES =
  '{ } [ ] , : "a" "b\\n" "\\u00e9" "\\x" " "\\\\" "\\" 1 -1 01 1. 1.5e3 1e999 - true nul /* // /**/ /*a*/ //b\n'.split(
    " ",
  );
const piece = fc.constantFrom(...PIECES, "", " ", "\r\n", "\t", "\v", "\u00a0", '"é😀"', '"\ud800"', '"\n"', "// c\r");
const json = fc.jsonValue({ maxDepth: 3 }).map((value) => JSON.stringify(value, null, 2));
const changed = fc
  .tuple(json, fc.array(fc.tuple(fc.nat(), fc.nat(2), piece), { maxLength: 3 }))
  .map(([text, changes]) =>
    changes.reduce((before, [place, left, added]) => {
      const at = place % (before.length + 1);
      return before.slice(0, at) + added + before.slice(at + left);
    }, text),
  );

test("any text is read as the parser of VS Code reads it, with every place, or refused as there", () => {
  const joined = fc.array(piece).map((pieces) => pieces.join(""));
  fc.assert(
    fc.property(fc.oneof(changed, joined), (text) => {
      expect(parseOrUndefined(text)).toEqual(parseLikeVsCode(text));
    }),
    { numRuns: 2000 },
  );
});

test.each([
  ["a member without a name", '{"a": 1,\n 2}', "c.json:2:2", "the name of a member"],
  ["a member without a colon", '{"a" 1}', "c.json:1:6", "a colon"],
  ["two items without a comma", "[1\n2]", "c.json:2:1", "a comma or ]"],
  ["a string that does not end", '["a', "c.json:1:2", "a well-formed string"],
  ["a comment that does not end", "[1, /* 2]", "c.json:1:5", "a value"],
  ["text behind the value", "{} x", "c.json:1:4", "the end of the file"],
])("%s is an error that says what is missing, and where", (_, text, where, missing) => {
  let error: unknown;
  try {
    parseJsonc(text, "c.json");
  } catch (reason) {
    error = reason;
  }
  expect(error).toMatchObject({ details: { where }, message: expect.stringContaining(`${missing} is missing here`) });
});
