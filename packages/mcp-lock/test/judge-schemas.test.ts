import type { JsonObject } from "@agentprint/canonical-json";
import { expect, test } from "vitest";
import { SchemaJudge } from "../src/drift/judge-schemas.ts";
import { checkLock, createLock, driftFindings } from "../src/index.ts";
import { snapshotOf } from "./arbitraries.ts";

const object = (properties: JsonObject, required: string[] = []): JsonObject => ({
  type: "object",
  properties,
  required,
  additionalProperties: false,
});
const text = { type: "string" };

function checked(before: JsonObject, after: JsonObject) {
  const lock = createLock({ fs: snapshotOf([{ name: "read", ...before }]) });
  return checkLock(lock, { fs: snapshotOf([{ name: "read", ...after }]) });
}

/** The notes of the findings, a line each. */
const notesOf = (drift: ReturnType<typeof checkLock>): string =>
  driftFindings(drift)
    .map(({ note }) => note)
    .join("\n");

function schemasOf(before: JsonObject, after: JsonObject): unknown {
  const [drift] = checked(before, after).servers[0]?.drifts ?? [];
  return drift && "schemas" in drift ? drift.schemas : undefined;
}

test("a call that was valid and is rejected now is part of the drift and of its finding", () => {
  const before = { inputSchema: object({ path: text }, ["path"]), outputSchema: object({ size: { type: "integer" } }) };
  const after = {
    inputSchema: object({ path: text, mode: text }, ["path", "mode"]),
    outputSchema: object({ size: { type: "number" } }),
  };
  expect(schemasOf(before, after)).toEqual([
    { schema: "inputSchema", verdict: "breaking", counterexample: { path: "a" } },
    { schema: "outputSchema", verdict: "breaking", counterexample: { size: 0.5 } },
  ]);
  const report = notesOf(checked(before, after));
  expect(report).toContain('Breaking: arguments {"path":"a"} were valid and are rejected now');
  expect(report).toContain('Breaking: result {"size":0.5} was not possible before');
  expect(report.match(/Breaking/g)).toHaveLength(2);
});

test("a change that callers need not notice is compatible", () => {
  const before = { inputSchema: object({ path: text }), outputSchema: object({ size: { type: "number" } }) };
  const after = {
    inputSchema: object({ path: { type: ["string", "null"] } }),
    outputSchema: object({ size: { type: "integer" } }),
  };
  const report = notesOf(checked(before, after));
  expect(report).toContain("Compatible: every call that was valid still is");
  expect(report).toContain("Compatible: every result fits the schema of before");
});

test("a change that cannot be judged is unknown, also where a schema is invalid", () => {
  const unknown = [{ schema: "inputSchema", verdict: "unknown" }];
  const mail = (schema: JsonObject) => ({ inputSchema: object({ to: schema }) });
  expect(schemasOf(mail(text), mail({ ...text, format: "email" }))).toEqual(unknown);
  expect(schemasOf(mail(text), mail({ type: "strng" }))).toEqual(unknown);
  expect(schemasOf(mail(text), { inputSchema: 5 })).toEqual(unknown);
  const report = notesOf(checked({ outputSchema: { ...text, format: "email" } }, { outputSchema: text }));
  expect(report).toContain("Whether results fit the schema of before could not be told");
});

test("a change of prose, and a schema that is new or gone, have no verdict", () => {
  expect(schemasOf({ inputSchema: text }, { inputSchema: { ...text, title: "Path" } })).toBeUndefined();
  expect(schemasOf({ inputSchema: text }, { inputSchema: text, outputSchema: text })).toBeUndefined();
});

test("a renamed tool is judged too", () => {
  const before = { name: "readFile", description: "Reads a file", inputSchema: object({ path: text }, ["path"]) };
  const after = { ...before, name: "read_file", inputSchema: object({ path: { ...text, minLength: 1 } }, ["path"]) };
  const drift = checkLock(createLock({ fs: snapshotOf([before]) }), { fs: snapshotOf([after]) });
  expect(drift.servers[0]?.drifts).toMatchObject([
    { type: "tool-renamed", schemas: [{ verdict: "breaking", counterexample: { path: "" } }] },
  ]);
  expect(notesOf(drift)).toContain('Breaking: arguments {"path":""}');
});

