import { describe, expect, expectTypeOf, test } from "vitest";
import { z } from "zod";
import {
  CapabilityError,
  type Composable,
  collectToolStaticHashes,
  dynamicToolkit,
  type EnvOf,
  evaluateComposable,
  jsonSchema,
  policy,
  tool,
  toolkit,
} from "../src/index.ts";
import { anything, namedTool } from "./support.ts";

describe("a composable is inspectable and frozen", () => {
  test("a tool keeps the values of its definition", () => {
    const admin = policy("admin", () => true, { executeBinding: "snapshot" });
    const instructions = ["b", "a"];
    const wipe = tool({
      name: "wipe",
      description: "Wipes",
      inputSchema: anything,
      instructions,
      policies: [admin],
      handler: () => 1,
    });
    instructions.push("later");
    expect(wipe).toMatchObject({
      kind: "tool",
      name: "wipe",
      description: "Wipes",
      instructions: ["b", "a"],
      policies: [admin],
    });
    expect(Object.isFrozen(wipe) && Object.isFrozen(wipe.instructions) && Object.isFrozen(admin)).toBe(true);
  });

  test("members added to the array afterwards do not reach the toolkit", () => {
    const members: Composable[] = [namedTool("a")];
    const kit = toolkit(members, { name: "kit" });
    const before = kit.staticHash;
    members.push(kit);
    expect(kit.members.map(({ name }) => name)).toEqual(["a"]);
    expect(kit.computeStaticHash()).toBe(before);
  });

  test("the schema is asked for its JSON Schema once for each set of options", () => {
    let calls = 0;
    const counted = {
      "~standard": anything["~standard"],
      toJSONSchema: () => {
        calls++;
        return { maximum: 1, maxItems: 2 };
      },
    };
    const counting = tool({ name: "t", inputSchema: counted, handler: () => 1 });
    expect(counting.staticHash).toBe(counting.computeStaticHash({}));
    expect(calls).toBe(2);
    expect(counting.computeStaticHash({ sort: "locale" })).not.toBe(counting.staticHash);
  });

  test("types of environment, input and output follow the definition", async () => {
    const inTenant = policy("tenant", (ctx: { env: { tenant: string } }) => ctx.env.tenant !== "");
    const add = tool({
      name: "add",
      inputSchema: z.object({ a: z.number(), b: z.number().default(2) }),
      policies: [inTenant],
      handler: (_ctx, { a, b }) => a + b,
    });
    const flagged = dynamicToolkit({
      name: "f",
      create: (ctx: { env: { flags: string[] } }) => ctx.env.flags.map(() => add),
    });
    const kit = toolkit([add, flagged], { name: "kit" });
    expectTypeOf<EnvOf<typeof kit>>().toEqualTypeOf<{ tenant: string } & { flags: string[] }>();
    const { tools } = await evaluateComposable(toolkit([add], { name: "k" }), { env: { tenant: "t1" } });
    expectTypeOf(tools.add).not.toBeAny();
    expectTypeOf(tools.add?.execute).parameter(0).toEqualTypeOf<{ a: number; b?: number | undefined }>();
    const sum = await tools.add?.execute({ a: 1 });
    expectTypeOf(sum).toEqualTypeOf<number | undefined>();
    expect(sum).toBe(3);
    // @ts-expect-error the environment lacks a tenant
    await evaluateComposable(add, { env: {} });
  });
});

