import type { JsonValue } from "@agentprint/canonical-json";
import { runs } from "@agentprint/testing/property-runs";
import { Ajv } from "ajv";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { hashPolicy, parsePolicy, policyJsonSchema } from "../src/index.ts";
import { hasOnlySettings, PolicyError, parseSettings } from "../src/settings/index.ts";
import { RULES } from "./support/rules.ts";

/** Returns the text of a public key that differs from others in one letter. */
const key = (letter: string) => `MCowBQYDK2VwAyEA${letter.repeat(43)}=`;
const KEY = key("A");

const errorOf = (document: JsonValue): PolicyError => {
  try {
    parseSettings(document);
  } catch (error) {
    if (error instanceof PolicyError) return error;
    throw error;
  }
  throw new Error("no error");
};

test("times are read as milliseconds, and everything else as it is", () => {
  const visits = { connectTimeout: 1.5, settle: 0, views: "all", contents: true, protocol: "auto", maxPages: 7 };
  const read = { ...visits, connectTimeout: 1500, settle: 0 };
  expect(parseSettings({ visits, configurations: ["services/a/.mcp.json"], preset: "strict" })).toEqual({
    visits: read,
    configurations: ["services/a/.mcp.json"],
    reviewers: [],
  });
});

test("reviewers are read by name, each with its keys", () => {
  const reviewers = { mia: [KEY, key("B")], ben: [key("C")] };
  expect(parseSettings({ reviewers }).reviewers).toEqual([
    { name: "mia", keys: [KEY, key("B")] },
    { name: "ben", keys: [key("C")] },
  ]);
});

test("resources that are left out are read by server, whatever the server is called", () => {
  const leaveOut = JSON.parse('{"maps": ["ui://maps/a", "doc://b"], "__proto__": ["ui://c"]}');
  const { visits } = parseSettings({ visits: { leaveOut } });
  expect(Object.entries(visits.leaveOut ?? {})).toEqual(Object.entries(leaveOut));
});

test.each<[JsonValue]>([[{}], [[]], ["text"]])("a document without settings has none: %j", (document) => {
  expect(parseSettings(document)).toEqual({ visits: {}, configurations: [], reviewers: [] });
});

describe("a setting is refused with its place", () => {
  test.each<[JsonValue, string, string]>([
    [{ visits: 5 }, "wrong-type", "/visits"],
    [{ visits: { concurrency: 1.5 } }, "wrong-type", "/visits/concurrency"],
    [{ visits: { concurrency: 0 } }, "invalid-value", "/visits/concurrency"],
    [{ visits: { concurrency: 1001 } }, "invalid-value", "/visits/concurrency"],
    [{ visits: { contents: null } }, "wrong-type", "/visits/contents"],
    [{ visits: { views: {} } }, "invalid-value", "/visits/views"],
    [{ visits: { protocol: "" } }, "invalid-value", "/visits/protocol"],
    [{ visits: { totalTimeout: 1e10 } }, "invalid-value", "/visits/totalTimeout"],
    [{ visits: { timeout: 1 } }, "unknown-member", "/visits/timeout"],
    [JSON.parse('{"visits":{"__proto__":1}}'), "unknown-member", "/visits/__proto__"],
    [{ visits: { leaveOut: ["ui://a"] } }, "wrong-type", "/visits/leaveOut"],
    [{ visits: { vary: "s/greeting#/instructions" } }, "wrong-type", "/visits/vary"],
    [{ visits: { vary: ["s/greeting#/instructions", 1] } }, "wrong-type", "/visits/vary/1"],
    [{ visits: { leaveOut: { maps: "ui://a" } } }, "wrong-type", "/visits/leaveOut/maps"],
    [{ visits: { leaveOut: { maps: [] } } }, "invalid-value", "/visits/leaveOut/maps"],
    [{ visits: { leaveOut: { maps: Array(1001).fill("ui://a") } } }, "invalid-value", "/visits/leaveOut/maps"],
    [{ visits: { leaveOut: { maps: ["ui://a", 1] } } }, "wrong-type", "/visits/leaveOut/maps/1"],
    [{ visits: { leaveOut: { maps: [""] } } }, "invalid-value", "/visits/leaveOut/maps/0"],
    [{ configurations: "a" }, "wrong-type", "/configurations"],
    [{ configurations: Array(1001).fill("a") }, "invalid-value", "/configurations"],
    [{ configurations: ["a", 1] }, "wrong-type", "/configurations/1"],
    [{ reviewers: [] }, "wrong-type", "/reviewers"],
    [{ reviewers: { "": [KEY] } }, "invalid-value", "/reviewers/"],
    [{ reviewers: { mia: KEY } }, "wrong-type", "/reviewers/mia"],
    [{ reviewers: { mia: [] } }, "invalid-value", "/reviewers/mia"],
    [{ reviewers: { mia: Array(65).fill(KEY) } }, "invalid-value", "/reviewers/mia"],
    [{ reviewers: { mia: [KEY.slice(1)] } }, "invalid-value", "/reviewers/mia/0"],
    [{ reviewers: { mia: [KEY, KEY] } }, "invalid-value", "/reviewers/mia/1"],
    [{ reviewers: { mia: [KEY], ben: [KEY] } }, "invalid-value", "/reviewers/ben/0"],
    [
      { reviewers: Object.fromEntries(Array.from({ length: 1001 }, (_, at) => [at, 1])) },
      "invalid-value",
      "/reviewers",
    ],
    ...["", "/a", "..", "../a", "a/../b", "a/..", "C:/a", "a\\b", "a\0", "a\nb", "a".repeat(1001)].map(
      (path): [JsonValue, string, string] => [{ configurations: [path] }, "invalid-value", "/configurations/0"],
    ),
  ])("%j", (document, code, path) => {
    expect(errorOf(document)).toMatchObject({ code, path });
    expect(() => parsePolicy(document, RULES)).toThrow(PolicyError);
  });
});

