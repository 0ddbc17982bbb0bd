import { expect, test } from "vitest";
import { fingerprintTool } from "../src/index.ts";
import { diffTools, equalRenames, similarityOf } from "../src/judgement/index.ts";

function tool(name: string, more: object = {}) {
  const definition = { name, inputSchema: { type: "object" }, ...more };
  return { definition, digests: fingerprintTool(definition) };
}

test("tools that differ in nothing but their names are one tool, and no judge is asked about them", () => {
  const [removed, added, other] = [tool("read_file"), tool("get_file"), tool("get_file", { title: "T" })];
  expect(equalRenames([removed], [other, added])).toEqual([
    { before: removed, after: added, similarity: 1, isEqual: true },
  ]);
  const asked: number[] = [];
  const judge = {
    expect: (tools: number) => void asked.push(tools),
    changes: () => {
      throw new Error("asked");
    },
  };
  const [before, after] = [new Map([["read_file", removed]]), new Map([["get_file", added]])];
  const drifts = diffTools(before, after, judge, equalRenames);
  expect(drifts).toEqual([
    {
      type: "tool-renamed",
      name: "get_file",
      previousName: "read_file",
      similarity: 1,
      layers: ["contract"],
      changes: [{ layer: "contract", pointer: "/name", before: "read_file", after: "get_file" }],
    },
  ]);
  expect(asked).toEqual([0]);
});

test("two tools are as similar as what they have in common", () => {
  expect(similarityOf(tool("read_file"), tool("read_file"))).toBe(1);
  expect(similarityOf(tool("read"), tool("write", { description: "Writes" }))).toBeCloseTo(1 / 3);
});
