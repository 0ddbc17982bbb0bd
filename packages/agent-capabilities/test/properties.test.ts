import fc from "fast-check";
import { expect, test } from "vitest";
import {
  computeRuntimeHash,
  diffToolRefs,
  evaluateComposable,
  hashPlainObject,
  hashToolSpecStatic,
  hydrateToolSpec,
  jsonSchema,
  normalizeInvocationContextForHash,
  policy,
  type Tool,
  type ToolSpec,
  tool,
  toolkit,
  toolSpecToWire,
} from "../src/index.ts";

const bindings = fc.constantFrom("live" as const, "snapshot" as const);
const tools: fc.Arbitrary<Tool> = fc
  .record({
    name: fc.string({ minLength: 1 }),
    description: fc.option(fc.string(), { nil: undefined }),
    schema: fc.dictionary(fc.string(), fc.jsonValue()),
    instructions: fc.array(fc.string()),
    policies: fc.array(fc.tuple(fc.string({ minLength: 1 }), bindings)),
  })
  .map(({ schema, policies, ...rest }) =>
    tool({
      ...rest,
      inputSchema: jsonSchema(schema),
      policies: policies.map(([id, executeBinding]) => policy(id, () => true, { executeBinding })),
      handler: () => 1,
    }),
  );
const refs = fc.uniqueArray(fc.record({ toolKey: fc.string(), toolHash: fc.constantFrom("1", "2") }), {
  selector: ({ toolKey }) => toolKey,
});

test("a tool has one digest, whether it is defined, evaluated or read from the wire", () =>
  fc.assert(
    fc.asyncProperty(tools, fc.constantFrom("code-unit" as const, "locale" as const), async (defined, sort) => {
      const evaluation = await evaluateComposable(defined, { env: {} });
      const [evaluated] = Object.values(evaluation.tools);
      const replayed = hydrateToolSpec(JSON.parse(JSON.stringify(toolSpecToWire(defined))));
      const digests = [defined, evaluated as ToolSpec, replayed].map((spec) => hashToolSpecStatic(spec, { sort }));
      expect(new Set([...digests, defined.computeStaticHash({ sort })]).size).toBe(1);
    }),
  ));

test("the order of members with different names does not count", () =>
  fc.assert(
    fc.property(fc.uniqueArray(tools, { selector: ({ name }) => name, maxLength: 6 }), (members) => {
      const digests = [members, members.toReversed()].map((order) => toolkit(order, { name: "k" }).staticHash);
      expect(digests[0]).toBe(digests[1]);
    }),
  ));

test("the order of enabled tools does not count, and any change of one does", () =>
  fc.assert(
    fc.property(refs, refs, (first, second) => {
      expect(computeRuntimeHash(first.toReversed())).toBe(computeRuntimeHash(first));
      const { onlyInFirst, onlyInSecond, hashChanged } = diffToolRefs(first, second);
      const equal = onlyInFirst.length + onlyInSecond.length + hashChanged.length === 0;
      expect(computeRuntimeHash(first) === computeRuntimeHash(second)).toBe(equal);
    }),
  ));

test("normalizing twice is normalizing once", () =>
  fc.assert(
    fc.property(fc.dictionary(fc.string(), fc.jsonValue()), (context) => {
      const once = normalizeInvocationContextForHash(context);
      expect(normalizeInvocationContextForHash(once)).toEqual(once);
    }),
  ));

test("equal values have equal digests whatever the order of their keys", () =>
  fc.assert(
    fc.property(fc.dictionary(fc.string(), fc.jsonValue()), (value) => {
      const reversed = Object.fromEntries(Object.entries(value).toReversed());
      expect(hashPlainObject(reversed)).toBe(hashPlainObject(value));
    }),
  ));
