import { runs } from "@agentprint/testing/property-runs";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { fromAiSdkTool } from "../src/adapters/ai-sdk.ts";
import { fromLangChainTool } from "../src/adapters/langchain.ts";
import { fromMcpTool, mcpToolCanonicalPayload } from "../src/adapters/mcp.ts";
import { fromOpenAiTool } from "../src/adapters/openai.ts";
import {
  CapabilityError,
  computeFullCapabilityLink,
  computeInvocationContextHash,
  createRegisteredAgent,
  dynamicToolkit,
  evaluateComposable,
  hydrateToolSpec,
  jsonSchema,
  normalizeInvocationContextForHash,
  type Policy,
  parseCapabilityLink,
  parseCapabilitySnapshot,
  parseToolRefs,
  policy,
  schemaToHashInput,
  tool,
  toolkit,
} from "../src/index.ts";
import { anything, namedTool } from "./support.ts";

const boom = new RangeError("boom");
const fail = (): never => {
  throw boom;
};

/** Returns the same value, except that reading one member throws. */
function throwingAt<T extends object>(value: T, key: PropertyKey): T {
  return new Proxy(value, { get: (target, read) => (read === key ? fail() : Reflect.get(target, read)) });
}

function thrown(job: () => unknown): CapabilityError {
  try {
    job();
  } catch (error) {
    expect(error).toBeInstanceOf(CapabilityError);
    return error as CapabilityError;
  }
  throw new Error("nothing was thrown");
}

const wire = { name: "t", description: null, instructions: ["a"], inputSchema: {}, policyBindings: [{ id: "p" }] };
const link = {
  agentId: "a",
  agentName: "A",
  staticHash: "1".repeat(64),
  runtimeHash: "2".repeat(64),
  toolRefs: [{ toolKey: "t", toolHash: "3".repeat(64) }],
};
const definition = { name: "t", inputSchema: anything, instructions: ["a"], handler: () => "" };
const rule = { id: "p", evaluate: () => true };

const READERS: readonly [name: string, code: string, value: object, read: (value: never) => unknown][] = [
  ["hydrateToolSpec", "invalid-wire", wire, hydrateToolSpec],
  ["parseCapabilityLink", "invalid-link", link, parseCapabilityLink],
  ["parseToolRefs", "invalid-link", link.toolRefs[0] as object, (ref: never) => parseToolRefs([ref])],
  ["parseCapabilitySnapshot", "invalid-wire", { link, tools: [wire] }, parseCapabilitySnapshot],
  ["tool", "invalid-argument", definition, tool],
  ["toolkit", "invalid-argument", { name: "k", instructions: ["a"] }, (options: never) => toolkit([], options)],
  ["dynamicToolkit", "invalid-argument", { name: "d", create: () => [] }, dynamicToolkit],
  [
    "createRegisteredAgent",
    "invalid-argument",
    { agentId: "a", name: "A", root: namedTool("t") },
    createRegisteredAgent,
  ],
  ["policies of a tool", "invalid-argument", rule, (each: never) => tool({ ...definition, policies: [each] })],
  ["policy", "invalid-argument", { executeBinding: "live" }, (options: never) => policy("p", () => true, options)],
];

test.each(READERS)("%s: an exception from a getter becomes a typed error", (_name, code, value, read) => {
  for (const key of Object.keys(value)) {
    const error = thrown(() => read(throwingAt(value, key) as never));
    expect([key, error.code, error.cause]).toEqual([key, code, boom]);
    expect(error.message).toContain("boom");
  }
  const silent = new Proxy(value, {
    get: () => {
      throw Object.create(null);
    },
  });
  expect(thrown(() => read(silent as never)).message).toContain("cannot be shown");
});

const adapted = {
  type: "function",
  name: "t",
  description: "d",
  parameters: {},
  schema: {},
  inputSchema: { type: "object" },
};
const ADAPTERS: readonly [name: string, keys: readonly string[], read: (value: never) => unknown][] = [
  ["fromMcpTool", ["name", "description", "inputSchema"], fromMcpTool],
  ["mcpToolCanonicalPayload", ["name", "description", "inputSchema"], mcpToolCanonicalPayload],
  ["fromOpenAiTool", ["type", "name", "description", "parameters"], fromOpenAiTool],
  ["fromLangChainTool", ["name", "description", "schema"], fromLangChainTool],
  ["fromAiSdkTool", ["type", "description", "execute", "inputSchema"], (source: never) => fromAiSdkTool("t", source)],
];

