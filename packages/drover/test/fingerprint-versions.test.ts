import { canonicalize, sha256Hex } from "@agentprint/canonical-json";
import {
  type AgentSpec,
  checkResume,
  diffSpecs,
  FINGERPRINT_VERSION,
  fingerprintSpec,
  hashSpec,
  type SpecFingerprint,
} from "@agentprint/drover";
import { type } from "arktype";
import * as v from "valibot";
import { describe, expect, test } from "vitest";
import { z } from "zod";

const base: AgentSpec = { id: "writer", systemPrompt: "Write." };
const absent = { instructionFiles: null, memory: null, pluginIds: [], promptTemplate: null, quota: null };

/**
 * Returns a fingerprint by the first rule: SHA-256 of the canonical text of the fields that the rule covered, and no
 * version.
 */
function recordedBefore(spec: AgentSpec, seen: Readonly<Record<string, unknown>>): SpecFingerprint {
  const payload = { id: spec.id, systemPrompt: spec.systemPrompt, ...absent, ...seen };
  const digest = (value: unknown) => sha256Hex(canonicalize(value));
  const fields = Object.fromEntries(Object.entries(payload).map(([field, value]) => [field, digest(value)]));
  return { spec32: hashSpec(spec), sha256: digest(payload), fields, warnings: [] };
}

async function resume(spec: AgentSpec, recorded: unknown) {
  const run = { agentId: "writer", status: "paused", specHash: "0", specFingerprint: recorded as SpecFingerprint };
  const storage = { loadRun: async () => run, loadLatestCheckpoint: async () => ({}) };
  const result = await checkResume(spec, "run_1", { storage });
  return result.ok
    ? { code: "ok" }
    : { code: result.error.code, fields: result.error.fields, message: result.error.message };
}

test("a fingerprint has its version", () => {
  expect(FINGERPRINT_VERSION).toBe(3);
  expect(fingerprintSpec(base).version).toBe(3);
  expect(JSON.parse(JSON.stringify(fingerprintSpec(base))).version).toBe(3);
});

