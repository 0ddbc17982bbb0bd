import { canonicalize, parseCanonical, sha256Hex } from "@agentprint/canonical-json";
import {
  type AgentSpec,
  checkResume,
  diffSpecs,
  fingerprintSpec,
  hashSpec,
  specFingerprintPayload,
  specHashPayload,
} from "@agentprint/drover";
import { runs } from "@agentprint/testing/property-runs";
import { toStandardJsonSchema } from "@valibot/to-json-schema";
import { type } from "arktype";
import fc from "fast-check";
import * as v from "valibot";
import { describe, expect, test } from "vitest";
import { z } from "zod";

const base: AgentSpec = { id: "writer", systemPrompt: "Write." };

/** Returns the same JSON with sorted keys, in a separate implementation. */
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return entries.map(([key, member]) => [key, sorted(member)]);
}

const withoutOrder = (text: string): string => JSON.stringify(sorted(JSON.parse(text)));

/** Values that JSON writes as other values. */
const anyValue = fc.letrec<{ value: unknown; leaf: unknown }>((tie) => ({
  leaf: fc.oneof(
    fc.jsonValue({ maxDepth: 1 }),
    fc.constantFrom<unknown>(undefined, Number.NaN, Number.POSITIVE_INFINITY, -0, () => 1, Symbol("s")),
    fc.string().map((text) => Object(text)),
    fc.integer().map((number) => Object(number)),
    fc.date({ noInvalidDate: false }),
    fc.constantFrom<unknown>(
      type({ a: "string" }),
      type({ a: "number" }),
      type("string > 3"),
      z.object({ a: z.string() }),
      z.object({ a: z.string().min(3) }),
      z.coerce.number(),
      z.number(),
      z.email(),
      toStandardJsonSchema(v.pipe(v.string(), v.minLength(2))),
    ),
  ),
  value: fc.oneof(
    { maxDepth: 3, depthIdentifier: "value" },
    tie("leaf"),
    fc.array(tie("value"), { maxLength: 3 }),
    fc.dictionary(fc.constantFrom("a", "b", "1", "__proto__", "type"), tie("value"), { maxKeys: 3 }),
    tie("value").map((json) => ({ toJSON: () => json })),
    tie("value").map((json) => Object.assign(() => 1, { toJSON: () => json })),
    tie("value").map((member) => Object.assign(() => 1, { member })),
    fc.string().map((name) => ({ toJSON: (key: string) => [key, name] })),
  ),
}));

const anySpec = fc.record(
  {
    id: fc.constantFrom("a", "b"),
    systemPrompt: fc.constantFrom("p", "q"),
    tools: anyValue.value,
    inputSchema: anyValue.value,
    outputSchema: anyValue.value,
    quota: anyValue.value,
    model: anyValue.value,
  },
  { requiredKeys: ["id", "systemPrompt"] },
) as fc.Arbitrary<AgentSpec>;

/** Returns whether JSON does not see the content of some value, such as a Date that a toJSON returns. */
function isRefused(...specs: AgentSpec[]): boolean {
  try {
    for (const spec of specs) fingerprintSpec(spec);
    return false;
  } catch (error) {
    expect(error).toMatchObject({ name: "SpecError", code: "opaque-object" });
    return true;
  }
}

/** Returns the first digest and the schemas' second digests. */
const digests = (spec: AgentSpec): object => {
  const { sha256, schemas } = fingerprintSpec(spec);
  return { sha256, schemas };
};

describe("the strong fingerprint is never weaker than the 32-bit hash", () => {
  test("payloads that differ in more than the order of keys have different fingerprints", () => {
    let compared = 0;
    fc.assert(
      fc.property(anySpec, anySpec, fc.constantFrom("tools", "inputSchema", "quota", "model"), (one, two, field) => {
        // Near misses: one field of the second spec is put into the first.
        for (const [before, after] of [
          [one, two],
          [one, { ...one, [field]: two[field as "tools"] }],
        ] as const) {
          if (isRefused(before, after)) continue;
          const differ = withoutOrder(specHashPayload(before)) !== withoutOrder(specHashPayload(after));
          if (differ) compared++;
          if (differ) expect(digests(after)).not.toEqual(digests(before));
        }
      }),
      { numRuns: runs(100) },
    );
    expect(compared).toBeGreaterThan(runs(25));
  });

  test("a schema and a value whose toJSON returns the schema differ where JSON writes them differently", () => {
    const schema = type({ a: "string" });
    const [before, after] = [
      { ...base, model: schema },
      { ...base, model: { toJSON: () => schema } },
    ] as unknown as AgentSpec[];
    expect(specHashPayload(after as AgentSpec)).not.toBe(specHashPayload(before as AgentSpec));
    expect(digests(after as AgentSpec)).not.toEqual(digests(before as AgentSpec));
  });

  test("the fields name what differs", () => {
    fc.assert(
      fc.property(anySpec, anySpec, (one, two) => {
        fc.pre(!isRefused(one, two));
        const { changes, drifted } = diffSpecs(one, two);
        expect(drifted).toBe(changes.length > 0);
        const [before, after] = [fingerprintSpec(one), fingerprintSpec(two)];
        expect(before.sha256 === after.sha256).toBe(!drifted);
        for (const { field } of changes) expect(before.fields[field]).not.toBe(after.fields[field]);
      }),
      { numRuns: runs(100) },
    );
  });

  test("a resume that is accepted without a warning has an equal spec", async () => {
    let accepted = 0;
    const value = fc.oneof(
      { arbitrary: fc.jsonValue({ maxDepth: 1 }), weight: 2 },
      { arbitrary: anyValue.value, weight: 1 },
    );
    const property = fc.asyncProperty(value, value, fc.boolean(), async (before, after, isSame) => {
      const one: AgentSpec = { ...base, quota: before };
      const current: AgentSpec = { ...base, quota: isSame ? before : after };
      fc.pre(!isRefused(one, current));
      const run = { agentId: one.id, status: "paused", specHash: "", specFingerprint: fingerprintSpec(one) };
      const storage = { loadRun: async () => run, loadLatestCheckpoint: async () => ({}) };
      const result = await checkResume(current, "run_1", { storage });
      if (!result.ok || result.warnings.length > 0) return;
      accepted++;
      expect({ ...current, quota: current.quota ?? null }).toEqual({ ...one, quota: one.quota ?? null });
    });
    await fc.assert(property, { numRuns: runs(100) });
    expect(accepted).toBeGreaterThan(runs(5));
  });

  test("of plain JSON it is SHA-256 of the sorted 32-bit payload", () => {
    const anyJson = fc.record({
      id: fc.string(),
      systemPrompt: fc.string(),
      tools: fc.jsonValue(),
      memory: fc.jsonValue(),
    });
    fc.assert(
      fc.property(anyJson, (spec) => {
        const text = canonicalize(parseCanonical(canonicalize(JSON.parse(specHashPayload(spec)))));
        expect(fingerprintSpec(spec).sha256).toBe(sha256Hex(text));
      }),
    );
  });
});

