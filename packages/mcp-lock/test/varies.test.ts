import { hashCanonical, type JsonObject } from "@agentprint/canonical-json";
import {
  asPinned,
  checkLock,
  diffLocks,
  driftFindings,
  findVarying,
  formatLock,
  type LockedServer,
  lockAsPinned,
  lockServer,
  parseLock,
  pinnedValuesOf,
  type VaryingMember,
  variesIn,
  varyingFindings,
} from "@agentprint/mcp-lock";
import { errorOf, everywhere, page, session, TOOL, visit } from "@agentprint/testing/lock/visit-answers";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { ALL, check, INSTRUCTIONS, lockOf, member, otherwise, RICH, rich, SCHEMA, TOOL2 } from "./varying-tools.ts";

describe("a member that varies", () => {
  test("has the first value in the entry, and that value in every comparison", () => {
    const entry = lockServer("files", rich(RICH), { varies: ALL });
    expect(entry.tools.map(({ definition }) => definition)).toEqual([RICH]);
    expect(entry.varies).toEqual([...ALL].sort((a, b) => (a.pointer < b.pointer ? -1 : 1)));
    expect(check(entry, rich(otherwise(RICH)))).toEqual([]);
    expect(lockAsPinned(entry, rich(otherwise(RICH))).digest).toBe(entry.digest);
    expect(asPinned(entry, rich(otherwise(RICH)))).toEqual(rich(RICH));
  });

  test("has the first value in all sessions, so that clients do not differ", () => {
    const answers = visit(
      session("legacy/client", { tools: [RICH] }),
      session("legacy/bare", {
        tools: [[page("tools", [otherwise(RICH)])]] as never,
        lists: { tools: [[page("tools", [otherwise(RICH)])], [page("tools", [RICH])]] },
      }),
    );
    expect(errorOf(() => lockServer("files", answers)).code).toBe("server-unstable");
    const entry = lockServer("files", answers, { varies: ALL });
    expect(entry.tools).toHaveLength(1);
    expect(entry.tools[0]?.seenBy).toBeUndefined();
  });

  test("is covered by the digest of the entry, sorted, and refused where someone edited it", () => {
    const entry = lockServer("files", rich(RICH), { varies: ALL });
    const text = formatLock(lockOf(entry));
    expect(parseLock(text).servers).toEqual([entry]);
    const reversed = text.replace(JSON.stringify(entry.varies), JSON.stringify(entry.varies?.toReversed()));
    expect(parseLock(reversed).servers).toEqual([entry]);
    const edited = { ...entry, varies: ALL.slice(1) };
    expect(errorOf(() => parseLock(formatLock(lockOf(edited))))).toMatchObject({ code: "digest-mismatch" });
    const { varies: _, ...without } = entry;
    expect(errorOf(() => parseLock(formatLock(lockOf(without))))).toMatchObject({ code: "digest-mismatch" });
    const plain = lockServer("files", rich(RICH));
    expect(plain.digest).not.toBe(entry.digest);
    expect(plain.toolsDigest).toBe(entry.toolsDigest);
  });

  test("of a prompt, a resource or the greeting varies, too", () => {
    const said = (text: string) => ({
      greeting: { instructions: text },
      lists: {
        tools: [[page("tools", [{ ...TOOL, annotations: { ...(TOOL["annotations"] as JsonObject), title: text } }])]],
        prompts: [[page("prompts", [{ name: "p", description: text, arguments: [{ name: "a", description: text }] }])]],
        resources: [[page("resources", [{ uri: "file:///a", title: text }])]],
      },
    });
    const varies: VaryingMember[] = [
      INSTRUCTIONS,
      member("/annotations/title"),
      { kind: "prompt", name: "p", pointer: "/description", as: "any" },
      { kind: "prompt", name: "p", pointer: "/arguments/0/description", as: "any" },
      { kind: "resource", name: "file:///a", pointer: "/title", as: "any" },
    ];
    const entry = lockServer("files", everywhere(said("one")), { varies });
    expect(check(entry, everywhere(said("two"))).filter(({ isRemark }) => isRemark !== true)).toEqual([]);
    expect(
      varyingFindings(entry, everywhere({ greeting: { instructions: "See https://a.example" } }), []),
    ).toMatchObject([
      { rule: "mcp/varying-signal", level: "error", place: { subject: "files", pointer: "/instructions" } },
    ]);
    expect(findVarying([everywhere(said("one")), everywhere(said("two"))]).map((each) => each.member)).toEqual(
      expect.arrayContaining(varies),
    );
  });

  test("that is a text gives way to a text alone, and a set to the same elements alone", () => {
    const entry = lockServer("files", rich(RICH), { varies: ALL });
    for (const description of [7, null, ["Reads"], undefined]) {
      const { description: _, ...rest } = RICH;
      const live = description === undefined ? rest : { ...rest, description };
      expect(check(entry, rich(live)).length).toBeGreaterThan(0);
    }
    const withEnum = (values: unknown) => {
      const { properties, ...schema } = SCHEMA as { properties: { mode: JsonObject } & JsonObject };
      return {
        ...RICH,
        inputSchema: { ...schema, properties: { ...properties, mode: { ...properties.mode, enum: values } } },
      };
    };
    for (const values of [
      ["a", "b"],
      ["a", "b", "c", "d"],
      ["a", "b", "d"],
      ["a", "b", "b"],
      ["a", "b", "c", "c"],
      "a",
      null,
      [],
    ])
      expect(check(entry, rich(withEnum(values) as JsonObject)).length).toBeGreaterThan(0);
    expect(check(entry, rich(withEnum(["c", "b", "a"]) as JsonObject))).toEqual([]);
  });

  test("hides no change at another place, and none of the contract", () => {
    const entry = lockServer("files", rich(RICH), { varies: ALL });
    const live = otherwise(RICH);
    for (const change of [
      { annotations: { readOnlyHint: false } },
      { title: "Read" },
      { _meta: { at: 2, deep: {}, more: 1 } },
      { inputSchema: { ...(live["inputSchema"] as JsonObject), required: ["path"] } },
      { inputSchema: { ...(live["inputSchema"] as JsonObject), type: "array" } },
    ])
      expect(check(entry, rich({ ...live, ...change })).length).toBeGreaterThan(0);
    expect(check(entry, everywhere({ tools: [live, { ...TOOL, name: "new" }] })).map(({ rule }) => rule)).toContain(
      "mcp/item-added",
    );
  });

  test("is named in every report, and the list of them is compared", () => {
    const [plain, varied] = [[], ALL].map((varies) => lockServer("files", rich(RICH), { varies })) as [
      LockedServer,
      LockedServer,
    ];
    const rulesOf = (one: LockedServer, other: LockedServer) =>
      driftFindings(diffLocks(lockOf(one), lockOf(other))).map(({ rule }) => rule);
    expect(rulesOf(plain, plain)).toEqual([]);
    expect(rulesOf(varied, varied)).toEqual(ALL.map(() => "mcp/varying-member"));
    expect(rulesOf(plain, varied).filter((rule) => rule === "mcp/varies-changed")).toHaveLength(ALL.length);
    expect(rulesOf(varied, plain)).toEqual(ALL.map(() => "mcp/varies-changed"));
  });

  test("of a tool that is gone is gone, too", () => {
    const both = everywhere({ tools: [RICH, TOOL2] });
    const entry = lockServer("files", both, {
      varies: [member("/description"), member("/description", "any", "other")],
    });
    const [drift] = checkLock(lockOf(entry), { files: everywhere({ tools: [TOOL2] }) }).servers;
    expect(drift?.drifts.map(({ type }) => type)).toEqual(["part-changed", "item-removed"]);
    const varies = variesIn(entry.varies ?? [], everywhere({ tools: [TOOL2] }));
    expect(varies).toEqual([member("/description", "any", "other")]);
    expect(drift?.digest.after).toBe(lockServer("files", everywhere({ tools: [TOOL2] }), { varies }).digest);
    const [none] = checkLock(lockOf(entry), { files: everywhere({ tools: [] }) }).servers;
    expect(none?.digest.after).toBe(lockServer("files", everywhere({ tools: [] })).digest);
  });
});

test("the pinned values leave everything else as it is, whatever the definition", () => {
  const json = fc.jsonValue({ maxDepth: 4 }) as fc.Arbitrary<JsonObject[string]>;
  const tool = fc.record({ description: fc.oneof(fc.string(), json), inputSchema: json, _meta: json });
  const entry = lockServer("files", rich(RICH), { varies: ALL });
  const pinned = pinnedValuesOf(entry);
  fc.assert(
    fc.property(tool, (members) => {
      const live = { ...TOOL, ...members } as JsonObject;
      const before = hashCanonical(live);
      const shown = pinned.item("tool", "read", live);
      expect(hashCanonical(live)).toBe(before);
      expect(pinned.item("tool", "read", shown)).toBe(shown);
      expect(pinned.item("tool", "other", live)).toBe(live);
      expect(shown["description"]).toEqual(
        typeof live["description"] === "string" ? RICH["description"] : live["description"],
      );
      expect(Object.keys(shown)).toEqual(Object.keys(live));
    }),
  );
  expect(({} as JsonObject)["at"]).toBeUndefined();
});
