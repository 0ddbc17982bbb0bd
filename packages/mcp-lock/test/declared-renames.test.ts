import { fingerprintTool } from "@agentprint/tool-pins";
import { expect, test } from "vitest";
import { declaredRenames } from "../src/drift/declared-renames.ts";

test("declared renames lead over names that no tool has", () => {
  const tool = (name: string) => {
    const definition = { name, inputSchema: { type: "object" } };
    return { definition, digests: fingerprintTool(definition) };
  };
  const [removed, added] = [tool("a"), tool("c")];
  const declared = new Map([
    ["a", "b"],
    ["b", "c"],
  ]);
  expect(declaredRenames(declared)([removed], [added])).toEqual([
    { before: removed, after: added, similarity: 1, isEqual: true, isDeclared: true },
  ]);
  // A cycle leads nowhere.
  const circle = new Map([
    ["a", "b"],
    ["b", "a"],
  ]);
  expect(declaredRenames(circle)([removed], [tool("other")])).not.toContainEqual(
    expect.objectContaining({ isDeclared: true }),
  );
});