const S = { type: "string" };

test.each<[string, JsonObject, JsonObject]>([
  ["arguments get a type", {}, { type: "object" }],
  ["arguments get a type and keep their members", { properties: { a: S } }, { type: "object", properties: { a: S } }],
  ["a type that no call has is gone", { type: ["object", "string"] }, { type: "object" }],
  ["a bound is about text", {}, { minLength: 3 }],
])("%s: no call that can be sent breaks", (_, before, after) => {
  expect(schemasOf({ inputSchema: before }, { inputSchema: after })).toEqual([
    { schema: "inputSchema", verdict: "compatible" },
  ]);
});

test("a result can be any value", () => {
  const schemas = schemasOf({ outputSchema: { type: "object" } }, { outputSchema: {} });
  expect(schemas).toEqual([{ schema: "outputSchema", verdict: "breaking", counterexample: "a" }]);
});

test("a member that no schema names is called extra", () => {
  const closed = schemasOf({ inputSchema: { type: "object" } }, { inputSchema: object({}) });
  expect(closed).toEqual([{ schema: "inputSchema", verdict: "breaking", counterexample: { extra: "a" } }]);
});

/** Tools with schemas that are hard to compare, each in two versions. */
function hardTools(count: number, version: string): JsonObject[] {
  const alternatives = Array.from({ length: 400 }, (_, i) => ({ required: [`${version}${i}`], minProperties: i % 7 }));
  return Array.from({ length: count }, (_, i) => ({
    name: `tool${String(i).padStart(3, "0")}`,
    inputSchema: { type: "object", anyOf: alternatives, maxProperties: 900 + i },
  }));
}

test("tools that are hard to judge leave steps for an easy tool", () => {
  const easy = { name: "zoom", inputSchema: object({ path: S }, ["path"]) };
  const harder = { name: "zoom", inputSchema: object({ path: S, mode: S }, ["path", "mode"]) };
  const lock = createLock({ fs: snapshotOf([...hardTools(60, "a"), easy]) });
  const { servers } = checkLock(lock, { fs: snapshotOf([...hardTools(60, "b"), harder]) });
  const verdicts = servers[0]?.drifts.map((drift) => ("schemas" in drift ? drift.schemas?.[0]?.verdict : undefined));
  expect(verdicts).toHaveLength(61);
  expect(verdicts?.slice(0, -1).every((verdict) => verdict === "unknown")).toBe(true);
  expect(verdicts?.at(-1)).toBe("breaking");
});

test("a list of thousands of objects against as many others is unknown", () => {
  const items = (name: string) => Array.from({ length: 20_000 }, (_, i) => ({ [name]: i }));
  const before = { inputSchema: object({ x: { const: items("a") } }, ["x"]) };
  const after = { inputSchema: object({ x: { contains: { enum: items("b") } } }, ["x"]) };
  expect(schemasOf(before, after)).toEqual([{ schema: "inputSchema", verdict: "unknown" }]);
});

test("the sessions of a server share the steps, and the same change is judged once", () => {
  const [hard, harder] = [hardTools(4, "a"), hardTools(4, "b")].map(
    (tools) =>
      createLock({ fs: snapshotOf([...tools, { name: "zoom", inputSchema: object({ version: S }) }]) }).servers[0],
  );
  const judge = new SchemaJudge();
  const judged = (hard?.tools ?? []).slice(0, 4).map((tool, i) => {
    judge.expect(1);
    const verdicts = judge.judge(tool, harder?.tools[i] ?? tool);
    judge.expect(1);
    expect(judge.judge(tool, harder?.tools[i] ?? tool)).toBe(verdicts);
    return verdicts;
  });
  expect(judged).toEqual(judged.map(() => [{ schema: "inputSchema", verdict: "unknown" }]));
  const [zoom, other] = [hard?.tools.at(-1), hard?.tools[0]];
  if (!zoom || !other) throw new Error("the tools that were locked");
  expect(judge.judge(zoom, other)).toEqual([{ schema: "inputSchema", verdict: "unknown" }]);
  expect(new SchemaJudge().judge(zoom, other)).not.toEqual([{ schema: "inputSchema", verdict: "unknown" }]);
});
