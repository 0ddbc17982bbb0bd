import {
  type AgentSpec,
  diffSpecs,
  fingerprintSpec,
  hashSpec,
  SpecError,
  specFingerprintPayload,
} from "@agentprint/drover";
import { toStandardJsonSchema } from "@valibot/to-json-schema";
import { type } from "arktype";
import * as v from "valibot";
import { describe, expect, test } from "vitest";
import { z } from "zod";

const base: AgentSpec = { id: "writer", systemPrompt: "Write." };

describe("a Standard Schema", () => {
  const schema = (inputSchema: unknown): AgentSpec => ({ ...base, inputSchema });

  test.each<[name: string, before: unknown, after: unknown]>([
    ["a bound", z.object({ a: z.string().min(1) }), z.object({ a: z.string().min(2) })],
    ["a pattern", z.object({ a: z.string().regex(/^a/) }), z.object({ a: z.string().regex(/^b/) })],
    ["a format", z.email(), z.url()],
    ["a bound of a format", z.email().max(10), z.email().max(20)],
    ["a description", z.string().describe("one"), z.string().describe("two")],
    [
      "what its transformation gives",
      z.string().transform(Number).pipe(z.number().min(3)),
      z.string().transform(Number).pipe(z.number().min(4)),
    ],
    ["what JSON Schema does not show but JSON does", z.number(), z.coerce.number()],
    ["a bound (ArkType)", type({ a: "string > 3" }), type({ a: "string > 4" })],
    ["a type (ArkType)", type({ a: "string" }), type({ a: "number" })],
    [
      "a bound (valibot)",
      toStandardJsonSchema(v.pipe(v.string(), v.regex(/a/))),
      toStandardJsonSchema(v.pipe(v.string(), v.regex(/b/))),
    ],
  ])("shows a change of %s at any depth", (_name, before, after) => {
    for (const place of [
      (value: unknown) => schema(value),
      (value: unknown) => ({ ...base, tools: [{ name: "read", parameters: value }] }),
      (value: unknown) => ({ ...base, tools: { read: { toJSON: () => ({ parameters: value }) } } }),
      (value: unknown) => ({ ...base, model: { toJSON: () => value } }),
      (value: unknown) => ({
        ...base,
        subagents: new (class Sub {
          output = value;
        })(),
      }),
    ]) {
      expect(fingerprintSpec(place(before)).sha256).toBe(fingerprintSpec(place(before)).sha256);
      expect(fingerprintSpec(place(after)).sha256).not.toBe(fingerprintSpec(place(before)).sha256);
    }
  });

  test("is hashed by its JSON Schemas and what JSON writes of it", () => {
    const payload = specFingerprintPayload(schema(z.string().min(2)));
    expect(payload.inputSchema).toEqual({
      "~standard": {
        input: expect.objectContaining({ type: "string", minLength: 2 }),
        output: expect.objectContaining({ type: "string", minLength: 2 }),
        json: JSON.parse(JSON.stringify(z.string().min(2))),
      },
    });
    const callable = Object.assign(() => 1, { "~standard": z.string()["~standard"] });
    expect(specFingerprintPayload(schema(callable)).inputSchema).not.toHaveProperty("~standard.json");
  });

  test("shows the side that has a JSON Schema", () => {
    const { inputSchema } = specFingerprintPayload(schema(z.string().min(2).transform(Number)));
    expect(inputSchema).toMatchObject({ "~standard": { input: { type: "string", minLength: 2 } } });
    expect(inputSchema).not.toHaveProperty("~standard.output");
  });

  test("has another digest than its JSON Schema in plain JSON", () => {
    const shown = z.toJSONSchema(z.string());
    expect(fingerprintSpec(schema(z.string())).sha256).not.toBe(fingerprintSpec(schema(shown)).sha256);
  });

  test("leaves boxed texts and objects without members as they are", () => {
    const spec = { ...base, tools: [z.string(), Object("ab"), Object(1), new Date(0), {}] };
    expect(specFingerprintPayload(spec).tools).toMatchObject([{}, "ab", 1, "1970-01-01T00:00:00.000Z", {}]);
  });

  test.each<[name: string, schema: unknown]>([
    ["valibot's own", v.object({ a: v.string() })],
    ["one without jsonSchema", { "~standard": { version: 1, vendor: "x", validate: () => ({ value: 1 }) } }],
    ["a function without jsonSchema", Object.assign(() => 1, { "~standard": { version: 1, vendor: "x" } })],
    ["one that JSON Schema cannot show", z.object({ at: z.date() })],
    [
      "one whose JSON Schema throws",
      {
        "~standard": {
          jsonSchema: {
            input: () => {
              throw new Error("no");
            },
          },
        },
      },
    ],
    ["what JSON keeps of a schema", JSON.parse(JSON.stringify(v.string()))],
  ])("is refused where it does not show its JSON Schema: %s", (_name, opaque) => {
    for (const [spec, path] of [
      [schema(opaque), "/inputSchema"],
      [{ ...base, tools: [{ "a/b": opaque }] }, "/tools/0/a~1b"],
      [{ ...base, model: { toJSON: () => ({ x: opaque }) } }, "/model/x"],
    ] as const) {
      const thrown = expect.objectContaining({ name: SpecError.name, code: "opaque-object", path });
      expect(() => fingerprintSpec(spec)).toThrow(thrown);
      expect(hashSpec(spec)).toMatch(/^[0-9a-f]{1,8}$/);
    }
  });

  test("does not hide an object whose content JSON cannot see", () => {
    const spec = { ...base, inputSchema: z.email(), memory: { index: new Map([[1, 2]]) } };
    expect(() => fingerprintSpec(spec)).toThrow(
      expect.objectContaining({ code: "opaque-object", path: "/memory/index" }),
    );
  });

  test("is compared by JSON Pointer, without the changes that its own JSON repeats", () => {
    const [change] = diffSpecs(schema(z.string().min(2)), schema(z.string().min(3))).changes;
    expect(change?.values?.map(({ pointer }) => pointer)).toEqual([
      "/inputSchema/~0standard/input/minLength",
      "/inputSchema/~0standard/output/minLength",
    ]);
    const [coerced] = diffSpecs(schema(z.number()), schema(z.coerce.number())).changes;
    expect(coerced?.values).toMatchObject([{ pointer: "/inputSchema/~0standard/json/def/coerce", after: true }]);
  });
});
