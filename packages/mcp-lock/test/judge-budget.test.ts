import type { JsonObject } from "@agentprint/canonical-json";
import { answersOf } from "@agentprint/testing/lock/offer";
import { toolLayers } from "@agentprint/tool-pins";
import type { FingerprintedTool, SchemaVerdict } from "@agentprint/tool-pins/judgement";
import { expect, test } from "vitest";
import { contractChanges } from "../src/drift/contract-changes.ts";
import { SchemaJudge } from "../src/drift/judge-schemas.ts";
import { checkLock, createLock } from "../src/index.ts";

const S = { type: "string" };

const object = (properties: JsonObject, required: string[] = []): JsonObject => ({
  type: "object",
  properties,
  required,
  additionalProperties: false,
});

/** Returns one version of tools whose schemas are hard to compare between versions. */
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
  const lock = createLock({ fs: answersOf([...hardTools(20, "a"), easy]) });
  const { servers } = checkLock(lock, { fs: answersOf([...hardTools(20, "b"), harder]) });
  const verdicts = servers[0]?.drifts.map((drift) => ("schemas" in drift ? drift.schemas?.[0]?.verdict : undefined));
  expect(verdicts).toHaveLength(21);
  expect(verdicts?.slice(0, -1).every((verdict) => verdict === "unknown")).toBe(true);
  expect(verdicts?.at(-1)).toBe("breaking");
});

test("a list of thousands of objects against as many others is unknown", () => {
  const items = (name: string) => Array.from({ length: 20_000 }, (_, i) => ({ [name]: i }));
  const before = { name: "read", inputSchema: object({ x: { const: items("a") } }, ["x"]) };
  const after = { name: "read", inputSchema: object({ x: { contains: { enum: items("b") } } }, ["x"]) };
  const { servers } = checkLock(createLock({ fs: answersOf([before]) }), { fs: answersOf([after]) });
  const [drift] = servers[0]?.drifts ?? [];
  expect(drift && "schemas" in drift ? drift.schemas : undefined).toMatchObject([
    { schema: "inputSchema", verdict: "unknown" },
  ]);
});

function judgeTools(judge: SchemaJudge, before: FingerprintedTool, after: FingerprintedTool): SchemaVerdict[] {
  const [from, to] = [toolLayers(before.definition).contract, toolLayers(after.definition).contract];
  return judge.judge(before, after, { before: from, after: to, changes: contractChanges(from, to) });
}

test("the sessions of a server share the steps, and the same change is judged once", () => {
  const [hard, harder] = [hardTools(4, "a"), hardTools(4, "b")].map(
    (tools) =>
      createLock({ fs: answersOf([...tools, { name: "zoom", inputSchema: object({ version: S }) }]) }).servers[0],
  );
  const judge = new SchemaJudge();
  const judged = (hard?.tools ?? []).slice(0, 4).map((tool, i) => {
    judge.expect(1);
    const verdicts = judgeTools(judge, tool, harder?.tools[i] ?? tool);
    judge.expect(1);
    expect(judgeTools(judge, tool, harder?.tools[i] ?? tool)).toBe(verdicts);
    return verdicts;
  });
  expect(judged).toEqual(judged.map(() => [{ schema: "inputSchema", verdict: "unknown" }]));
  const [zoom, other] = [hard?.tools.at(-1), hard?.tools[0]];
  if (!zoom || !other) throw new Error("the tools that were locked");
  expect(judgeTools(judge, zoom, other)).toMatchObject([{ schema: "inputSchema", verdict: "unknown" }]);
  expect(judgeTools(new SchemaJudge(), zoom, other)).not.toMatchObject([{ schema: "inputSchema", verdict: "unknown" }]);
});
