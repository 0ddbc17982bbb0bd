import { type AgentSpec, checkResume, fingerprintSpec, hashSpec, SpecError, specHashPayload } from "@agentprint/drover";
import { describe, expect, test } from "vitest";
import { z } from "zod";

const base: AgentSpec = { id: "writer", systemPrompt: "Write." };
const at = (inputSchema: unknown): AgentSpec => ({ ...base, tools: [{ name: "read", inputSchema }] });
const path = "/tools/0/inputSchema";

const genuine = z.object({ a: z.string() });
const other = z.object({ a: z.string(), key: z.string() });

/** Returns a spec's digest or the code of its refusal; anything other than a typed error fails the test. */
function outcome(spec: AgentSpec): string {
  try {
    return fingerprintSpec(spec).sha256;
  } catch (error) {
    if (error instanceof SpecError) return error.code;
    throw error;
  }
}

async function resume(current: AgentSpec): Promise<string> {
  const run = { agentId: "writer", status: "paused", specHash: "0", specFingerprint: fingerprintSpec(at(genuine)) };
  const storage = { loadRun: async () => run, loadLatestCheckpoint: async () => ({}) };
  const check = await checkResume(current, "run_1", { storage });
  return check.ok ? "ok" : check.error.code;
}

/** Returns a schema whose `~standard` is one schema's for a number of reads and then something else. */
function changing(readings: number, first: unknown, then: () => unknown, isListed = true): object {
  let reads = 0;
  const get = (): unknown => (reads++ < readings ? first : then());
  return Object.defineProperty({}, "~standard", { get, enumerable: isListed });
}

const refuse = (): never => {
  throw new Error("no");
};

describe.each(Array.from({ length: 14 }, (_, reading) => reading))("after %i readings of its ~standard", (readings) => {
  const standard = genuine["~standard"];

  test.each<[name: string, then: () => unknown]>([
    ["throws", refuse],
    ["is gone", () => undefined],
    ["is null", () => null],
    ["has no jsonSchema", () => ({ version: 1, vendor: "zod" })],
    ["belongs to another schema", () => other["~standard"]],
    ["shows an input that throws", () => ({ ...standard, jsonSchema: { input: refuse, output: refuse } })],
  ])("a schema that then %s is hashed consistently, or refused", (_name, then) => {
    const hidden = [genuine, other].map((schema) => changing(0, undefined, () => schema["~standard"], false));
    const whole = [genuine, other, ...hidden, {}, { "~standard": null }].map((schema) => outcome(at(schema)));
    for (const isListed of [true, false]) {
      const found = outcome(at(changing(readings, standard, then, isListed)));
      expect([...whole, "unstable-schema", "opaque-object", "unreadable"]).toContain(found);
    }
  });

  test("an object that only then becomes a schema is not hashed as one", async () => {
    const written = { input: z.toJSONSchema(genuine, { io: "input" }), output: z.toJSONSchema(genuine) };
    for (const then of [() => standard, () => written]) {
      for (const isListed of [true, false]) {
        const late = changing(Math.max(readings, 1), undefined, then, isListed);
        expect(outcome(at(late))).not.toBe(outcome(at(genuine)));
        const again = changing(Math.max(readings, 1), undefined, then, isListed);
        expect(await resume(at(again))).not.toBe("ok");
      }
    }
  });
});

describe("a proxy of a schema", () => {
  test("is hashed as the schema", async () => {
    const proxy = new Proxy(genuine, {});
    expect(fingerprintSpec(at(proxy))).toEqual(fingerprintSpec(at(genuine)));
    expect(await resume(at(proxy))).toBe("ok");
  });

  test.each<[name: string, handler: ProxyHandler<typeof genuine>]>([
    ["get", { get: refuse }],
    ["has", { has: refuse }],
    ["ownKeys", { ownKeys: refuse }],
    ["getPrototypeOf", { getPrototypeOf: refuse }],
    ["getOwnPropertyDescriptor", { getOwnPropertyDescriptor: refuse }],
    ["apply", { apply: refuse }],
  ])("whose trap %s throws is hashed as the schema or refused", async (_name, handler) => {
    const spec = at(new Proxy(genuine, handler));
    expect([outcome(at(genuine)), "opaque-object", "unreadable"]).toContain(outcome(spec));
    expect(["ok", "spec-unhashable"]).toContain(await resume(spec));
  });

  test("that is revoked is refused", async () => {
    const { proxy, revoke } = Proxy.revocable(genuine, {});
    revoke();
    expect(outcome(at(proxy))).toBe("unreadable");
    expect(await resume(at(proxy))).toBe("spec-unhashable");
  });
});