test.each(ADAPTERS)("%s: an exception from another library's tool becomes a typed error", (_name, keys, read) => {
  for (const key of keys) {
    expect(thrown(() => read(throwingAt(adapted, key) as never))).toMatchObject({
      code: "invalid-argument",
      cause: boom,
    });
  }
});

test("a schema of another library that throws causes a CapabilityError", () => {
  const hostile = throwingAt({ type: "object" }, "~standard");
  const jobs = [
    () => fromMcpTool({ ...adapted, inputSchema: hostile }),
    () => fromOpenAiTool({ ...adapted, parameters: hostile, invoke: async () => "" }),
    () => fromLangChainTool({ ...adapted, schema: hostile, invoke: async () => "" }),
    () => fromAiSdkTool("t", { inputSchema: hostile }),
    () => fromAiSdkTool("t", { inputSchema: throwingAt({}, "jsonSchema") }),
    () => jsonSchema(hostile),
  ];
  for (const job of jobs) expect(thrown(job)).toMatchObject({ code: "invalid-schema", cause: boom });
});

test("a context whose getter throws causes a CapabilityError", async () => {
  const ctx = Object.defineProperty({ env: {} }, "signal", { get: fail, enumerable: true });
  const root = namedTool("t");
  const agent = createRegisteredAgent({ agentId: "a", name: "A", root });
  await expect(evaluateComposable(root, ctx)).rejects.toMatchObject({ code: "invalid-argument", cause: boom });
  await expect(computeFullCapabilityLink({ agent, ctx })).rejects.toMatchObject({ code: "invalid-argument" });
});

test("a schema whose getter throws causes a CapabilityError with the name of the tool", () => {
  const schema = { "~standard": { vendor: "v", version: 1, validate: () => ({ value: 1 }) }, toJSONSchema: () => ({}) };
  expect(thrown(() => tool({ ...definition, inputSchema: throwingAt(schema, "~standard") }))).toMatchObject({
    code: "invalid-schema",
    toolName: "t",
    cause: boom,
  });
  expect(thrown(() => schemaToHashInput(throwingAt(schema, "toJSONSchema")))).toMatchObject({ code: "schema-failed" });
  const later = { ...schema, "~standard": throwingAt({ ...schema["~standard"] }, "jsonSchema") };
  expect(thrown(() => schemaToHashInput(later, { schemaSource: "standard-json-schema" })).code).toBe("schema-failed");
  const guarded = tool({ ...definition, inputSchema: throwingAt(schema, "toJSONSchema") });
  expect(thrown(() => createRegisteredAgent({ agentId: "a", name: "A", root: guarded })).code).toBe("schema-failed");
});

