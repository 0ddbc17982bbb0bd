import { describe, expect, test } from "vitest";
import { z } from "zod";
import {
  computeRuntimeCapabilitiesFromEvaluation,
  evaluateComposable,
  hashToolSpecStatic,
  hydrateToolSpec,
  type StandardSchema,
  schemaToHashInput,
  type Tool,
  tool,
  toolSpecCanonicalPayload,
  toolSpecToWire,
} from "../src/index.ts";

const standard = {
  vendor: "lib",
  version: 1,
  validate: (value: unknown) => ({ value }),
} as StandardSchema["~standard"];
const LATEST = 10;

/** Everything that reads a schema; each returns its digest. */
const READERS: readonly ((made: Tool) => unknown)[] = [
  (made) => made.staticHash,
  (made) => hashToolSpecStatic(made),
  (made) => hashToolSpecStatic(hydrateToolSpec(JSON.parse(JSON.stringify(toolSpecToWire(made))))),
  (made) => hashToolSpecStatic(hydrateToolSpec(toolSpecToWire(made))),
  async (made) => {
    const { toolRefs } = computeRuntimeCapabilitiesFromEvaluation(await evaluateComposable(made, { env: {} }));
    return toolRefs[0]?.toolHash;
  },
  (made) => made.staticHash,
];

/** Returns the digests and error codes that result from reading a tool with this schema. */
async function outcomes(inputSchema: StandardSchema): Promise<Set<unknown>> {
  const made = tool({ name: "t", inputSchema, handler: () => 1 });
  const found = new Set<unknown>();
  for (const read of READERS) {
    try {
      found.add(await read(made));
    } catch (error) {
      found.add((error as { code: unknown }).code);
    }
  }
  return found;
}

/** Returns a function that gives `string` for the first `after` readings, then `number`. */
function changing(after: number): () => string {
  let readings = 0;
  return () => (readings++ < after ? "string" : "number");
}

const DIGESTS = ["string", "number"].map(
  (type) => tool({ name: "t", inputSchema: schemaOf(() => ({ type })), handler: () => 1 }).staticHash,
);

function schemaOf(toJSONSchema: () => unknown): StandardSchema {
  return { "~standard": standard, toJSONSchema } as StandardSchema;
}

describe.each(Array.from({ length: LATEST }, (_, index) => index + 1))(
  "a schema that answers otherwise after reading %i",
  (after) => {
    test.each<[string, (read: () => string) => () => unknown]>([
      ["in a new answer", (read) => () => ({ type: read() })],
      [
        "in a getter of a new answer",
        (read) => () => Object.defineProperty({}, "type", { enumerable: true, get: read }),
      ],
      [
        "in a getter of one answer",
        (read) => {
          const answer = Object.defineProperty({}, "type", { enumerable: true, get: read });
          return () => answer;
        },
      ],
      [
        "in one answer that is changed",
        (read) => {
          const answer = { type: "string" };
          return () => Object.assign(answer, { type: read() });
        },
      ],
      ["in a toJSON", (read) => () => ({ toJSON: () => ({ type: read() }) })],
    ])("%s has one digest or none", async (_name, answering) => {
      const found = await outcomes(schemaOf(answering(changing(after))));
      found.delete("unstable-schema");
      expect(found.size).toBeLessThanOrEqual(1);
      expect(DIGESTS).toEqual(expect.arrayContaining([...found]));
    });
  },
);

test("the hashed value is a copy that does not ask the schema again", () => {
  const read = changing(2);
  const answer = Object.defineProperty({}, "type", { enumerable: true, get: read });
  const made = tool({ name: "t", inputSchema: schemaOf(() => answer), handler: () => 1 });
  const payload = toolSpecCanonicalPayload(made);
  expect([payload.schema, payload.schema]).toEqual([{ type: "string" }, { type: "string" }]);
  expect(() => toolSpecToWire(made)).toThrow(expect.objectContaining({ code: "unstable-schema", toolName: "t" }));
});

test("each source of a JSON Schema is cached separately", () => {
  const both = {
    "~standard": { ...standard, jsonSchema: { input: () => ({ type: "number" }) } },
    toJSONSchema: () => ({ type: "string" }),
  } as unknown as StandardSchema;
  const source = { schemaSource: "standard-json-schema" } as const;
  expect([schemaToHashInput(both), schemaToHashInput(both, source), schemaToHashInput(both)]).toEqual([
    { type: "string" },
    { type: "number" },
    { type: "string" },
  ]);
});

test("a library's schema is used as the library made it", async () => {
  const found = await outcomes(z.object({ a: z.string().describe("a"), b: z.array(z.number().int()).optional() }));
  expect(found.size).toBe(1);
});
