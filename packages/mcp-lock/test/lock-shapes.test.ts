import { isJsonObject, type JsonObject, type JsonValue, setOwnMember, toPointer } from "@agentprint/canonical-json";
import { anyJson } from "@agentprint/testing/lock/arbitrary-tools";
import { pointersOf, valueAt, withValueAt } from "@agentprint/testing/lock/pointers-of";
import { runs } from "@agentprint/testing/property-runs";
import { Ajv, type ValidateFunction } from "ajv";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { z } from "zod";
import { lockJsonSchema, type McpLockError, parseLock } from "../src/index.ts";
import { entryShape, lockShape } from "../src/lock/lock-shapes.ts";
import type { Shape } from "../src/lock/shape.ts";
import { EntrySchema, LockSchema } from "./lock-schema.ts";

const digest = "0a".repeat(32);
const digests = { wire: digest, contract: digest, prose: digest, hints: digest, rest: digest };
const items = [{ definition: { name: "p" }, digest }];
const seenItems = [...items, { definition: { name: "q" }, digest, seenBy: ["legacy/client"] }];
const entry = {
  name: "new",
  launch: { type: "stdio", command: "node", args: ["server.js"], cwd: "/srv", env: ["HOME"] },
  auth: {
    issuer: "https://login.example",
    resource: "https://mcp.example/mcp",
    scopes: ["read"],
    client: "dynamic",
    endpoints: { token_endpoint: "https://login.example/token" },
  },
  client: "claude-code",
  clientCapabilities: { roots: {} },
  sessions: [
    { session: "legacy/client", protocolVersion: "2025-11-25" },
    { session: "modern/client", protocolVersion: "2026-07-28", supportedVersions: ["2026-07-28"] },
  ],
  unstable: ["/tools/_meta/requestId"],
  parts: [
    { part: "capabilities", value: {} },
    { part: "instructions", value: "Use it", seenBy: ["modern/client"] },
  ],
  tools: [{ definition: { name: "a" }, digests, seenBy: ["legacy/client", "modern/client"] }],
  prompts: seenItems,
  resources: seenItems,
  resourceTemplates: seenItems,
  contents: [...seenItems, { definition: { name: "b" }, digest, result: { contents: [] } }],
  toolsDigest: digest,
  setHashes: [
    { tools: digest, prompts: digest, seenBy: ["legacy/client"] },
    { tools: digest, prompts: digest, instructions: digest, seenBy: ["modern/client"] },
  ],
  digest,
};

const policy = { digest, policy: { preset: "compatible" } };

const oddValue = fc.oneof(
  fc.constantFrom<JsonValue>(
    null,
    true,
    1,
    2,
    "",
    "stdio",
    "http",
    "legacy/bare",
    "serverInfo",
    digest.toUpperCase(),
    [],
    {},
    [[]],
    [null],
  ),
  anyJson,
);
const anyMemberName = fc.constantFrom("x", "seenBy", "cwd", "digest", "__proto__", "constructor", "toString");
type Edit = (value: JsonValue) => JsonValue;

/** Replaces a value, removes it, or adds a member or element to it. */
const anyEdit: fc.Arbitrary<Edit> = fc
  .record({
    place: fc.nat(),
    replacement: fc.option(oddValue, { nil: undefined }),
    added: fc.option(anyMemberName, { nil: undefined }),
  })
  .map(({ place, replacement, added }) => (value) => {
    const pointers = pointersOf(value);
    const pointer = pointers[place % pointers.length] ?? "";
    const found = valueAt(value, pointer);
    if (added === undefined || replacement === undefined || typeof found !== "object" || found === null) {
      return withValueAt(value, pointer, replacement);
    }
    if (Array.isArray(found)) return withValueAt(value, pointer, [...found, replacement]);
    const wider = { ...found };
    setOwnMember(wider, added, replacement);
    return withValueAt(value, pointer, wider);
  });
const anyLock = fc
  .tuple(
    fc.constantFrom(1, 2),
    fc.constantFrom<JsonObject>(
      {},
      { policy },
      { sources: [{ config: ".mcp.json", entry: "new", server: "new" }], madeBy: "init" },
    ),
    fc.constantFrom<JsonValue[]>([], [entry]),
    fc.array(anyEdit, { maxLength: 3 }),
  )
  .map(([lockVersion, accepted, servers, edits]) =>
    edits.reduce<JsonValue>((value, edit) => edit(value), { lockVersion, ...accepted, servers }),
  );