describe("a fingerprint without a version", () => {
  const callable = { ...base, inputSchema: type({ a: "string" }) };
  const zod = { ...base, inputSchema: z.object({ a: z.string().min(1) }) };
  const zodAsJson = JSON.parse(JSON.stringify(zod.inputSchema));

  test("of plain JSON is compared as before", async () => {
    const spec = { ...base, tools: ["read"], model: { b: 1, a: 2 } };
    const recorded = recordedBefore(spec, { tools: ["read"], model: { a: 2, b: 1 } });
    expect(recorded).toMatchObject({ sha256: fingerprintSpec(spec).sha256, fields: fingerprintSpec(spec).fields });
    expect(await resume(spec, recorded)).toEqual({ code: "ok" });
    expect(await resume({ ...spec, model: { b: 1, a: 2 } }, recorded)).toEqual({ code: "ok" });
    expect(await resume({ ...spec, tools: [], skills: [] }, recorded)).toMatchObject({
      code: "spec-drift",
      fields: ["tools", "skills"],
    });
    expect(await resume(base, recorded)).toMatchObject({ code: "spec-drift", fields: ["tools", "model"] });
    expect(await resume(spec, { ...recorded, version: 1 })).toEqual({ code: "ok" });
  });

  test.each<[name: string, spec: AgentSpec, recorded: SpecFingerprint]>([
    ["a callable schema, which was left out", callable, recordedBefore(callable, {})],
    ["another callable schema", callable, recordedBefore({ ...base, inputSchema: type("number") }, {})],
    ["a schema of which only the JSON was hashed", zod, recordedBefore(zod, { inputSchema: zodAsJson })],
    ["another schema", { ...base, inputSchema: z.email() }, recordedBefore(zod, { inputSchema: zodAsJson })],
    [
      "the JSON of a callable schema",
      { ...base, inputSchema: JSON.parse(JSON.stringify(callable.inputSchema)) },
      recordedBefore(callable, {}),
    ],
  ])("cannot tell whether a field changed: %s", async (_name, spec, recorded) => {
    const outcome = await resume(spec, recorded);
    expect(outcome).toMatchObject({ code: "spec-undecided", fields: ["inputSchema"] });
    expect(outcome.message).toBe(
      'cannot tell whether agent "writer" drifted: the fingerprint of run run_1 is of version 1, which hashes some fields ' +
        "otherwise than version 3. Undecided fields: inputSchema.",
    );
    expect(diffSpecs(recorded, spec)).toMatchObject({ drifted: "unknown", changes: [], undecided: ["inputSchema"] });
  });

  test("cannot tell whether a schema changed that the first rule hashed and the present one refuses", async () => {
    const opaque = { ...base, inputSchema: v.object({ a: v.string() }) };
    const recorded = recordedBefore(opaque, { inputSchema: JSON.parse(JSON.stringify(opaque.inputSchema)) });
    expect(await resume(opaque, recorded)).toMatchObject({ code: "spec-undecided", fields: ["inputSchema"] });
    expect(await resume(opaque, { ...recorded, version: 2 })).toMatchObject({ code: "spec-unhashable" });
    const plugged = { ...base, plugins: [{ id: opaque.inputSchema as never }] };
    expect(await resume(plugged, recorded)).toMatchObject({ code: "spec-undecided", fields: ["pluginIds"] });
    for (const unreadable of [{ memory: new Map() }, { memory: 1n }]) {
      expect(await resume({ ...base, ...unreadable }, recorded)).toMatchObject({ code: "spec-unhashable" });
    }
  });

  test("reports a drift in other fields", async () => {
    const recorded = recordedBefore(callable, {});
    const edited = { ...callable, systemPrompt: "Edited.", tools: ["read"] };
    expect(await resume(edited, recorded)).toMatchObject({
      code: "spec-drift",
      fields: ["tools", "systemPrompt"],
      message: expect.stringMatching(/ Changed fields: tools, systemPrompt\. Undecided fields: inputSchema\.$/),
    });
    expect(diffSpecs(recorded, edited)).toMatchObject({ drifted: true, undecided: ["inputSchema"] });
  });

  test("cannot tell whether parts changed that adapters described differently then", async () => {
    const unseen = [{ path: "/tools/0", message: "a function is hashed by its name" }];
    const spec = { ...base, model: { id: "large", agent: {} }, unseen };
    const recorded = recordedBefore(spec, { model: { id: "large" } });
    expect(await resume(spec, recorded)).toMatchObject({ code: "spec-undecided", fields: ["model"] });
    expect(await resume({ ...spec, systemPrompt: "Edited." }, recorded)).toMatchObject({
      code: "spec-drift",
      fields: ["systemPrompt"],
    });
    expect(await resume(spec, recordedBefore(spec, { model: spec.model }))).toEqual({ code: "ok" });
  });

  test("of a prompt function is compared as before", async () => {
    const spec: AgentSpec = { id: "writer", systemPrompt: () => "x" };
    const recorded = recordedBefore(spec, { systemPrompt: { function: '() => "x"' } });
    expect(await resume(spec, recorded)).toEqual({ code: "ok" });
    expect(await resume({ ...spec, systemPrompt: () => "y" }, recorded)).toMatchObject({ fields: ["systemPrompt"] });
  });

  test("may have a field with the name of an inherited member", async () => {
    const recorded = recordedBefore(base, { toString: 1 });
    expect(await resume(base, recorded)).toMatchObject({ code: "spec-drift", fields: ["toString"] });
    expect(diffSpecs(recorded, base).changes).toEqual([{ field: "toString", kind: "removed" }]);
  });
});

