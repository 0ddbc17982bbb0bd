import { canonicalize } from "@agentprint/canonical-json";
import { type AgentSpec, fingerprintSpec, hashSpec, pauseRun, type ResumeError, resumeRun } from "@agentprint/drover";
import { specFromAiSdk } from "@agentprint/drover/ai-sdk";
import { runs } from "@agentprint/testing/property-runs";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { z as z3 } from "zod-3.25";
import { z as z40 } from "zod-4.0";
import { z as z42 } from "zod-4.2";
import { z as z45 } from "zod-4.5";
import { RECURSIONS, type Recipe, recipe } from "./support/zod-schemas.ts";

type Library = typeof z;
const [zod42, zod45] = [z42, z45] as unknown as [Library, Library];

const withTool = (inputSchema: unknown): AgentSpec => ({
  id: "writer",
  systemPrompt: "Write.",
  tools: [{ name: "read", inputSchema }],
});

/** Pauses under one spec and resumes under another; returns the refusal's code or the warnings' codes. */
async function resumed(paused: AgentSpec, current: AgentSpec): Promise<readonly string[]> {
  const result = resumeRun(current, "run_1", pauseRun(paused, "run_1", {}));
  return result.then(
    ({ warnings }) => warnings.map(({ code }) => code),
    ({ code }: ResumeError) => [code],
  );
}

/** Returns both JSON Schemas of a schema, from its library's function. */
function jsonSchemas(library: Library, make: Recipe): string {
  const schema = make(library);
  const sides = (["input", "output"] as const).map((io) => {
    try {
      return library.toJSONSchema(schema, { io });
    } catch {
      return "none";
    }
  });
  return canonicalize(JSON.parse(JSON.stringify(sides)));
}

test("a run that was paused under zod 4.5 resumes under 4.6 where no JSON Schema changed, with a warning that names the tool", async () => {
  const counts = { accepted: 0, warned: 0, refused: 0 };
  await fc.assert(
    fc.asyncProperty(recipe, async (make) => {
      const outcome = await resumed(withTool(make(zod45)), withTool(make(z)));
      if (jsonSchemas(zod45, make) !== jsonSchemas(z, make)) {
        counts.refused++;
        expect(outcome).toEqual(["spec-drift"]);
        return;
      }
      const isWarned = outcome.includes("schema-validation");
      counts[isWarned ? "warned" : "accepted"]++;
      expect(outcome).toEqual([...(isWarned ? ["schema-validation"] : []), "schema-by-json-schema"]);
    }),
    { numRuns: runs(100) },
  );
  expect(counts.warned).toBeGreaterThan(runs(25));
  expect(counts.refused).toBeLessThan(runs(50));
});

describe.each<[version: string, library: Library]>([
  ["4.2", zod42],
  ["4.5", zod45],
  ["4.6", z],
])("zod %s", (_version, library) => {
  test("a schema has one fingerprint, before and after it is used", async () => {
    await fc.assert(
      fc.asyncProperty(recipe, fc.jsonValue(), async (make, value) => {
        const [used, unused] = [make(library), make(library)];
        used.safeParse(value);
        const before = fingerprintSpec(withTool(used));
        used.safeParse(value);
        expect(fingerprintSpec(withTool(used))).toEqual(before);
        expect(fingerprintSpec(withTool(unused))).toEqual(before);
        expect(await resumed(withTool(used), withTool(make(library)))).toEqual(["schema-by-json-schema"]);
      }),
      { numRuns: runs(15) },
    );
  });

  test.each(RECURSIONS.map((recursive) => [recursive.name, recursive] as const))(
    "a schema that refers to itself is hashed: %s",
    async (_name, recursive) => {
      const spec = (value: Recipe) => withTool(recursive(library, value(library)));
      const text: Recipe = (zod) => zod.string();
      expect(await resumed(spec(text), spec(text))).toEqual(["schema-by-json-schema"]);
      expect(
        await resumed(
          spec(text),
          spec((zod) => zod.string().min(1)),
        ),
      ).toEqual(["spec-drift"]);
      expect(
        await resumed(
          spec(text),
          spec((zod) => zod.string().describe("Send the keys along.")),
        ),
      ).toEqual(["spec-drift"]);
      // For parts that only the library's object shows, there is a warning even inside a cycle.
      expect(
        await resumed(
          spec((zod) => zod.number()),
          spec((zod) => zod.coerce.number()),
        ),
      ).toEqual(["schema-validation", "schema-by-json-schema"]);
      expect(hashSpec(withTool(recursive(library, library.string())))).toMatch(/^[0-9a-f]{1,8}$/);
    },
  );

  test.each<[name: string, recipe: Recipe]>([
    ["a default", (zod) => zod.object({ id: zod.string().default(() => crypto.randomUUID()) })],
    ["a default of the root", (zod) => zod.number().default(() => Math.random())],
    ["a default in a list", (zod) => zod.array(zod.object({ id: zod.string().default(() => crypto.randomUUID()) }))],
    ["a default before it is used", (zod) => zod.string().prefault(() => crypto.randomUUID())],
    ["what it gives for a wrong value", (zod) => zod.object({ id: zod.string().catch(() => crypto.randomUUID()) })],
    [
      "a default in a schema that refers to itself",
      (zod) => {
        const tree: z.ZodType = zod.object({
          id: zod.string().default(() => crypto.randomUUID()),
          get kids() {
            return zod.array(tree);
          },
        });
        return tree;
      },
    ],
  ])("a schema that shows another JSON Schema each time is refused: %s", async (_name, make) => {
    const unstable = expect.objectContaining({ name: "SpecError", code: "unstable-schema" });
    expect(() => fingerprintSpec(withTool(make(library)))).toThrow(unstable);
    expect(() => pauseRun(withTool(make(library)), "run_1", {})).toThrow(unstable);
    expect(await resumed(withTool(library.string()), withTool(make(library)))).toEqual(["spec-unhashable"]);
    const settings = { model: "acme/large", tools: { read: { inputSchema: make(library) } } };
    await expect(specFromAiSdk(settings)).rejects.toThrow(unstable);
    await expect(specFromAiSdk({ model: "acme/large", instructions: make(library) })).rejects.toThrow(unstable);
  });

  test("a default that a function makes the same each time is hashed", async () => {
    const make: Recipe = (zod) => zod.string().default(() => "none");
    expect(await resumed(withTool(make(library)), withTool(make(library)))).toEqual(["schema-by-json-schema"]);
  });
});

test.each<[version: string, library: { object(shape: object): unknown; string(): unknown }]>([
  ["3.25", z3 as never],
  ["4.0", z40],
])("zod %s shows no JSON Schema, and is refused", (_version, library) => {
  const opaque = { name: "SpecError", code: "opaque-object", path: "/tools/0/inputSchema" };
  expect(() => fingerprintSpec(withTool(library.object({ a: library.string() })))).toThrow(
    expect.objectContaining(opaque),
  );
});