/** Returns the pointer of a schema's first issue with a value. */
function schemaIssue(schema: z.ZodType, value: JsonValue): string | undefined {
  const [issue] = schema.safeParse(value).error?.issues ?? [];
  return issue && toPointer(issue.path.map(String));
}

function shapeIssue(shape: Shape, value: JsonValue): string | undefined {
  const issue = shape(value);
  return issue && toPointer(issue.path);
}

type Part = readonly [value: JsonValue, shape: Shape, schema: z.ZodType, validate: ValidateFunction];

const ajv = new Ajv({ strict: true });
const validateLock = ajv.compile(lockJsonSchema());
const [validateFile, validateEntry] = [ajv.compile(lockShape.schema), ajv.compile(entryShape.schema)];

/** Returns the value and, if it is a lock, its entries, each with its shape and its schema. */
function partsOf(value: JsonValue): Part[] {
  const { servers } = isJsonObject(value) ? value : {};
  const entries = Array.isArray(servers) ? servers.filter(isJsonObject) : [];
  return [
    [value, lockShape, LockSchema, validateFile],
    ...entries.map((each): Part => [each, entryShape, EntrySchema, validateEntry]),
  ];
}

/** Returns the code of the error with which the parser refuses a value; the digests of these values are wrong. */
function codeOf(value: JsonValue): string | undefined {
  try {
    parseLock(JSON.stringify(value));
    return undefined;
  } catch (error) {
    return (error as McpLockError).code;
  }
}

describe("the shapes of a lock", () => {
  test("accept what the schema accepts, and have their first issue where it has it", () => {
    let refused = 0;
    fc.assert(
      fc.property(anyLock, (value) => {
        for (const [part, shape, schema, validate] of partsOf(value)) {
          const pointer = shapeIssue(shape, part);
          expect(validate(part), JSON.stringify(part)).toBe(pointer === undefined);
          expect(pointer, JSON.stringify(part)).toBe(schemaIssue(schema, part));
          if (pointer !== undefined) refused++;
        }
      }),
      { numRuns: runs(300) },
    );
    expect(refused).toBeGreaterThan(runs(100));
  });

  test("accept entries with every member", () => {
    expect(entryShape(entry)).toBeUndefined();
    expect(lockShape({ lockVersion: 2, policy, servers: [entry] })).toBeUndefined();
  });

  test("make the published JSON Schema, which refuses what the parser refuses for its form", () => {
    const codes = { accepted: 0, refused: 0 };
    fc.assert(
      fc.property(anyLock, (value) => {
        fc.pre(isJsonObject(value) && value["lockVersion"] === 2);
        const isOfForm = codeOf(value) !== "invalid-lock";
        expect(validateLock(value), JSON.stringify(value)).toBe(isOfForm);
        codes[isOfForm ? "accepted" : "refused"]++;
      }),
      { numRuns: runs(100) },
    );
    expect(Math.min(codes.accepted, codes.refused)).toBeGreaterThan(runs(5));
  });

  test.each<[string, JsonValue | undefined, string]>([
    ["/name", 1, "Expected a string, found number"],
    ["/name", undefined, "This member is missing"],
    ["/digest", digest.slice(1), `Expected 64 lowercase hexadecimal digits, found "${digest.slice(1, 41)}"`],
    ["/launch/type", "pipe", 'Expected one of "stdio", "http", found "pipe"'],
    ["/clientCapabilities", [], "Expected an object, found array"],
    ["/tools/0/seenBy", [], "Expected at least one element"],
    ["/tools/0/seenBy", null, "Expected an array, found null"],
    ["", { ...entry, ["\u{1f600}".repeat(30)]: 1 }, `Unknown member "${"\u{1f600}".repeat(20)}"`],
  ])("say what is wrong at %j", (pointer, replacement, message) => {
    const edited = withValueAt(entry, pointer, replacement) as JsonObject;
    const issue = entryShape(edited);
    expect(issue?.message).toBe(message);
    expect(toPointer(issue?.path ?? [])).toBe(pointer);
  });
});
