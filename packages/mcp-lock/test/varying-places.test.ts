import { createLock, formatLock, lockServer, parseLock, type VaryingMember } from "@agentprint/mcp-lock";
import { errorOf } from "@agentprint/testing/lock/visit-answers";
import { describe, expect, test } from "vitest";
import { ALL, INSTRUCTIONS, lockOf, member, RICH, rich, SCHEMA, sealedAgain } from "./varying-tools.ts";

describe("what cannot vary", () => {
  const refused = (varies: readonly VaryingMember[], answers = rich(RICH)) =>
    errorOf(() => lockServer("files", answers, { varies }));

  test.each([
    "/name",
    "/annotations/readOnlyHint",
    "/annotations",
    "/inputSchema",
    "/inputSchema/type",
    "/inputSchema/properties",
    "/inputSchema/properties/mode",
    "/inputSchema/properties/mode/type",
    "/inputSchema/properties/mode/enum/0",
    "/inputSchema/properties/mode/enum",
  ])("is part of the contract: %s", (pointer) => {
    const error = refused([member(pointer, "any")]);
    expect(error).toMatchObject({ code: "cannot-vary", path: pointer });
    expect(error.reason).toContain("is part of the contract");
  });

  test.each([
    "/title",
    "/_meta/none",
    "/inputSchema/properties/none/default",
    "/inputSchema/properties/__proto__/default",
    "/__proto__/a",
    "/constructor",
    "/_meta/deep/__proto__",
    "/_meta/deep/constructor",
    "",
    "description",
    "/description/0",
    "/_meta/at/x",
    "/_meta~2",
    "/inputSchema/examples/00",
    "/inputSchema/examples/-",
  ])("is nowhere: %j", (pointer) => expect(refused([member(pointer)])).toMatchObject({ code: "cannot-vary" }));

  test("is named twice, in another member, without a name, or of another kind", () => {
    expect(refused([member("/description"), member("/description")]).reason).toContain("named twice");
    expect(refused([member("/_meta/deep/id"), member("/_meta/deep")]).reason).toContain(
      "inside another varying member",
    );
    expect(refused([{ kind: "tool", pointer: "/description", as: "any" }]).reason).toContain("has no name");
    expect(refused([{ ...INSTRUCTIONS, name: "files" }]).reason).toContain("no name");
    expect(refused([INSTRUCTIONS]).reason).toContain("the server has no");
    expect(refused([member("/description", "set")]).reason).toContain("contract");
    expect(refused([member("/inputSchema/required", "any")]).reason).toContain("contract");
    expect(refused([{ ...INSTRUCTIONS, pointer: "/capabilities" }]).reason).toContain("contract");
    expect(refused([{ kind: "prompt", name: "read", pointer: "/description", as: "any" }]).code).toBe("cannot-vary");
  });

  test("is a schema that a reference leads to", () => {
    for (const [reference, pointer] of [
      ["#/examples/0", "/inputSchema/examples"],
      ["#/properties/mode/default", "/inputSchema/properties/mode/default"],
      ["#/properties/mode/default/x", "/inputSchema/properties/mode/default"],
      ["#/properties/mode/%65num/0", "/inputSchema/properties/mode/enum"],
    ] as const) {
      const inputSchema = { ...SCHEMA, not: { $ref: reference } };
      const as = pointer.endsWith("enum") ? "set" : "any";
      expect(refused([member(pointer, as)], rich({ ...RICH, inputSchema })).reason).toContain("contract");
    }
    const harmless = {
      ...RICH,
      inputSchema: { ...SCHEMA, not: { $ref: "#/properties/path" }, else: { $ref: "#/%zz" } },
    };
    expect(lockServer("files", rich(harmless), { varies: ALL }).varies).toHaveLength(ALL.length);
  });

  test("is refused in a lock that someone sealed again", () => {
    const entry = lockServer("files", rich(RICH));
    const lines: readonly (readonly VaryingMember[])[] = [
      [member("/inputSchema/type")],
      [member("/inputSchema/properties/__proto__")],
      [member("/nowhere")],
      [member("/description"), member("/description")],
      [member("/description", "any", "gone")],
      [member("/inputSchema/required", "any")],
      [INSTRUCTIONS],
    ];
    for (const varies of lines) {
      const sealed = sealedAgain(entry, varies);
      expect(errorOf(() => parseLock(formatLock(lockOf(sealed))))).toMatchObject({
        code: "invalid-lock",
        path: `/servers/0/varies/${varies.length - 1}`,
      });
    }
    const empty = sealedAgain(entry, []);
    expect(errorOf(() => parseLock(formatLock(lockOf(empty)))).code).toBe("invalid-lock");
    expect(parseLock(formatLock(createLock({ files: rich(RICH) }))).servers).toEqual([entry]);
  });
});
