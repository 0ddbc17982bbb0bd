import { parseJson } from "@agentprint/canonical-json";
import { NumberCollector, type SessionAnswers, type VisitAnswers } from "@agentprint/mcp";
import {
  checkLock,
  createLock,
  diffEntries,
  driftFindings,
  formatLock,
  type LockFile,
  lockServer,
  parseLock,
} from "@agentprint/mcp-lock";
import { errorOf, session, visit } from "@agentprint/testing/lock/visit-answers";
import { runs } from "@agentprint/testing/property-runs";
import fc from "fast-check";
import { expect, test } from "vitest";

/** Returns the answers of a session whose text has these lists and contents. */
function read(text: string): SessionAnswers {
  const found = new NumberCollector();
  const said = parseJson(text, { exactNumbers: true, tolerate: (number) => found.take(number) });
  return { ...session("legacy/client"), ...(said as object), numbers: { ...found.texts } };
}

const tools = (item: string): string => `{"lists":{"tools":[[{"tools":[{"name":"t",${item}}]}]]}}`;
const prompts = (item: string): string => `{"lists":{"prompts":[[{"prompts":[{"name":"t",${item}}]}]]}}`;
const resources = (item: string): string => `{"lists":{"resources":[[{"resources":[{"uri":"t",${item}}]}]]}}`;
const templates = (item: string): string =>
  `{"lists":{"resourceTemplates":[[{"resourceTemplates":[{"uriTemplate":"t",${item}}]}]]}}`;
const contents = (item: string): string =>
  `{"contents":[{"kind":"ui","name":"ui://t","results":[{${item}},{${item}}]}],"lists":{}}`;

const visited = (text: string): VisitAnswers => visit(read(text));
const lockOf = (text: string): LockFile => parseLock(formatLock(createLock({ s: visited(text) })));
const rules = (lock: LockFile, answers: VisitAnswers): string[] =>
  driftFindings(checkLock(lock, { s: answers })).flatMap(({ rule, isRemark }) =>
    isRemark && rule !== "mcp/client-divergence" ? [] : [rule],
  );

const PLACES: readonly [string, (number: string) => string][] = [
  ["the input of a tool", (n) => tools(`"inputSchema":{"type":"object","properties":{"a":{"maximum":${n}}}}`)],
  ["a default", (n) => tools(`"inputSchema":{"type":"object","properties":{"a":{"default":${n}}}}`)],
  ["an enumeration", (n) => tools(`"inputSchema":{"type":"object","properties":{"a":{"enum":[1,${n}]}}}`)],
  ["a constant", (n) => tools(`"inputSchema":{"type":"object","properties":{"a":{"const":${n}}}}`)],
  ["examples", (n) => tools(`"inputSchema":{"type":"object","examples":[{"a":${n}}]}`)],
  ["metadata", (n) => tools(`"inputSchema":{"type":"object"},"_meta":{"a/b~c":[${n}]}`)],
  ["annotations", (n) => tools(`"inputSchema":{"type":"object"},"annotations":{"x":${n}}`)],
  ["a prompt", (n) => prompts(`"arguments":[{"name":"a","x":${n}}]`)],
  ["a resource", (n) => resources(`"size":${n}`)],
  ["a template", (n) => templates(`"_meta":{"x":${n}}`)],
  ["a content", (n) => contents(`"contents":[{"uri":"ui://t","_meta":{"x":${n}}}]`)],
];

const PAIRS = [
  ["9223372036854775807", "9223372036854775806"],
  ["9223372036854775807", "9223372036854776000"],
  ["18446744073709551615", "18446744073709551616"],
  ["-9007199254740993", "-9007199254740992"],
  ["0.1000000000000000055", "0.1"],
  ["0.1000000000000000055", "0.1000000000000000056"],
  ["1e-400", "0"],
  ["1e-400", "1e-401"],
  ["9007199254740993.0", "9007199254740993"],
  ["90071992547409930e-1", "9007199254740993"],
] as const;