test("a path may have dots that leave no folder", () => {
  const paths = ["./a", ".mcp.json", "a/.../b", "..a/b..", "a b/ü.json"];
  expect(parseSettings({ configurations: paths }).configurations).toEqual(paths);
});

test("the JSON Schema and the parser refuse the same settings", () => {
  const validate = new Ajv({ strict: true, validateFormats: false }).compile(policyJsonSchema({}));
  const values = fc.oneof(
    fc.constantFrom<JsonValue>("client", "auto", "", true, 0, 1, 0.5, 5e9, "..", "a/b", "/a", ["a"], ["../a"]),
    fc.jsonValue({ maxDepth: 1 }) as fc.Arbitrary<JsonValue>,
  );
  const names = ["concurrency", "protocol", "views", "contents", "connectTimeout", "settle", "maxBytes", "other"];
  const visits = fc.constantFrom(...names).chain((name) => values.map((value) => ({ visits: { [name]: value } })));
  fc.assert(
    fc.property(
      fc.oneof(
        visits,
        values.map((value) => ({ visits: { leaveOut: { maps: value } } })),
        values.map((value) => ({ configurations: value })),
        fc
          .oneof(values, fc.constantFrom<JsonValue>([KEY], [KEY, KEY], KEY))
          .map((value) => ({ reviewers: { mia: value } })),
      ),
      (document) => {
        fc.pre(!JSON.stringify(document).includes("__proto__"));
        const isRead = (() => {
          try {
            return Boolean(parseSettings(document));
          } catch {
            return false;
          }
        })();
        expect(validate(document), JSON.stringify(document)).toBe(isRead);
      },
    ),
    { numRuns: runs(500) },
  );
});

test("settings are no part of the policy, and a document can have nothing else", () => {
  const settings = { $schema: "x", visits: { concurrency: 2 }, configurations: ["a"], reviewers: { mia: [KEY] } };
  expect(hashPolicy(parsePolicy(settings, RULES))).toBe(hashPolicy(parsePolicy({}, RULES)));
  expect([settings, {}, { ...settings, preset: "strict" }, []].map((each) => hasOnlySettings(each))).toEqual([
    true,
    false,
    false,
    false,
  ]);
});
