import type { JsonObject } from "@agentprint/canonical-json";
import {
  findVarying,
  formatLock,
  hasToBeAskedAgain,
  lockAsPinned,
  lockServer,
  parseLock,
  varyingMembersIn,
} from "@agentprint/mcp-lock";
import { everywhere, page, session, TOOL, visit } from "@agentprint/testing/lock/visit-answers";
import { describe, expect, test } from "vitest";
import { ALL, lockOf, member, otherwise, RICH, rich, TOOL2 } from "./varying-tools.ts";

describe("answers that differ", () => {
  test("name the member, and both values", () => {
    const found = findVarying([rich(RICH), rich(otherwise(RICH)), rich(RICH)]);
    const expected = ALL.map(({ pointer, as, ...rest }) =>
      pointer === "/_meta/deep" ? member("/_meta/deep/id") : { ...rest, pointer, as },
    );
    expect(found.map((each) => each.member)).toEqual(expect.arrayContaining(expected));
    expect(found).toHaveLength(ALL.length);
    expect(found).toContainEqual(
      expect.objectContaining({
        subject: "tool read",
        pointer: "/description",
        before: "Reads a file",
        after: "Reads one file",
      }),
    );
    const members = found.flatMap(({ member }) => member ?? []);
    expect(findVarying([rich(RICH), rich(otherwise(RICH))], { varies: members })).toEqual([]);
    expect(hasToBeAskedAgain("files", rich(RICH))).toBe(false);
  });

  test("have no member where the contract or the list differs", () => {
    const one = (a: JsonObject, b: JsonObject) => findVarying([rich(a), rich(b)]);
    const fixed = (found: ReturnType<typeof findVarying>) =>
      found.map(({ subject, pointer, member }) => [subject, pointer, member]);
    expect(fixed(findVarying([everywhere({ tools: [TOOL, TOOL2] }), rich(TOOL)]))).toEqual([
      ["tool other", "", undefined],
    ]);
    expect(fixed(findVarying([rich(TOOL), everywhere({ lists: {} })]))).toEqual([["tool read", "", undefined]]);
    expect(fixed(one(TOOL, { ...TOOL, annotations: {} }))).toEqual([
      ["tool read", "/annotations/readOnlyHint", undefined],
    ]);
    expect(fixed(one(TOOL, { ...TOOL, _meta: {} }))).toEqual([["tool read", "/_meta", undefined]]);
    const set = (values: string[]) => ({ ...TOOL, inputSchema: { enum: values } });
    expect(fixed(one(set(["a", "b"]), set(["a", "c"])))).toEqual([["tool read", "/inputSchema/enum/1", undefined]]);
    const meta = (value: JsonObject) => ({ ...TOOL, _meta: value });
    expect(one(meta({ a: 1 }), meta({ b: 1 })).map(({ member }) => member?.pointer)).toEqual(["/_meta"]);
    expect(one(meta({ a: [1, 2] }), meta({ a: [2, 1] })).map(({ member }) => member?.pointer)).toEqual(["/_meta/a"]);
    expect(one(meta({ a: 1, b: { c: 1 } }), meta({ b: { c: 2 } })).map(({ member }) => member?.pointer)).toEqual([
      "/_meta",
    ]);
  });

  test("next to items are unstable, and in the server itself fixed", () => {
    const greeting = (members: JsonObject) => everywhere({ greeting: members });
    const one = (a: JsonObject, b: JsonObject) => findVarying([greeting(a), greeting(b)]);
    expect(one({ x: { at: 1 } }, { x: { at: 2 } })).toEqual([
      { subject: "greeting", pointer: "/x/at", before: 1, after: 2, unstable: "/greeting/x/at" },
    ]);
    expect(findVarying([greeting({ x: 1 }), greeting({ x: 2 })], { allowUnstable: ["/greeting/x"] })).toEqual([]);
    expect(one({ capabilities: {} }, { capabilities: { tools: {} } })).toMatchObject([
      { subject: "server capabilities", pointer: "/tools" },
    ]);
    expect(one({}, { instructions: "x" })).toEqual([
      { subject: "greeting", pointer: "/instructions", before: null, after: "x" },
    ]);
    const info = (version: string) =>
      visit(session("legacy/client", { greeting: { serverInfo: { name: "files", version } } }));
    expect(findVarying([info("1"), info("2")])).toMatchObject([
      { subject: "server info", pointer: "/version", before: "1", after: "2" },
    ]);
  });

  test("between clients or in one session ask for another look, and nothing else does", () => {
    const other = { tools: [otherwise(RICH)] };
    expect(
      hasToBeAskedAgain("files", visit(session("legacy/client", { tools: [RICH] }), session("legacy/bare", other))),
    ).toBe(true);
    expect(
      hasToBeAskedAgain("files", visit(session("legacy/client", { tools: [RICH] }), session("modern/client", other))),
    ).toBe(false);
    const twice = { lists: { tools: [[page("tools", [RICH])], [page("tools", [otherwise(RICH)])]] } };
    expect(hasToBeAskedAgain("files", visit(session("legacy/client", twice)))).toBe(true);
    expect(hasToBeAskedAgain("files", visit(session("legacy/client", twice)), { varies: ALL })).toBe(false);
    expect(hasToBeAskedAgain("files", everywhere({ tools: [TOOL, TOOL] }))).toBe(false);
  });

  test("of many items are found in the time that a comparison takes", () => {
    const tools = (at: number) =>
      Array.from({ length: 5000 }, (_, index) => ({ ...TOOL, name: `t${index}`, _meta: { at } }));
    const visits = [1, 2].map((at) => visit(session("legacy/client", { tools: tools(at) })));
    const varies = varyingMembersIn(
      { kind: "tool", pointer: "/_meta/at", isEach: true },
      visits[0] as (typeof visits)[0],
    );
    expect(varies).toHaveLength(5000);
    expect(findVarying(visits)).toHaveLength(5000);
    const entry = lockServer("files", visits[0] as (typeof visits)[0], { varies });
    expect(lockAsPinned(entry, visits[1] as (typeof visits)[0]).digest).toBe(entry.digest);
    expect(parseLock(formatLock(lockOf(entry))).servers[0]?.digest).toBe(entry.digest);
  });

  test("of one large tool, too", () => {
    const many = (at: number) =>
      Object.fromEntries(Array.from({ length: 5000 }, (_, index) => [`p${index}`, { default: at }]));
    const tool = (at: number) => ({ ...TOOL, inputSchema: { properties: many(at), not: { $ref: "#/properties/p1" } } });
    const visits = [1, 2].map((at) => visit(session("legacy/client", { tools: [tool(at)] }))) as [never, never];
    const varies = findVarying(visits).flatMap(({ member }) => member ?? []);
    expect(varies).toHaveLength(5000);
    const entry = lockServer("files", visits[0], { varies });
    expect(lockAsPinned(entry, visits[1]).digest).toBe(entry.digest);
  });
});