test.each(PLACES)("a number with another text is drift in %s", (_, at) => {
  for (const [one, other] of PAIRS) {
    const lock = lockOf(at(one));
    expect(rules(lock, visited(at(one)))).toEqual([]);
    expect(rules(lock, visited(at(other)))).toEqual(["mcp/number-changed"]);
    expect(rules(lockOf(at(other)), visited(at(one)))).toEqual(["mcp/number-changed"]);
    expect(createLock({ s: visited(at(one)) }).servers[0]?.digest).not.toBe(lockOf(at(other)).servers[0]?.digest);
  }
});

test.each([
  ["1.0", "1"],
  ["-0", "0"],
  ["-0.0e5", "0"],
  ["1E+2", "100"],
  ["1e20", "100000000000000000000"],
  ["0.30000000000000004", "3.0000000000000004e-1"],
])("%s and %s are one number, which a double keeps", (one, other) => {
  for (const [, at] of PLACES) {
    expect(formatLock(lockOf(at(one)))).not.toContain('"numbers"');
    expect(rules(lockOf(at(one)), visited(at(other)))).toEqual([]);
  }
});

test("the reorder of a list does not hide another text", () => {
  const at = (values: string) => tools(`"inputSchema":{"type":"object","properties":{"a":{"enum":[${values}]}}}`);
  const found = rules(lockOf(at("9223372036854775807,1")), visited(at("1,9223372036854775806")));
  expect(found).toContain("mcp/number-changed");
});

test("a tool with another name and another text has both differences", () => {
  const at = (name: string, n: string) =>
    `{"lists":{"tools":[[{"tools":[{"name":"${name}","description":"Reads","inputSchema":{"type":"object","properties":{"a":{"maximum":${n}}}}}]}]]}}`;
  const found = rules(lockOf(at("read_file", "9223372036854775807")), visited(at("read_files", "9223372036854775806")));
  expect(found).toEqual(expect.arrayContaining(["mcp/tool-renamed", "mcp/number-changed"]));
});

test("two sessions with one digest and two texts are two definitions", () => {
  const [, at] = PLACES[0] as (typeof PLACES)[number];
  const one = read(at("9223372036854775807"));
  const other = { ...read(at("9223372036854775806")), view: "bare" } as const;
  const entry = lockServer("s", visit(one, other));
  expect(entry.tools.map(({ numbers, seenBy }) => [Object.values(numbers ?? {}), seenBy])).toEqual([
    [["9223372036854775806"], ["legacy/bare"]],
    [["9223372036854775807"], ["legacy/client"]],
  ]);
  const lock = createLock({ s: visit(one, other) });
  expect(parseLock(formatLock(lock))).toEqual(lock);
  expect(rules(lock, visit(other, one))).toContain("mcp/client-divergence");
  expect(rules(lock, visit({ ...one, view: "bare" }, { ...other, view: "client" }))).toContain("mcp/number-changed");
});

test("a server that writes a number otherwise at each reading is unstable", () => {
  const item = (n: string) => `{"name":"t","inputSchema":{"type":"object","maximum":${n}}}`;
  const text = `{"lists":{"tools":[[{"tools":[${item("9223372036854775807")}]}],[{"tools":[${item("9223372036854775806")}]}]]}}`;
  expect(errorOf(() => createLock({ s: visited(text) })).code).toBe("server-unstable");
  const content = `{"lists":{},"contents":[{"kind":"ui","name":"ui://t","results":[{"a":1e-400},{"a":1e-401}]}]}`;
  expect(errorOf(() => createLock({ s: visited(content) })).code).toBe("server-unstable");
});

test.each([
  [
    "the greeting",
    '{"greetings":[{"capabilities":{"experimental":{"a":9223372036854775807}}}]}',
    "/greetings/0/capabilities/experimental/a",
  ],
  ["a page", '{"lists":{"tools":[[{"tools":[],"_meta":{"a":9223372036854775807}}]]}}', "/lists/tools/0/0/_meta/a"],
  [
    "a page, under the name of another list",
    '{"lists":{"tools":[[{"tools":[],"prompts":[{"a":1e-400}]}]]}}',
    "/lists/tools/0/0/prompts/0/a",
  ],
])("a number that a double changes cannot be pinned in %s", (_, text, pointer) => {
  const error = errorOf(() => createLock({ s: visited(text) }));
  expect([error.code, error.path]).toEqual(["invalid-definition", `/sessions/0${pointer}`]);
});