describe("a fingerprint with a version", () => {
  const schema = { ...base, inputSchema: type({ a: "string" }) };

  test("of this rule decides whether a schema changed", async () => {
    expect(await resume(schema, fingerprintSpec(schema))).toEqual({ code: "ok" });
    expect(await resume({ ...base, inputSchema: type({ a: "number" }) }, fingerprintSpec(schema))).toMatchObject({
      code: "spec-drift",
      fields: ["inputSchema"],
    });
  });

  /**
   * Returns a fingerprint by the second rule, which for a schema also hashed the JSON that the library writes and had
   * no second digest.
   */
  function recordedByRule2(spec: AgentSpec, seen: Readonly<Record<string, unknown>>): SpecFingerprint {
    return { ...recordedBefore(spec, seen), version: 2 };
  }
  const json = (inputSchema: unknown) => ({
    "~standard": { input: {}, output: {}, json: JSON.parse(JSON.stringify(inputSchema)) },
  });

  test("of the second rule is compared where both rules hash alike", async () => {
    const spec = { ...base, tools: ["read"] };
    expect(await resume(spec, recordedByRule2(spec, { tools: ["read"] }))).toEqual({ code: "ok" });
    const edited = { ...spec, tools: [], systemPrompt: "Edited." };
    expect(await resume(edited, recordedByRule2(spec, { tools: ["read"] }))).toMatchObject({
      code: "spec-drift",
      fields: ["tools", "systemPrompt"],
    });
  });

  test("of the second rule cannot tell whether a schema changed", async () => {
    for (const inputSchema of [schema.inputSchema, z.object({ a: z.string() })]) {
      const spec = { ...base, inputSchema };
      const recorded = recordedByRule2(spec, { inputSchema: json(inputSchema) });
      const outcome = await resume(spec, recorded);
      expect(outcome).toMatchObject({ code: "spec-undecided", fields: ["inputSchema"] });
      expect(outcome.message).toContain("is of version 2, which hashes some fields otherwise than version 3. ");
      expect(diffSpecs(recorded, spec)).toMatchObject({ drifted: "unknown", undecided: ["inputSchema"] });
      expect(await resume({ ...spec, systemPrompt: "Edited." }, recorded)).toMatchObject({
        code: "spec-drift",
        fields: ["systemPrompt"],
      });
    }
  });

  test("of the second rule detects a schema that was added, removed or replaced by JSON Schema", async () => {
    const recorded = recordedByRule2(schema, { inputSchema: json(schema.inputSchema) });
    expect(await resume(base, recorded)).toMatchObject({ code: "spec-drift", fields: ["inputSchema"] });
    expect(await resume(schema, recordedByRule2(base, {}))).toMatchObject({
      code: "spec-drift",
      fields: ["inputSchema"],
    });
    expect(await resume({ ...base, inputSchema: { type: "object" } }, recorded)).toMatchObject({
      code: "spec-drift",
      fields: ["inputSchema"],
    });
  });

  test("of the second rule has no valid second digests", async () => {
    const spec = { ...base, tools: ["read"] };
    const recorded = { ...recordedByRule2(spec, { tools: ["read"] }), schemas: "none" };
    expect(await resume(spec, recorded)).toEqual({ code: "ok" });
  });

  test("of a later rule cannot tell whether any field changed", async () => {
    const later = { ...fingerprintSpec(base), version: 4 };
    const fields = Object.keys(later.fields);
    expect(await resume(base, later)).toMatchObject({
      code: "spec-undecided",
      fields,
      message: expect.stringContaining("is of version 4, "),
    });
    expect(diffSpecs(later, base)).toMatchObject({ drifted: "unknown", undecided: fields });
  });

  test.each([["2"], [0], [-1], [1.5], [null], [2 ** 53], [Number.NaN]])(
    "that is not a version is malformed: %s",
    async (version) => {
      const recorded = { ...fingerprintSpec(base), version };
      expect(await resume(base, recorded)).toMatchObject({ code: "malformed-fingerprint" });
      expect(() => diffSpecs(recorded as SpecFingerprint, base)).toThrow(
        expect.objectContaining({ code: "invalid-spec" }),
      );
    },
  );

  test("does not become comparable if its version is removed", async () => {
    const { version: _version, ...stripped } = fingerprintSpec(schema);
    expect(await resume({ ...base, inputSchema: type({ a: "number" }) }, stripped)).toMatchObject({
      code: "spec-undecided",
      fields: ["inputSchema"],
    });
  });
});