describe("a bad definition is refused at once", () => {
  const refused: [string, () => unknown, string][] = [
    ["tool without name", () => namedTool(""), "tool name: expected a non-empty string"],
    ["toolkit without name", () => toolkit([], { name: "" }), "toolkit name"],
    ["dynamic toolkit without name", () => dynamicToolkit({ name: "", create: () => [] }), "dynamic toolkit name"],
    ["policy without id", () => policy("", () => true), "policy id"],
    ["name that is a number", () => toolkit([], { name: 7 as never }), "received number"],
    ["policy without function", () => policy("p", null as never), "received null"],
    ["unknown binding", () => policy("p", () => true, { executeBinding: "later" as never }), '"live" or "snapshot"'],
    ["tool without handler", () => tool({ name: "t", inputSchema: anything } as never), "handler"],
    [
      "description that is no text",
      () => tool({ name: "t", description: 1, inputSchema: anything } as never),
      "description",
    ],
    ["instructions that are no lines", () => namedTool("t", [], "line" as never), "array of strings"],
    ["instructions with a number", () => namedTool("t", [], [1] as never), "an array of something else"],
    ["policies that are no array", () => namedTool("t", {} as never), 'tool "t": policies: expected an array'],
    [
      "a policy that is null",
      () => namedTool("t", [null] as never),
      'tool "t": policy 0: expected the result of policy(), received null',
    ],
    ["policies that are none", () => namedTool("t", [{ id: "p" }] as never), "evaluate: expected a function"],
    [
      "a policy without an id",
      () => dynamicToolkit({ name: "d", policies: [{ evaluate: () => true }] as never, create: () => [] }),
      'dynamic toolkit "d": policy 0 id: expected a non-empty string',
    ],
    [
      "a policy with a binding that no wire may hold",
      () =>
        toolkit([], { name: "k", policies: [{ ...policy("p", () => true), executeBinding: "snapshots" }] as never }),
      '"live" or "snapshot"',
    ],
    ["members that are no array", () => toolkit({} as never, { name: "k" }), "members: expected an array"],
    ["null as member", () => toolkit([null as never], { name: "k" }), "member 0"],
    ["a member that only looks like one", () => toolkit([{ ...namedTool("t") }], { name: "k" }), "member 0"],
    ["no schema", () => tool({ name: "t", inputSchema: undefined, handler: () => 1 } as never), "Standard Schema"],
    [
      "plain JSON Schema",
      () => tool({ name: "t", inputSchema: { type: "object" }, handler: () => 1 } as never),
      "jsonSchema(object)",
    ],
    [
      "schema with a broken ~standard",
      () => tool({ name: "t", inputSchema: { "~standard": {} }, handler: () => 1 } as never),
      "jsonSchema(object)",
    ],
    ["JSON Schema that is an array", () => jsonSchema([] as never), "an array"],
    ["JSON Schema that is text", () => jsonSchema("{}" as never), "received {}"],
    ["JSON Schema with a bigint", () => jsonSchema({ maximum: 1n }), "/maximum"],
    ["JSON Schema with a Map", () => jsonSchema({ properties: new Map() }), "/properties"],
  ];
  test.each(refused)("%s", (_name, make, message) => {
    expect(make).toThrow(CapabilityError);
    expect(make).toThrow(message);
  });

  test("toolkits nest 256 levels, not more", () => {
    let kit = toolkit([namedTool("t")], { name: "k" });
    for (let level = 1; level < 256; level++) kit = toolkit([kit], { name: "k" }) as never;
    expect(kit.staticHash).toHaveLength(64);
    expect(() => toolkit([kit], { name: "k" })).toThrow("at most 256 levels");
  });
});

test("null counts as absent", () => {
  const nulls = { description: null, instructions: null as never };
  expect(tool({ name: "t", inputSchema: anything, handler: () => 1, ...nulls }).staticHash).toBe(
    tool({ name: "t", inputSchema: anything, handler: () => 1 }).staticHash,
  );
});

describe("collectToolStaticHashes", () => {
  test("lists nested tools, and not those that dynamic toolkits create", () => {
    const [a, b] = [namedTool("a"), namedTool("b")];
    const dynamic = dynamicToolkit({ name: "d", create: () => [namedTool("c")] });
    const hashes = collectToolStaticHashes(toolkit([b, toolkit([a, b], { name: "in" }), dynamic], { name: "out" }));
    expect([...hashes]).toEqual([
      ["b", b.staticHash],
      ["a", a.staticHash],
    ]);
  });

  test("refuses two definitions of one name", () => {
    const kit = toolkit([namedTool("a"), namedTool("a", [], ["other"])], { name: "k" });
    expect(() => collectToolStaticHashes(kit)).toThrow(
      expect.objectContaining({ code: "duplicate-tool", toolName: "a" }),
    );
  });
});
