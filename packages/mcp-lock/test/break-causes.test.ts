import type { JsonObject, JsonValue } from "@agentprint/canonical-json";
import { StepBudget } from "@agentprint/schema-diff";
import { answersOf } from "@agentprint/testing/lock/offer";
import { describe, expect, test } from "vitest";
import { causesOf, type Steps } from "../src/drift/break-causes.ts";
import { checkLock, createLock, driftFindings } from "../src/index.ts";

const text = { type: "string" };
const OPEN = { type: "object", properties: { path: text }, required: ["path"], additionalProperties: {} };

function findingsOf(before: JsonObject, after: JsonObject) {
  const tool = (inputSchema: JsonValue) => [{ name: "read", inputSchema }];
  const drift = checkLock(createLock({ fs: answersOf(tool(before)) }), { fs: answersOf(tool(after)) });
  return driftFindings(drift).map(({ rule, message, note, place }) => ({ rule, message, note, at: place.pointer }));
}

function stepsOf(verdict: Steps["verdict"]): Steps {
  return { verdict, whole: (_, said) => said };
}

describe("the causes of a break", () => {
  test("have findings of their own, before what else changed", () => {
    const after = {
      ...OPEN,
      $schema: "https://json-schema.org/draft/2020-12/schema",
      properties: { path: text, mode: text },
      additionalProperties: false,
    };
    expect(findingsOf(OPEN, after).map(({ rule, message, at }) => [rule, message, at])).toEqual([
      ["mcp/free-text-added", "input accepts free text that it did not accept before", "/inputSchema/properties/mode"],
      ["mcp/tool-contract-changed", "contract changed, callers break", "/inputSchema/additionalProperties"],
      ["mcp/schema-compatible", "also changed, callers can continue", "/inputSchema/$schema"],
    ]);
  });

  test("have each the call that it breaks", () => {
    const after = { ...OPEN, properties: { path: { ...text, minLength: 2 } }, required: ["path", "mode"] };
    expect(findingsOf(OPEN, after).map(({ at, note }) => [at, note])).toEqual([
      [
        "/inputSchema/properties/path/minLength",
        'Breaking: arguments {"path":"a"} were valid and are now rejected. A hash of name and description would not detect this change',
      ],
      [
        "/inputSchema/required/1",
        'Breaking: arguments {"path":"a"} were valid and are now rejected. A hash of name and description would not detect this change',
      ],
    ]);
  });

  test("say which changes break only together", () => {
    const lengths = (most: number, least: number) => ({
      ...OPEN,
      properties: { path: { ...text, anyOf: [{ maxLength: most }, { ...text, minLength: least }] } },
    });
    const found = findingsOf(lengths(1, 1), { ...lengths(1, 1), ...lengths(0, 2) });
    expect(found.map(({ message }) => message)).toEqual(["contract changed, callers break"]);
    const judged = causesOf(
      {
        name: "inputSchema",
        before: {},
        after: { a: 1, b: 1 },
        changes: [
          { pointer: "/inputSchema/a", after: 1 },
          { pointer: "/inputSchema/b", after: 1 },
          { pointer: "/outputSchema/c", after: 1 },
        ],
      },
      stepsOf((schema) => {
        const { a, b } = schema as JsonObject;
        return { verdict: a === 1 && b === 1 ? "breaking" : "compatible" };
      }),
      new StepBudget(1000),
    );
    expect(judged).toEqual({
      causes: [{ pointers: ["/inputSchema/a", "/inputSchema/b"] }],
      rest: { verdict: "compatible" },
    });
  });

  test("what decides what a call does is said of the rest, not of the causes", () => {
    const mode = { enum: ["a", "b"], default: "a" };
    const before = { ...OPEN, properties: { path: text, mode } };
    const after = {
      ...before,
      properties: { path: text, mode: { ...mode, default: "b" } },
      required: ["path", "mode"],
    };
    expect(findingsOf(before, after)).toMatchObject([
      {
        rule: "mcp/tool-contract-changed",
        at: "/inputSchema/required/1",
        note: expect.not.stringContaining("default"),
      },
      {
        rule: "mcp/contract-unproven",
        message: "also changed in what a call does",
        at: "/inputSchema/properties/mode/default",
        note: expect.stringContaining("Whether calls still do the same could not be determined: default changed"),
      },
    ]);
  });

  test("are not named where there are too many edits: every change may be one", () => {
    const many = Array.from({ length: 300 }, (_, index) => `p${index}`);
    const found = findingsOf(OPEN, { ...OPEN, required: [...OPEN.required, ...many] });
    expect(new Set(found.map(({ rule, message }) => `${rule}: ${message}`))).toEqual(
      new Set(["mcp/tool-contract-changed: contract changed, callers break because of this or another change"]),
    );
    expect(found.filter(({ note }) => note?.includes("Breaking"))).toHaveLength(1);
  });

  test("are not named where the steps are used up, or a mixture cannot be read", () => {
    const changed = {
      name: "inputSchema",
      before: true,
      after: false,
      changes: [{ pointer: "/inputSchema", after: 1 }],
    };
    const used = new StepBudget(1);
    used.charge(2);
    const judge = (schema: JsonValue) =>
      ({ verdict: schema === 1 || schema === false ? "breaking" : "compatible" }) as const;
    expect(causesOf({ ...changed, name: "inputSchema" }, stepsOf(judge), used)).toEqual({});
    const fail = () => {
      throw new TypeError("broken");
    };
    const spending: Steps = {
      ...stepsOf(judge),
      whole: (_, said, budget) => {
        budget.charge(budget.left);
        return said;
      },
    };
    expect(causesOf({ ...changed, name: "inputSchema" }, stepsOf(judge), new StepBudget(9))).toHaveProperty("causes");
    expect(causesOf({ ...changed, name: "inputSchema" }, spending, new StepBudget(9))).toEqual({});
    expect(() => causesOf({ ...changed, name: "inputSchema" }, stepsOf(fail), new StepBudget(9))).toThrow("broken");
  });
});