/** Returns a library's schema that gives these results. */
function answering(input: unknown, more: object = {}): object {
  return { "~standard": { version: 1, vendor: "x", jsonSchema: { input, output: input } }, ...more };
}

function cyclic(): object {
  const schema: { not?: object } = {};
  schema.not = schema;
  return schema;
}

test.each<[name: string, schema: unknown, code: string]>([
  ["without jsonSchema", { "~standard": { version: 1, vendor: "x" } }, "opaque-object"],
  ["whose jsonSchema is null", { "~standard": { jsonSchema: null } }, "opaque-object"],
  ["whose jsonSchema is a function", { "~standard": { jsonSchema: () => ({}) } }, "opaque-object"],
  ["whose input is no function", answering({ type: "string" }), "opaque-object"],
  ["that answers a promise", answering(async () => ({})), "opaque-object"],
  ["that answers a promise that is rejected", answering(async () => refuse()), "opaque-object"],
  ["that answers a list", answering(() => []), "opaque-object"],
  ["that answers a cycle", answering(cyclic), "opaque-object"],
  ["that answers a bigint", answering(() => ({ minimum: 1n })), "opaque-object"],
  ["that answers a Map", answering(() => new Map([["type", "string"]])), "opaque-object"],
  ["that counts", ((count) => answering(() => ({ minimum: count++ })))(0), "unstable-schema"],
  ["whose object has a bigint", answering(() => ({}), { limit: 1n }), "bigint"],
  ["whose toJSON throws", answering(() => ({}), { toJSON: refuse }), "unreadable"],
  ["of ten thousand levels", nested(10_000), "opaque-object"],
])("a schema %s is refused with its place", async (_name, schema, code) => {
  expect(outcome(at(schema))).toBe(code);
  expect(await resume(at(schema))).toBe("spec-unhashable");
});

function nested(levels: number): z.ZodType {
  let schema: z.ZodType = z.string();
  for (let level = 0; level < levels; level++) schema = z.array(schema);
  return schema;
}

test("a JSON Schema of a hundred thousand levels is hashed", () => {
  let deep: unknown = true;
  for (let level = 0; level < 100_000; level++) deep = { not: deep };
  expect(outcome(at(answering(() => deep)))).toHaveLength(64);
});

describe("a cycle outside of a schema stays refused", () => {
  const recursive = z.object({
    get kids() {
      return z.array(recursive);
    },
  }) as z.ZodType;

  test.each<[name: string, spec: AgentSpec, path: string]>([
    ["of plain objects", { ...base, memory: cyclic() }, "/memory/not"],
    ["next to a schema that refers to itself", { ...at(recursive), memory: cyclic() }, "/memory/not"],
    ["in what a toJSON returns", { ...base, memory: { toJSON: cyclic } }, "/memory/not"],
  ])("%s", (_name, spec, place) => {
    const cycle = expect.objectContaining({ name: "SpecError", code: "cycle" });
    for (const hash of [fingerprintSpec, hashSpec, specHashPayload]) expect(() => hash(spec)).toThrow(cycle);
    expect(() => fingerprintSpec(spec)).toThrow(expect.objectContaining({ path: place }));
  });

  test("of a schema that shows no JSON Schema", () => {
    const schema = { "~standard": { version: 1, vendor: "x" }, self: {} };
    schema.self = schema;
    expect(() => hashSpec(at(schema))).toThrow(expect.objectContaining({ code: "cycle", path: `${path}/self` }));
    expect(outcome(at(schema))).toBe("opaque-object");
  });
});

test("the text of the 32-bit hash is JSON.stringify's if it has one", () => {
  for (const schema of [genuine, z.lazy(() => genuine), z.coerce.number(), z.string().transform(Number)]) {
    const expected = JSON.stringify({
      id: "writer",
      tools: [{ name: "read", inputSchema: schema }],
      systemPrompt: "Write.",
      quota: null,
      pluginIds: [],
      memory: null,
      instructionFiles: null,
      promptTemplate: null,
    });
    expect(specHashPayload(at(schema))).toBe(expected);
  }
});