test("values are compared as doubles, and their integers are listed as not compared exactly", () => {
  const [, at] = PLACES[0] as (typeof PLACES)[number];
  const lock = lockOf(at("9223372036854775807"));
  const { numbers: _, ...values } = read(at("9223372036854775806"));
  const found = driftFindings(checkLock(lock, { s: visit(values) }));
  expect(found.map(({ rule, place }) => [rule, place.pointer])).toEqual([
    ["mcp/integer-not-compared", "/inputSchema/properties/a/maximum"],
  ]);
  expect(checkLock(lock, { s: visit(values) }).outcome).toBe("same");
});

test.each([
  ["another number", "9223372036854775806", "/inputSchema/maximum", "digest-mismatch"],
  ["a number that a double keeps", "9223372036854776000", "/inputSchema/maximum", "invalid-lock"],
  ["another double", "18446744073709551615", "/inputSchema/maximum", "invalid-lock"],
  ["no number", "x", "/inputSchema/maximum", "invalid-lock"],
  ["space around it", " 9223372036854775807", "/inputSchema/maximum", "invalid-lock"],
  ["no value there", "9223372036854775807", "/inputSchema/minimum", "invalid-lock"],
  ["no pointer", "9223372036854775807", "inputSchema", "invalid-lock"],
])("a lock is refused whose numbers are not those of its definition: %s", (_, text, pointer, code) => {
  const lock = lockOf(tools('"inputSchema":{"type":"object","maximum":9223372036854775807}'));
  const written = formatLock(lock).replace(
    '"/inputSchema/maximum": "9223372036854775807"',
    `${JSON.stringify(pointer)}: ${JSON.stringify(text)}`,
  );
  expect(errorOf(() => parseLock(written)).code).toBe(code);
});

test("an empty member and texts of contents that are no numbers are refused", () => {
  const lock = formatLock(lockOf(contents('"a":1e-400')));
  expect(errorOf(() => parseLock(lock.replace(/"numbers": \{[^}]*\}/, '"numbers": {}'))).code).toBe("invalid-lock");
  expect(errorOf(() => parseLock(lock.replace('"/a": "1e-400"', '"/a": "1e-4"'))).code).toBe("invalid-lock");
  expect(errorOf(() => parseLock(lock.replace('"/a": "1e-400"', '"a": "1e-400"'))).code).toBe("invalid-lock");
});

test("the numbers of two locks are compared, too", () => {
  const entries = ["9223372036854775807", "9223372036854775806"].map((n) =>
    lockServer("s", visited(tools(`"inputSchema":{"type":"object","maximum":${n}}`))),
  );
  const [before, after] = entries as [(typeof entries)[number], (typeof entries)[number]];
  expect(driftFindings(diffEntries(before, after)).map(({ rule }) => rule)).toEqual(["mcp/number-changed"]);
});

test("equal texts, and only these, are the same entry", () => {
  const number = fc.stringMatching(/^-?(?:0|[1-9]\d{0,22})(?:\.\d{1,20})?(?:e-?\d{1,2})?$/);
  fc.assert(
    fc.property(number, number, fc.constantFrom(...PLACES), (one, other, [, at]) => {
      const [a, b] = [lockServer("s", visited(at(one))), lockServer("s", visited(at(other)))];
      const isDrift = rules(createLock({ s: visited(at(one)) }), visited(at(other))).length > 0;
      expect(isDrift).toBe(a.digest !== b.digest);
      if (one === other) expect(isDrift).toBe(false);
      else if (Number(one) !== Number(other)) expect(isDrift).toBe(true);
    }),
    { numRuns: runs(100) },
  );
});
