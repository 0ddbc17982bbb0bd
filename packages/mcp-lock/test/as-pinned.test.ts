import type { JsonObject, JsonValue } from "@agentprint/canonical-json";
import type { LockedArtifact } from "@agentprint/launch";
import type { VisitAnswers } from "@agentprint/mcp";
import {
  asPinned,
  findVarying,
  lockAsPinned,
  lockServer,
  pinnedValuesOf,
  type VaryingMember,
  type VaryingPattern,
  variesIn,
  varyingMembersIn,
} from "@agentprint/mcp-lock";
import { varyingInWords } from "@agentprint/mcp-lock/lock";
import { errorOf, everywhere, page, session, visit } from "@agentprint/testing/lock/visit-answers";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { ALL, INSTRUCTIONS, member, otherwise, RICH, rich, TOOL2 } from "./varying-tools.ts";

const ENTRY = lockServer("files", rich(RICH), { varies: ALL });
const pattern = (pointer: string, name?: string, kind: VaryingPattern["kind"] = "tool"): VaryingPattern => ({
  kind,
  pointer,
  ...(name !== undefined && { name }),
  isEach: name === "*",
});

/** Tools with members of any kind at the places that may vary. */
const ANY_TOOL = fc
  .record(
    {
      name: fc.constantFrom("read", "other", "third"),
      title: fc.constantFrom("a", "b"),
      description: fc.oneof(fc.constantFrom("Reads", "Reads one"), fc.jsonValue()),
      _meta: fc.oneof(fc.jsonValue(), fc.record({ at: fc.jsonValue(), deep: fc.jsonValue() })),
      required: fc.oneof(fc.shuffledSubarray(["mode", "path"]), fc.jsonValue()),
      enum: fc.oneof(fc.shuffledSubarray(["a", "b", "c"], { minLength: 2 }), fc.jsonValue()),
    },
    { requiredKeys: ["name", "required", "enum"] },
  )
  .map(({ required, enum: values, ...tool }): JsonObject => {
    const inputSchema = { type: "object", properties: { mode: { enum: values, default: "a" } }, required };
    return { ...tool, inputSchema } as JsonObject;
  });
const UNIQUE_TOOLS = fc.uniqueArray(ANY_TOOL, { selector: (tool) => tool["name"] });
const POINTERS = [...ALL.map(({ pointer }) => pointer), "/title", "/name", "/inputSchema/type", "/_meta", "/gone"];

describe("the answers as the entry has them", () => {
  test("are the same answers where nothing varies, and have the pinned values however often they are asked for", () => {
    const plain = lockServer("files", rich(RICH));
    const answers = rich(otherwise(RICH));
    expect(asPinned(plain, answers)).toBe(answers);
    fc.assert(
      fc.property(fc.array(ANY_TOOL, { maxLength: 3 }), (tools) => {
        const shown = asPinned(ENTRY, everywhere({ tools }));
        expect(asPinned(ENTRY, shown)).toEqual(shown);
        for (const [index, tool] of tools.entries()) {
          const now = shown.sessions[0]?.lists.tools?.[0]?.[0]?.["tools"] as JsonObject[];
          if (tool["name"] !== "read") expect(now[index]).toEqual(tool);
          else expect(withoutVarying(now[index] as JsonObject)).toEqual(withoutVarying(tool));
        }
      }),
    );
  });

  test("keep whatever is no list, no item and no name, and templates of resources", () => {
    const odd = [null, 7, "read", ["read"], {}, { name: 7 }, { name: null, description: "x" }];
    const templates = [{ name: "read", uriTemplate: "file:///{a}", description: "other" }];
    for (const tools of [odd, undefined, "read", { read: otherwise(RICH) }, null]) {
      const lists = { tools: [[{ tools } as JsonObject]], resourceTemplates: [[page("resourceTemplates", templates)]] };
      const answers = visit(session("legacy/client", { lists }));
      expect(asPinned(ENTRY, answers)).toEqual(answers);
      expect(varyingMembersIn(pattern("/description", "*"), answers)).toEqual([member("/description", "any", "*")]);
    }
  });

  test("are locked with the files of the entry, and with its artifacts if the launch is the entry's", () => {
    const artifact = (integrity?: string): LockedArtifact => {
      const named = { pointer: "/args/0", kind: "npm", name: "server", version: "1.0.0" } as const;
      return { ...named, ...(integrity !== undefined && { integrity }) };
    };
    const answers = (found?: LockedArtifact, args = ["server.js"]): VisitAnswers => {
      const { launch, ...rest } = rich(otherwise(RICH));
      return { ...rest, launch: { ...launch, args } as VisitAnswers["launch"], ...(found && { artifacts: [found] }) };
    };
    const entry = lockServer("files", { ...rich(RICH), artifacts: [artifact("sha512:a")] }, { varies: ALL });
    expect(lockAsPinned(entry, answers()).digest).toBe(entry.digest);
    expect(lockAsPinned(entry, answers(artifact("sha512:a"))).digest).toBe(entry.digest);
    expect(lockAsPinned(entry, answers(artifact("sha512:b"))).artifacts).toEqual([artifact("sha512:b")]);
    expect(lockAsPinned(entry, answers(artifact("sha512:b"), ["other.js"])).artifacts).toEqual([artifact("sha512:b")]);
  });
});

