import { type JsonObject, parseJson } from "@agentprint/canonical-json";
import { NumberCollector, type SessionAnswers, type VisitAnswers } from "@agentprint/mcp";
import {
  asPinned,
  createLock,
  findVarying,
  formatLock,
  lockAsPinned,
  lockServer,
  parseLock,
  pinnedValuesOf,
  type VaryingMember,
  withServer,
} from "@agentprint/mcp-lock";
import { errorOf, session, visit } from "@agentprint/testing/lock/visit-answers";
import { describe, expect, test } from "vitest";
import { check, member } from "./varying-tools.ts";

/** Returns the answers of a session whose text has these tools. */
function read(text: string): SessionAnswers {
  const found = new NumberCollector();
  const said = parseJson(text, { exactNumbers: true, tolerate: (number) => found.take(number) });
  return { ...session("legacy/client"), ...(said as object), numbers: { ...found.texts } };
}

/** Returns a visit whose tool has these number texts at the varying place, and another number at a fixed place. */
function visited(at: string, more: string = at, order = "9223372036854775807,9223372036854775806,1"): VisitAnswers {
  const schema = `{"type":"object","properties":{"a":{"default":${at},"maximum":18446744073709551615,"enum":[${order}]}}}`;
  const tool = `{"name":"read","_meta":{"at":[${at}],"more":${more}},"inputSchema":${schema}}`;
  return visit(
    read(
      `{"lists":{"tools":[[{"tools":[{"name":"other","inputSchema":{"type":"object"},"_meta":{"x":1e-400}},${tool}]}]]}}`,
    ),
  );
}

const VARIES: readonly VaryingMember[] = [
  member("/_meta/at"),
  member("/_meta/more"),
  member("/inputSchema/properties/a/default"),
  member("/inputSchema/properties/a/enum", "set"),
];
const PINNED = visited("9223372036854775807");
const entryOf = (answers: VisitAnswers) => lockServer("s", answers, { varies: VARIES });

/**
 * A number with the same double as the pinned one, one with another double, and one that a double represents exactly.
 */
const TEXTS = ["9223372036854775807", "9223372036854775806", "18446744073709551617", "7", '"none"'];

describe("a number that a double changes, in a member that varies", () => {
  test.each(TEXTS)("has its pinned text in every comparison, whatever it is now: %s", (text) => {
    const entry = entryOf(PINNED);
    expect(entry.tools[1]?.numbers).toMatchObject({ "/_meta/at/0": "9223372036854775807" });
    const order = "9223372036854775806,1,9223372036854775807";
    expect(check(entry, visited(text, "1", order))).toEqual([]);
    expect(asPinned(entry, visited(text, "1", order))).toEqual(PINNED);
    expect(lockAsPinned(entry, visited(text, "1", order)).digest).toBe(entry.digest);
    expect(parseLock(formatLock(withServer(createLock({}), entry))).servers).toEqual([entry]);
  });

  test("has the first text in the entry, so that two readings are one", () => {
    const [first] = visited("9223372036854775807").sessions as [SessionAnswers];
    const [second] = visited("9223372036854775806").sessions as [SessionAnswers];
    const again = Object.entries(second.numbers ?? {}).map(([at, text]) => [
      at.replace("tools/0/0", "tools/1/0"),
      text,
    ]);
    const numbers = { ...first.numbers, ...Object.fromEntries(again) };
    const tools = [...(first.lists.tools ?? []), ...(second.lists.tools ?? [])];
    const both = visit({ ...first, lists: { tools }, numbers });
    expect(errorOf(() => lockServer("s", both)).code).toBe("server-unstable");
    expect(entryOf(both).digest).toBe(entryOf(PINNED).digest);
  });

  test("does not equal a set with other texts of the same doubles", () => {
    const order = "9223372036854775806,9223372036854775806,1";
    expect(check(entryOf(PINNED), visited("9223372036854775807", undefined, order)).map(({ rule }) => rule)).toContain(
      "mcp/number-changed",
    );
  });

  test("leaves the texts at other places as they are", () => {
    const text = JSON.stringify(PINNED).replaceAll("18446744073709551615", "18446744073709551616");
    expect(check(entryOf(PINNED), JSON.parse(text) as VisitAnswers).map(({ rule }) => rule)).toEqual([
      "mcp/number-changed",
    ]);
    const pinned = entryOf(PINNED).tools[1]?.numbers as Record<string, string>;
    const numbers = { ...pinned, "/inputSchema/properties/a/maximum": "18446744073709551616", "/_meta/more": "1e-400" };
    const definition = entryOf(PINNED).tools[1]?.definition as JsonObject;
    expect(pinnedValuesOf(entryOf(PINNED)).numbers("tool", "read", definition, numbers)).toEqual({
      ...pinned,
      "/inputSchema/properties/a/maximum": "18446744073709551616",
    });
  });

  test("is no drift where the texts are not known", () => {
    const [{ numbers: _, ...values }] = visited("9223372036854775806").sessions as [SessionAnswers];
    const found = check(entryOf(PINNED), visit(values)).filter(({ isRemark }) => isRemark !== true);
    expect(found).toEqual([]);
  });

  test("is found by its texts if a server answers differently each time and other values stay equal", () => {
    const found = findVarying([visited("9223372036854775807"), visited("9223372036854775806")]);
    expect(found.map((each) => each.member)).toEqual(
      expect.arrayContaining([member("/_meta/at"), member("/_meta/more"), member("/inputSchema/properties/a/default")]),
    );
    expect(found).toHaveLength(3);
    expect(found.find(({ pointer }) => pointer.endsWith("/default"))).toMatchObject({
      before: "9223372036854775807",
      after: "9223372036854775806",
    });
    const orders = ["9223372036854775807,9223372036854775806", "9223372036854775806,9223372036854775807"];
    const [reordered] = findVarying(orders.map((order) => visited("1", "1", order)));
    expect(reordered?.member).toEqual(member("/inputSchema/properties/a/enum", "set"));
    const [changed] = findVarying(
      ["9223372036854775807,1", "9223372036854775806,1"].map((it) => visited("1", "1", it)),
    );
    expect(changed).toMatchObject({ before: "9223372036854775807", after: "9223372036854775806" });
    expect(changed?.member).toBeUndefined();
  });
});