describe("an invocation context", () => {
  test("that throws causes a SpecError with its pointer", () => {
    const nested = { list: [{ a: throwingAt({ b: 1 }, "b") }] };
    expect(thrown(() => computeInvocationContextHash(nested))).toMatchObject({
      code: "invalid-context",
      path: "/list/0/a/b",
      cause: boom,
    });
    const list = throwingAt(["x", "y"], "1");
    expect(thrown(() => computeInvocationContextHash({ list })).path).toBe("/list/1");
    const keys = new Proxy({ a: 1 }, { ownKeys: fail });
    expect(thrown(() => computeInvocationContextHash(keys)).path).toBe("");
    expect(thrown(() => computeInvocationContextHash({ keys })).path).toBe("/keys");
    expect(thrown(() => computeInvocationContextHash({ at: Object.create(Date.prototype) })).path).toBe("/at");
    const revoked = Proxy.revocable({}, {});
    revoked.revoke();
    expect(thrown(() => computeInvocationContextHash({ gone: revoked.proxy })).path).toBe("/gone");
  });

  test("comes back with its keys sorted at every depth", () => {
    const keysSorted = (value: unknown): void => {
      if (typeof value !== "object" || value === null) return;
      const keys = Object.keys(value).filter((key) => !/^\d+$/.test(key)); // array indexes come first, always
      expect(keys).toEqual(keys.toSorted());
      for (const member of Object.values(value)) keysSorted(member);
    };
    fc.assert(
      fc.property(fc.object({ maxDepth: 4 }), (context) => keysSorted(clean(context))),
      { numRuns: runs(150) },
    );
    const text = JSON.stringify(normalizeInvocationContextForHash({ b: { d: 1, c: [{ z: 1, y: 2 }] }, B: 2, a: 3 }));
    expect(text).toBe('{"B":2,"a":3,"b":{"c":[{"y":2,"z":1}],"d":1}}');
    const byLocale = normalizeInvocationContextForHash({ b: 1, B: 2, a: 3 }, { sort: "locale" });
    expect(JSON.stringify(byLocale)).toBe('{"a":3,"b":1,"B":2}');
  });

  test.each([["ab"], [new Set(["a"])], [{ 0: "a", length: 1 }], [["a", 1]], [1], [true]])(
    "with an allowlist that is no array of strings, %j, is refused",
    (allowlist) => {
      const error = thrown(() => computeInvocationContextHash({ a: 1, b: 2 }, { allowlist: allowlist as never }));
      expect(error.code).toBe("invalid-argument");
      expect(error.message).toContain("allowlist");
    },
  );

  test("may be an object of another realm, but not an instance that resembles a plain object", async () => {
    const { runInNewContext } = await import("node:vm");
    const foreign: unknown = runInNewContext("({ user: { id: 'u1' } })");
    expect(computeInvocationContextHash(foreign)).toBe(computeInvocationContextHash({ user: { id: "u1" } }));
    const disguised: unknown = Object.setPrototypeOf(new Map([["user", "u1"]]), Object.prototype);
    expect(thrown(() => computeInvocationContextHash({ disguised })).path).toBe("/disguised");
  });
});

/** Returns a context as `normalizeInvocationContextForHash` does, without the values that it refuses. */
const clean = (context: object): unknown => normalizeInvocationContextForHash(JSON.parse(JSON.stringify(context)));

test("a binding on the wire without executeBinding is live", () => {
  expect(hydrateToolSpec(wire).policies).toEqual([{ id: "p", executeBinding: "live" }]);
});

describe("a policy object that its owner changes", () => {
  test("the composable keeps the id, binding and function of the definition", async () => {
    let allowed = true;
    const owner: { -readonly [K in keyof Policy<unknown>]: Policy<unknown>[K] } = {
      id: "p",
      executeBinding: "live",
      evaluate: () => allowed,
    };
    const root = toolkit([tool({ ...definition, policies: [owner] })], { name: "k", policies: [owner] });
    const before = root.staticHash;
    const { tools } = await evaluateComposable(root, { env: {} });
    owner.executeBinding = "snapshot";
    owner.id = "other";
    owner.evaluate = () => true;
    allowed = false;
    await expect(tools["t"]?.execute({} as never)).rejects.toMatchObject({ code: "policy-denied", policyId: "p" });
    expect(root.computeStaticHash({ sort: "locale" })).toBe(before);
  });

  test("is asked once, wherever it is used, with itself as this", async () => {
    const counter = {
      id: "count",
      executeBinding: "snapshot" as const,
      asked: 0,
      evaluate() {
        this.asked++;
        return true;
      },
    };
    const of = (name: string) => tool({ ...definition, name, policies: [counter] });
    await evaluateComposable(toolkit([of("a"), of("b")], { name: "k", policies: [counter] }), { env: {} });
    expect(counter.asked).toBe(1);
  });

  test("cannot give another answer through a getter", async () => {
    let reads = 0;
    const shifty = {
      id: "p",
      evaluate: () => reads < 2,
      get executeBinding(): "live" | "snapshot" {
        return reads++ === 0 ? "live" : "snapshot";
      },
    };
    const { tools } = await evaluateComposable(tool({ ...definition, policies: [Object.freeze(shifty)] }), { env: {} });
    reads = 9;
    await expect(tools["t"]?.execute({} as never)).rejects.toMatchObject({ code: "policy-denied" });
  });
});

test("no hash covers the static context of an agent", () => {
  const root = namedTool("t");
  const of = (staticContext: Record<string, unknown>) =>
    createRegisteredAgent({ agentId: "a", name: "A", root, staticContext });
  expect(of({ k: 1 }).staticContext).toEqual({ k: 1 });
  expect(Object.isFrozen(of({ k: 1 }).staticContext)).toBe(true);
  expect(of({ k: 1 }).staticHash).toBe(of({ k: 2 }).staticHash);
});
