import { scope, type } from "arktype";
import * as v from "valibot";
import { expect, test, vi } from "vitest";
import {
  computeFullCapabilityLink,
  computeRuntimeCapabilitiesFromEvaluation,
  createCapabilityLink,
  createCapabilitySnapshot,
  createRegisteredAgent,
  diffCapabilityLinks,
  diffCapabilitySnapshots,
  diffToolRefs,
  dynamicToolkit,
  explainCapabilityLinkRelationship,
  hashPlainObject,
  parseCapabilityLink,
  parseCapabilitySnapshot,
  policy,
  registeredAgentCanonicalPayload,
  runtimeCapabilityCanonicalPayload,
  type StandardSchema,
  type Tool,
  tool,
  toolkit,
  toolSpecCanonicalPayload,
} from "../src/index.ts";
import { namedTool } from "./support.ts";

const handler = (): string => "";
const opaque = (name: string, maxLength = 1): Tool<unknown> =>
  tool({ name, inputSchema: v.object({ a: v.pipe(v.string(), v.maxLength(maxLength)) }), handler });
const agentOf = (...members: Tool<unknown>[]) =>
  createRegisteredAgent({ agentId: "a", name: "A", root: toolkit(members, { name: "k" }) });
const turnOf = (...members: Tool<unknown>[]) =>
  computeFullCapabilityLink({ agent: agentOf(...members), ctx: { env: {} } });

test("two schemas of a library without JSON Schema share every digest, and no comparison calls them equal", async () => {
  const [first, second] = [await turnOf(opaque("t", 1)), await turnOf(opaque("t", 2))];
  expect(second.link.staticHash).toBe(first.link.staticHash);
  const [a, b] = [createCapabilitySnapshot(first), createCapabilitySnapshot(second)];
  const explained = explainCapabilityLinkRelationship(first.link, second.link);
  expect(explained).toMatchObject({ relationship: "cannot-tell", opaqueSchemas: ["t"] });
  expect(explained.summary).toBe(
    "Nothing that is hashed differs. Whether the input schema of 1 tool changed cannot be told.",
  );
  expect(explained.details).toEqual([
    'No digest covers the whole schema of tool "t": whether the schema changed cannot be told.',
  ]);
  expect(diffCapabilityLinks(first.link, second.link)).toEqual({
    unchanged: ["agentId", "agentName", "invocationHash"],
    changed: [],
    undecided: ["staticHash", "runtimeHash"],
    opaqueSchemas: ["t"],
  });
  const { opaqueSchemas } = first.link;
  expect(diffToolRefs(first.link.toolRefs, second.link.toolRefs, { opaqueSchemas })).toEqual({
    onlyInFirst: [],
    onlyInSecond: [],
    hashChanged: [],
    opaqueSchemas: ["t"],
    undecided: ["t"],
  });
  expect(diffCapabilitySnapshots(a, b)).toMatchObject({ definitions: [], opaqueSchemas: ["t"] });
});

test("the names of opaque tools stand next to every hash, and change none", async () => {
  const turn = await turnOf(opaque("b"), namedTool("c"), opaque("a"));
  const { link, evaluation } = turn;
  const agent = agentOf(opaque("b"), namedTool("c"), opaque("a"));
  const names = ["a", "b"];
  expect([agent.opaqueSchemas, evaluation.opaqueSchemas, link.opaqueSchemas]).toEqual([names, names, names]);
  expect(computeRuntimeCapabilitiesFromEvaluation(evaluation).opaqueSchemas).toEqual(names);
  expect(createCapabilitySnapshot(turn).opaqueSchemas).toEqual(names);
  expect(createCapabilityLink({ agent, toolRefs: link.toolRefs }).opaqueSchemas).toEqual(names);
  const payloads = [
    registeredAgentCanonicalPayload(agent),
    runtimeCapabilityCanonicalPayload(link.toolRefs),
    toolSpecCanonicalPayload(opaque("a")),
  ];
  expect(JSON.stringify(payloads)).not.toContain("opaque");
  expect(hashPlainObject(payloads[1])).toBe(link.runtimeHash);
});

test("a link of transparent tools has an empty list of opaque schemas and can equal another link", async () => {
  const { link } = await turnOf(namedTool("t"));
  expect(link.opaqueSchemas).toEqual([]);
  expect(explainCapabilityLinkRelationship(link, link).relationship).toBe("same");
});

test("an opaque tool affects the template if a policy disables it, and the turn if it is created at run time", async () => {
  const never = policy("never", () => false);
  const shut = tool({ name: "shut", inputSchema: v.string(), policies: [never], handler });
  const { link } = await turnOf(shut, namedTool("t"));
  expect(link).toMatchObject({ opaqueSchemas: ["shut"], toolRefs: [{ toolKey: "t" }] });
  expect(diffCapabilityLinks(link, link).undecided).toEqual(["staticHash"]);
  const made = dynamicToolkit({ name: "d", create: () => [opaque("late")] });
  const agent = createRegisteredAgent({ agentId: "a", name: "A", root: made });
  expect(agent.opaqueSchemas).toEqual([]);
  const late = await computeFullCapabilityLink({ agent, ctx: { env: {} } });
  expect(late.link.opaqueSchemas).toEqual(["late"]);
});