/** Returns a tool without the values at the places in ALL, which may vary; the rest is the contract. */
function withoutVarying(tool: JsonObject): JsonValue {
  const { tools } = lockServer("files", rich(RICH), { varies: ALL });
  const pinned = tools[0]?.definition as JsonObject;
  const varies = variesIn(ALL, rich({ ...tool, name: "read" }));
  const copy = structuredClone(tool) as JsonObject;
  for (const { pointer, as } of varies) {
    const path = pointer.slice(1).split("/");
    const last = path.pop() as string;
    const holder = path.reduce((value, name) => value[name] as JsonObject, copy as JsonObject);
    const before = path.reduce((value, name) => value[name] as JsonObject, pinned)[last];
    holder[last] = as === "set" ? [...(holder[last] as string[])].sort() : (before as JsonValue);
  }
  return copy;
}

describe("the members that a pattern means", () => {
  test("are each once, in the items of the kind that have one", () => {
    const answers = everywhere({ tools: [RICH, TOOL2, { name: "third", inputSchema: {} }] });
    const both = [member("/description"), member("/description", "any", "other")];
    expect(varyingMembersIn(pattern("/description", "*"), answers)).toEqual(both);
    expect(varyingMembersIn(pattern("/description", "other"), answers)).toEqual([both[1]]);
    expect(varyingMembersIn(pattern("/inputSchema/required", "*"), answers)).toEqual([
      member("/inputSchema/required", "set"),
    ]);
    const greeted = everywhere({ greeting: { instructions: "Read" } });
    expect(varyingMembersIn(pattern("/instructions", undefined, "greeting"), greeted)).toEqual([INSTRUCTIONS]);
  });

  test("can vary where one is there, and are refused by their reason where none is", () => {
    fc.assert(
      fc.property(
        UNIQUE_TOOLS,
        fc.constantFrom(...POINTERS),
        fc.constantFrom("*", "read", "other"),
        (tools, pointer, name) => {
          const answers = everywhere({ tools });
          const varies = varyingMembersIn(pattern(pointer, name), answers);
          if (variesIn(varies, answers).length > 0)
            expect(lockServer("files", answers, { varies }).varies).toHaveLength(varies.length);
          else {
            expect(varies).toEqual([member(pointer, "any", name)]);
            expect(errorOf(() => lockServer("files", answers, { varies })).code).toBe("cannot-vary");
          }
        },
      ),
    );
  });

  test("still vary where an entry of these answers could name them", () => {
    fc.assert(
      fc.property(UNIQUE_TOOLS, fc.subarray([...ALL]), (tools, some) => {
        const answers = everywhere({ tools });
        const varies: VaryingMember[] = [...some, member("/description", "any", "gone"), INSTRUCTIONS];
        const living = variesIn(varies, answers);
        expect(living).toEqual(varies.filter((each) => living.includes(each)));
        for (const each of varies) {
          const lock = () => lockServer("files", answers, { varies: [each] });
          if (living.includes(each)) expect(lock().varies).toEqual([each]);
          else expect(errorOf(lock).code).toBe("cannot-vary");
        }
      }),
    );
  });
});

test.each([
  [{ ...member("/description"), kind: "greeting" }, "a member of the greeting has no name"],
  [{ kind: "tool", pointer: "/description", as: "any" }, "every other member has one"],
  [member("/inputSchema/type"), "is part of the contract"],
  [member("/description", "set"), "is part of the contract"],
  [member("/annotations/title"), "the server has no tool read at /annotations/title"],
  [member("description"), "the server has no"],
  [member("/_meta/at/"), "the server has no"],
  [member("/inputSchema/required/0", "set"), "is part of the contract"],
  [member("/inputSchema/properties/mode"), "is part of the contract"],
  [member("/inputSchema/properties"), "is part of the contract"],
] as const)("%j is refused with a reason", (varies, reason) => {
  const error = errorOf(() => lockServer("files", rich(RICH), { varies: [varies as VaryingMember] }));
  expect(error.code).toBe("cannot-vary");
  expect(error.message).toContain(reason);
});

test("members are in words, and those of one place in another are refused", () => {
  expect(varyingInWords(member("/inputSchema/required", "set"))).toBe("tool read at /inputSchema/required (any order)");
  expect(varyingInWords(INSTRUCTIONS)).toBe("greeting at /instructions (any value)");
  for (const [varies, reason] of [
    [[member("/_meta"), member("/_meta/at")], "is inside another varying member"],
    [[member("/_meta"), member("/_meta")], "is named twice"],
  ] as const) {
    expect(errorOf(() => lockServer("files", rich(RICH), { varies })).message).toContain(reason);
  }
  const greeted = everywhere({ greeting: { instructions: "Read" }, tools: [RICH] });
  expect(lockServer("files", greeted, { varies: [...ALL, INSTRUCTIONS] }).varies?.[0]).toEqual(INSTRUCTIONS);
});

test("the pinned values of an entry are those of the item with the name alone", () => {
  const pinned = pinnedValuesOf(ENTRY);
  const live = otherwise(RICH);
  expect(pinned.item("tool", "read", live)).toEqual(RICH);
  for (const [kind, name] of [
    ["prompt", "read"],
    ["resource", "read"],
    ["tool", "other"],
    ["greeting", ""],
  ] as const) {
    expect(pinned.item(kind, name, live)).toBe(live);
  }
  expect(pinned.greeting({ instructions: "Read" })).toEqual({ instructions: "Read" });
});

test("what differs at a place that has a value at one time alone is said so", () => {
  const { description: _, ...without } = RICH;
  const [only] = findVarying([rich(RICH), rich(without)]);
  expect(only).toEqual({ subject: "tool read", pointer: "/description", before: RICH["description"] });
  const greeted = (instructions?: string) =>
    everywhere({ ...(instructions !== undefined && { greeting: { instructions } }) });
  const [told] = findVarying([greeted(), greeted("Read")]);
  expect(told).toEqual({ subject: "greeting", pointer: "/instructions", before: null, after: "Read" });
  expect(findVarying([greeted("Read"), greeted("Read")])).toEqual([]);
});