describe("a spec that fails to be read", () => {
  const refuse = () => {
    throw new Error("no");
  };
  const hidden = new Proxy({ a: 1 }, { getPrototypeOf: refuse });
  const later = (reads: number) => ({
    get model() {
      if (reads-- === 0) refuse();
      return 1;
    },
  });

  test.each<[name: string, spec: unknown]>([
    ["a prototype that throws", { ...base, model: hidden }],
    ["a spec whose prototype throws", new Proxy({ ...base }, { getPrototypeOf: refuse })],
    ["a getter that throws the second time", { ...base, tools: later(1) }],
    ["a schema whose ~standard throws", { ...base, tools: [Object.defineProperty({}, "~standard", { get: refuse })] }],
  ])("is refused with a typed error: %s", async (_name, spec) => {
    expect(() => fingerprintSpec(spec as AgentSpec)).toThrow(
      expect.objectContaining({ name: "SpecError", code: "unreadable" }),
    );
    const run = { agentId: "writer", status: "paused", specHash: "0", specFingerprint: fingerprintSpec(base) };
    const storage = { loadRun: async () => run, loadLatestCheckpoint: async () => ({}) };
    const result = await checkResume(spec as AgentSpec, "run_1", { storage });
    expect(result).toMatchObject({ ok: false, error: { name: "ResumeError" } });
  });

  test("has no payload", () => {
    const spec = { ...base, model: hidden };
    expect(() => specFingerprintPayload(spec)).toThrow(
      expect.objectContaining({ name: "SpecError", code: "unreadable" }),
    );
  });
});

describe("a callable with toJSON", () => {
  const withSchema = (inputSchema: unknown): AgentSpec => ({ ...base, inputSchema });

  test("is hashed: an ArkType schema at the top of a field", () => {
    const [text, number] = [withSchema(type({ a: "string" })), withSchema(type({ a: "number" }))];
    expect(hashSpec(text)).not.toBe(hashSpec(number));
    expect(diffSpecs(text, number)).toMatchObject({
      drifted: true,
      changes: [{ field: "inputSchema", kind: "changed" }],
    });
    expect(diffSpecs(base, text).changes).toMatchObject([{ field: "inputSchema", kind: "added" }]);
  });

  test.each(["tools", "model", "quota", "memory", "outputSchema"] as const)("is hashed in %s", (field) => {
    const value = (json: unknown) => Object.assign(() => 1, { toJSON: () => json });
    const [one, two] = [1, 2].map((json) => fingerprintSpec({ ...base, [field]: value(json) }));
    expect(one?.fields[field]).toBe(sha256Hex("1"));
    expect(two?.fields[field]).toBe(sha256Hex("2"));
  });

  test("that returns undefined is omitted, as JSON.stringify omits it", () => {
    for (const absent of [{ toJSON: () => undefined }, Object.assign(() => 1, { toJSON: () => undefined })]) {
      expect(specHashPayload({ ...base, model: absent })).toBe(specHashPayload(base));
      expect(fingerprintSpec({ ...base, model: absent })).toMatchObject({
        sha256: fingerprintSpec(base).sha256,
        fields: fingerprintSpec(base).fields,
      });
      expect(fingerprintSpec({ ...base, tools: [absent] }).fields.tools).toBe(sha256Hex("[null]"));
    }
  });

  test("receives the key that JSON.stringify passes, once", () => {
    const asked = { toJSON: (key: string) => ({ key, toJSON: () => "again" }) };
    expect(specFingerprintPayload({ ...base, model: asked, tools: [asked] })).toMatchObject(
      JSON.parse(specHashPayload({ ...base, model: asked, tools: [asked] })),
    );
  });
});
