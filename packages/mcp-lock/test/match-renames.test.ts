import type { JsonObject } from "@agentprint/canonical-json";
import type { VisitAnswers } from "@agentprint/mcp";
import { answersOf } from "@agentprint/testing/lock/offer";
import { describe, expect, test } from "vitest";
import { checkLock, createLock, type Drift, diffEntries, driftFindings, lockServer } from "../src/index.ts";

function driftsOf(before: VisitAnswers, after: VisitAnswers): readonly Drift[] {
  return checkLock(createLock({ s: before }), { s: after }).servers[0]?.drifts ?? [];
}

describe("renames", () => {
  const search: JsonObject = {
    name: "searchFiles",
    description: "Searches for files that match a pattern",
    inputSchema: { type: "object", properties: { path: { type: "string" }, pattern: { type: "string" } } },
  };

  const other: JsonObject = { name: "read", inputSchema: {} };

  test("a tool that differs in its name only", () => {
    const renamed = { ...search, name: "find" };
    expect(driftsOf(answersOf([search, other]), answersOf([other, renamed]))).toEqual([
      {
        type: "tool-renamed",
        name: "find",
        previousName: "searchFiles",
        similarity: 1,
        layers: ["contract"],
        changes: [{ pointer: "/name", before: "searchFiles", after: "find", layer: "contract" }],
      },
    ]);
  });

  test("a similar tool, with all other changes", () => {
    const renamed = { ...search, name: "search_files", annotations: { readOnlyHint: true } };
    expect(driftsOf(answersOf([search]), answersOf([renamed]))).toMatchObject([
      {
        type: "tool-renamed",
        previousName: "searchFiles",
        similarity: 1,
        layers: ["contract", "hints"],
        changes: [{ pointer: "/name" }, { pointer: "/annotations/readOnlyHint" }],
      },
    ]);
  });

  test("not a tool that has only the parameters in common", () => {
    expect(
      driftsOf(
        answersOf([search]),
        answersOf([{ ...search, name: "delete_everything", description: "Deletes all" }]),
      ).map(({ type }) => type),
    ).toEqual(["item-added", "item-removed"]);
  });

  test("a tool that is as alike as a rename has to be, 60 %", () => {
    // The parameters are the same, as are four of five words in the description, but no word in the name.
    const before = { ...search, name: "alpha", description: "reads four more words" };
    const after = { ...search, name: "beta", description: "reads four more words twice" };
    expect(driftsOf(answersOf([before]), answersOf([after]))).toMatchObject([
      { type: "tool-renamed", previousName: "alpha", name: "beta", similarity: expect.closeTo(0.6, 10) },
    ]);
  });

  test("not a tool that is half alike", () => {
    const listed = (name: string, description: string) => ({ name, description, inputSchema: { type: "object" } });
    const before = answersOf([listed("alpha", "Lists all open files")]);
    const after = answersOf([listed("beta", "Lists all closed files")]);
    expect(driftsOf(before, after).map(({ type }) => type)).toEqual(["item-removed", "item-added"]);
  });

  test("the most similar of several tools are paired, the others are not", () => {
    const variant = (name: string, words: string) => ({
      ...search,
      name,
      description: `${search["description"]}${words}`,
    });
    const before = answersOf([variant("search_file", ""), variant("searchFiles", "")]);
    const after = answersOf([variant("search_files", " of text")]);
    expect(driftsOf(before, after)).toMatchObject([
      { type: "item-removed", name: "search_file" },
      { type: "tool-renamed", previousName: "searchFiles", name: "search_files" },
    ]);
    expect(driftsOf(after, before)).toMatchObject([
      { type: "tool-renamed", previousName: "search_files", name: "searchFiles" },
      { type: "item-added", name: "search_file" },
    ]);
  });

  test("each tool is in one pair at most, whatever the order of the lists", () => {
    const named = (name: string) => ({ ...search, name });
    const [before, after] = [["a", "b", "c"].map(named), ["x", "y"].map(named)];
    const pairs = (drifts: readonly Drift[]) =>
      drifts.map((drift) => (drift.type === "tool-renamed" ? `${drift.previousName}→${drift.name}` : drift.type));
    const expected = ["item-removed", "a→x", "b→y"];
    expect(pairs(driftsOf(answersOf(before), answersOf(after)))).toEqual(expected);
    expect(pairs(driftsOf(answersOf(before.toReversed()), answersOf(after.toReversed())))).toEqual(expected);
  });

  test("ten thousand tools that all changed their names", () => {
    const tools = (prefix: string) =>
      Array.from({ length: 10_000 }, (_, index) => ({ name: `${prefix}${index}`, inputSchema: { const: index } }));
    const drifts = driftsOf(answersOf(tools("old")), answersOf(tools("new")));
    expect(drifts).toHaveLength(10_000);
    expect(
      drifts.every((drift) => drift.type === "tool-renamed" && drift.previousName.slice(3) === drift.name.slice(3)),
    ).toBe(true);
  });

  test("ten thousand tools without a likely rename", () => {
    const tools = (prefix: string) =>
      Array.from({ length: 10_000 }, (_, index) => ({ name: `${prefix}${index}`, description: `${prefix} ${index}` }));
    expect(driftsOf(answersOf(tools("old")), answersOf(tools("new")))).toHaveLength(20_000);
  });
});

