import { expect, test } from "vitest";
import { checkLock, createLock, formatReport, type JsonObject } from "../src/index.ts";
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
    { schema: "inputSchema", verdict: "breaking", counterexample: { path: "" } },
    { schema: "outputSchema", verdict: "breaking", counterexample: { size: 0.5 } },
  ]);
  const report = formatReport(checked(before, after), "text");
  expect(report).toContain('Breaking: arguments {"path":""} were valid and are rejected now');
  expect(report).toContain('Breaking: result {"size":0.5} was not possible before');
  expect(report.match(/Breaking/g)).toHaveLength(2);
});

test("a change that callers need not notice is said to be one", () => {
  const before = { inputSchema: object({ path: text }), outputSchema: object({ size: { type: "number" } }) };
  const after = {
    inputSchema: object({ path: { type: ["string", "null"] } }),
    outputSchema: object({ size: { type: "integer" } }),
  };
  const report = formatReport(checked(before, after), "text");
  expect(report).toContain("Compatible: every call that was valid still is");
  expect(report).toContain("Compatible: every result fits the schema of before");
});

test("what cannot be judged is said to be so, also a schema that is none", () => {
  const unknown = [{ schema: "inputSchema", verdict: "unknown" }];
  expect(schemasOf({ inputSchema: text }, { inputSchema: { ...text, format: "email" } })).toEqual(unknown);
  expect(schemasOf({ inputSchema: text }, { inputSchema: { type: "strng" } })).toEqual(unknown);
  expect(schemasOf({ inputSchema: text }, { inputSchema: 5 })).toEqual(unknown);
  const report = formatReport(checked({ outputSchema: { ...text, format: "email" } }, { outputSchema: text }), "text");
  expect(report).toContain("Whether results fit the schema of before could not be told");
});

test("prose, and a schema that is new or gone, get no verdict", () => {
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
  expect(formatReport(drift, "text")).toContain('Breaking: arguments {"path":""}');
});
