import { expect, test } from "vitest";
import { fingerprintTool } from "../src/index.ts";
import { matchRenames } from "../src/judgement/match-renames.ts";

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
  expect(matchRenames([removed], [added], declared)).toEqual([
    { before: removed, after: added, similarity: 1, isDeclared: true },
  ]);
  // A circle leads nowhere.
  const circle = new Map([
    ["a", "b"],
    ["b", "a"],
  ]);
  expect(matchRenames([removed], [tool("other")], circle)).not.toContainEqual(
    expect.objectContaining({ isDeclared: true }),
  );
});