describe("declared renames", () => {
  const tool = (name: string, words = "Reads"): JsonObject => ({
    name,
    description: words,
    inputSchema: { type: "object" },
  });
  const diff = (
    before: readonly JsonObject[],
    after: readonly JsonObject[],
    declared: Readonly<Record<string, string>>,
  ) =>
    diffEntries(
      lockServer("s", answersOf(before)),
      lockServer("s", answersOf(after)),
      new Map(Object.entries(declared)),
    );
  const renamesOf = (...sides: Parameters<typeof diff>): string[] =>
    (diff(...sides).servers[0]?.drifts ?? []).map((drift) =>
      drift.type === "tool-renamed" ? `${drift.previousName}→${drift.name}, ${drift.isDeclared}` : drift.type,
    );

  test("pair tools that have nothing in common, and come before what is likely", () => {
    const [before, after] = [
      [tool("a"), tool("b", "Writes")],
      [tool("x"), tool("y", "Deletes all")],
    ];
    expect(renamesOf(before, after, {})).toEqual(["item-removed", "a→x, undefined", "item-added"]);
    expect(renamesOf(before, after, { a: "y" })).toEqual(["item-removed", "item-added", "a→y, true"]);
    expect(driftFindings(diff([tool("a")], [tool("x")], { a: "x" }))).toMatchObject([
      { rule: "mcp/tool-renamed", message: "renamed from a, as declared, all else is the same" },
    ]);
    const found = driftFindings(diff([tool("a")], [tool("y", "Deletes all")], { a: "y" }));
    expect(found.find(({ rule }) => rule === "mcp/tool-renamed")?.message).toMatch(
      /^renamed from a, as declared, \d+ % alike$/,
    );
  });

  test("are followed over several releases, and in no circle", () => {
    expect(renamesOf([tool("a")], [tool("c", "Other")], { a: "b", b: "c" })).toEqual(["a→c, true"]);
    expect(renamesOf([tool("a")], [tool("d", "Other")], { a: "b", b: "a" })).toEqual(["item-removed", "item-added"]);
  });

  test("say nothing of tools that are on both sides, and take a new name once", () => {
    expect(renamesOf([tool("a"), tool("b")], [tool("a"), tool("b")], { a: "b" })).toEqual([]);
    const both = renamesOf([tool("a", "One"), tool("b", "Two")], [tool("c", "Three")], { a: "c", b: "c" });
    expect(both).toEqual(["item-removed", "a→c, true"]);
  });

  test("the launch and the name of an entry are no difference", () => {
    const entry = lockServer("other", {
      ...answersOf([tool("a")]),
      launch: { type: "http", url: "https://a.example", headers: [] },
    });
    expect(diffEntries(entry, lockServer("s", answersOf([tool("a")])))).toMatchObject({
      outcome: "same",
      servers: [{ server: "s", drifts: [] }],
    });
  });
});