test("a field that changed for certain is named, and the others are undecided", async () => {
  const [first, second] = [(await turnOf(opaque("t"))).link, (await turnOf(opaque("t"), namedTool("u"))).link];
  const explained = explainCapabilityLinkRelationship(first, second);
  expect(explained.relationship).toBe("template-changed");
  expect(explained.summary).toContain("Whether the input schema of 1 tool changed cannot be told.");
  expect(explained.tools).toMatchObject({ onlyInSecond: [{ toolKey: "u" }], undecided: ["t"] });
  const two = explainCapabilityLinkRelationship(first, { ...first, opaqueSchemas: ["t", "x"] });
  expect(two.summary).toContain("of 2 tools");
});

test("stored links and snapshots have the list, and a snapshot without it is read with the list", async () => {
  const turn = await turnOf(opaque("t"));
  const stored = JSON.parse(JSON.stringify(createCapabilitySnapshot(turn)));
  expect(parseCapabilityLink(stored.link).opaqueSchemas).toEqual(["t"]);
  const { opaqueSchemas: _, ...stripped } = stored;
  const { opaqueSchemas: __, ...link } = stored.link;
  expect(parseCapabilitySnapshot({ ...stripped, link }).opaqueSchemas).toEqual(["t"]);
  expect(parseCapabilityLink(link).opaqueSchemas).toBeUndefined();
  for (const opaqueSchemas of ["t", [1], [""], null]) {
    expect(() => parseCapabilityLink({ ...link, opaqueSchemas })).toThrow(
      expect.objectContaining({ code: "invalid-link", path: expect.stringContaining("/opaqueSchemas") }),
    );
  }
  const snapshotPaths: [unknown, string][] = [
    ["t", "/opaqueSchemas"],
    [["t", 1], "/opaqueSchemas/1"],
  ];
  for (const [opaqueSchemas, path] of snapshotPaths) {
    expect(() => parseCapabilitySnapshot({ ...stored, opaqueSchemas })).toThrow(
      expect.objectContaining({ code: "invalid-wire", path }),
    );
  }
});

test("one warning comes for opaque schemas, and none for schemas that are refused, transparent or read from the wire", async () => {
  vi.resetModules();
  const fresh = await import("../src/index.ts");
  const warnings: unknown[][] = [];
  const emit = vi.spyOn(process, "emitWarning").mockImplementation((...args: unknown[]) => void warnings.push(args));
  try {
    const schema = v.string();
    const wire = {
      name: "w",
      description: null,
      instructions: [],
      inputSchema: { vendor: "v", version: 1 },
      policyBindings: [],
    };
    fresh.hashToolSpecStatic(fresh.hydrateToolSpec(wire));
    fresh.tool({ name: "open", inputSchema: fresh.jsonSchema(true), handler }).computeStaticHash();
    expect(() => fresh.schemaToHashInput(schema, { requireTransparentSchemas: true })).toThrow("only as its vendor");
    expect(warnings).toEqual([]);
    for (const name of ["x", "y"]) fresh.tool({ name, inputSchema: schema, handler }).computeStaticHash();
    fresh.schemaToHashInput(schema);
    expect(warnings).toHaveLength(1);
    expect(warnings[0]).toEqual([
      expect.stringMatching(/tool "x".*valibot.*requireTransparentSchemas/),
      { type: "CapabilityWarning", code: "AGENTPRINT_OPAQUE_SCHEMA" },
    ]);
  } finally {
    emit.mockRestore();
  }
});

test("without a process the console warns", async () => {
  vi.resetModules();
  const fresh = await import("../src/index.ts");
  const shown: unknown[] = [];
  vi.stubGlobal("process", undefined);
  vi.stubGlobal("console", { warn: (text: unknown) => shown.push(text) });
  try {
    fresh.schemaToHashInput(v.string());
    fresh.schemaToHashInput(v.string());
  } finally {
    vi.unstubAllGlobals();
  }
  expect(shown).toEqual([expect.stringContaining("a schema is hashed only as its vendor and version")]);
});

const ark = (name: string, inputSchema: StandardSchema): Tool<unknown> => tool({ name, inputSchema, handler });
const standard = { schemaSource: "standard-json-schema" } as const;

test("a schema that its library cannot write completely is opaque, and refused where schemas must be transparent", async () => {
  const [date, bigint] = [ark("t", type({ a: "Date" })), ark("t", type({ a: "bigint" }))];
  expect(date.computeStaticHash(standard)).toBe(bigint.computeStaticHash(standard));
  for (const made of [date, bigint]) {
    const agent = createRegisteredAgent({ agentId: "a", name: "A", root: toolkit([made], { name: "k" }) }, standard);
    const { link } = await computeFullCapabilityLink({ agent, ctx: { env: {} } });
    expect([agent.opaqueSchemas, link.opaqueSchemas]).toEqual([["t"], ["t"]]);
    expect(() => made.computeStaticHash({ ...standard, requireTransparentSchemas: true })).toThrow(
      expect.objectContaining({ code: "opaque-schema", message: expect.stringContaining("such as a Date") }),
    );
  }
  const whole = ark("t", type({ a: "unknown" }));
  expect(whole.computeStaticHash({ ...standard, requireTransparentSchemas: true })).toHaveLength(64);
});

test("a recursive schema of ArkType has one digest, whatever was defined before it", () => {
  const node = (): StandardSchema => scope({ node: { value: "string", "next?": "node" } }).export().node as never;
  const digests = [node(), type({ other: "1|2" }), node()].map((schema) =>
    ark("t", schema).computeStaticHash(standard),
  );
  expect(digests[2]).toBe(digests[0]);
});
