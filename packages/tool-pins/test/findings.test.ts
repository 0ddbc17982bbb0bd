import { compareCodeUnits, fromPointer, type JsonObject } from "@agentprint/canonical-json";
import { anyName, anyTool } from "@agentprint/testing/lock/arbitrary-tools";
import { runs } from "@agentprint/testing/property-runs";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { compareTools, type JudgementOptions, pinTools, type ToolFinding, ToolPinsError } from "../src/index.ts";

const READ = {
  name: "read_file",
  description: "Reads one file from the disk and returns its whole text",
  inputSchema: { type: "object", properties: { path: { type: "string" } } },
};

/** Returns the findings on two listings, abbreviated. */
function found(
  before: readonly JsonObject[],
  after: readonly JsonObject[],
  options: JudgementOptions & { readonly definitions?: boolean } = {},
): string[] {
  const { definitions = true, ...judgement } = options;
  const { findings } = compareTools(pinTools(before, { definitions }), after, judgement);
  return findings.map(inShort);
}

function inShort({ rule, level, place }: ToolFinding): string {
  return [level, rule, place.tool, place.pointer].filter((part) => part !== undefined).join(" ");
}

describe("what nobody judged", () => {
  test("is an error in each layer, and unproven in the contract", () => {
    const after = {
      ...READ,
      title: "Reads",
      annotations: { readOnlyHint: true, title: "R" },
      inputSchema: { type: "object", properties: { path: { type: "string" }, to: { type: "string" } } },
      _meta: { a: 1 },
    };
    expect(found([READ], [after])).toEqual([
      "error mcp/contract-unproven read_file /inputSchema/properties/to",
      "error mcp/prose-signal read_file /title",
      "error mcp/hint-less-asking read_file /annotations/readOnlyHint",
      "error mcp/tool-hints-changed read_file /annotations/title",
      "error mcp/tool-rest-changed read_file /_meta",
    ]);
  });

  test("is nothing where the listing is the same", () => {
    expect(compareTools(pinTools([READ]), [READ])).toMatchObject({ findings: [], judgement: 1 });
  });

  test("a schema that MCP does not allow is named", () => {
    expect(found([READ], [{ ...READ, inputSchema: null }])).toEqual([
      "error mcp/schema-not-allowed read_file /inputSchema",
      "error mcp/contract-unproven read_file /inputSchema",
    ]);
    expect(found([{ ...READ, inputSchema: null }], [{ ...READ, inputSchema: 1 }])).toEqual([
      "error mcp/contract-unproven read_file /inputSchema",
    ]);
  });

  test("a text in the contract has the signals of prose", () => {
    const schema = { type: "object", properties: { path: { type: "string", default: "https://evil.example" } } };
    expect(found([READ], [{ ...READ, inputSchema: schema }])).toEqual([
      "error mcp/contract-unproven read_file /inputSchema/properties/path/default",
      "error mcp/prose-signal read_file /inputSchema/properties/path/default",
    ]);
  });
});

describe("names of tools", () => {
  test("that are new, gone, or likely changed", () => {
    const list = { name: "list", inputSchema: { type: "object" } };
    expect(
      found(
        [READ, list],
        [
          { ...READ, name: "read_text" },
          { ...list, name: "x", inputSchema: 1, title: "T" },
        ],
      ),
    ).toEqual([
      "error mcp/item-removed list",
      "error mcp/tool-renamed read_text /name",
      "warning mcp/item-added x",
      "error mcp/schema-not-allowed x /inputSchema",
    ]);
  });

  test("that look like another one", () => {
    const { findings } = compareTools(pinTools([READ], { definitions: true }), [READ, { ...READ, name: "readFile" }]);
    expect(findings.map(inShort)).toEqual(["warning mcp/item-added readFile", "error mcp/prose-signal readFile"]);
    expect(findings[1]?.note).toBe("Looks like the tool read_file");
  });

  test("that look alike are listed in their own order, whatever the listing's", () => {
    const names = ["", "\u202e", " "].map((name) => ({ name }));
    const { findings } = compareTools(pinTools([]), names);
    expect(compareTools(pinTools([]), names.toReversed()).findings).toEqual(findings);
    const folded = ["write_file", "write-file", "writeFile"].map((name) => ({ ...READ, name }));
    const tool = { ...READ, description: `${READ.description} by WRITE_FILE` };
    const pins = pinTools([READ, ...folded], { definitions: true });
    const notes = [folded, folded.toReversed()].map((tools) => compareTools(pins, [...tools, tool]).findings[0]?.note);
    expect(notes[0]).toMatch(/name .*write_file/);
    expect(notes[1]).toBe(notes[0]);
  });

  test("in another tool's text are a signal, those of other servers too", () => {
    const naming = (name: string) => [{ ...READ, description: `${READ.description}, see ${name}` }];
    expect(found([READ], naming("send_mail"))).toEqual(["error mcp/tool-prose-changed read_file /description"]);
    for (const options of [{ otherTools: ["send_mail"] }, { servers: ["send_mail"] }])
      expect(found([READ], naming("send_mail"), options)).toEqual(["error mcp/prose-signal read_file /description"]);
    expect(found([READ], naming("send_mail"), { server: "send_mail", otherTools: ["send_mail"] })).toEqual([
      "error mcp/tool-prose-changed read_file /description",
    ]);
  });

  test("have the server that is given in their places", () => {
    const { findings } = compareTools(pinTools([]), [READ], { server: "files" });
    expect(findings[0]?.place).toEqual({ subject: "files › read_file", server: "files", tool: "read_file" });
  });
});

test("without definitions, each layer that differs has a finding, and so has each name", () => {
  const gone = { name: "gone" };
  const after = [{ ...READ, title: "T", annotations: {}, _meta: {}, outputSchema: {} }, { name: "readfile" }];
  expect(found([READ, gone], after, { definitions: false })).toEqual([
    "error mcp/item-removed gone",
    "error mcp/contract-unproven read_file",
    "error mcp/tool-prose-changed read_file",
    "error mcp/tool-hints-changed read_file",
    "error mcp/tool-rest-changed read_file",
    "warning mcp/item-added readfile",
    "error mcp/prose-signal readfile",
    "error mcp/schema-not-allowed readfile /inputSchema",
  ]);
});

describe("any two listings", () => {
  const anyListing = fc
    .uniqueArray(fc.tuple(anyName, anyTool), { maxLength: 4, selector: ([name]) => name })
    .map((tools) => tools.map(([name, tool]): JsonObject => ({ ...(tool as JsonObject), name })));

  test("have a finding if and only if they differ, in the order of tools", () => {
    fc.assert(
      fc.property(anyListing, anyListing, fc.boolean(), (before, after, definitions) => {
        const { same, findings } = compareTools(pinTools(before, { definitions }), after);
        expect(findings.length === 0).toBe(same);
        const tools = findings.map(({ place }) => place.tool ?? "");
        expect(tools).toEqual(tools.toSorted(compareCodeUnits));
        for (const { place } of findings) expect(() => fromPointer(place.pointer ?? "")).not.toThrow();
      }),
      { numRuns: runs(50) },
    );
  });
});

test("many new tools whose names look alike list a few of them", () => {
  const names = Array.from({ length: 4096 }, (_, number) =>
    [...number.toString(2).padStart(12, "0")].map((bit) => (bit === "0" ? "l" : "1")).join(""),
  );
  const { findings } = compareTools(
    pinTools([], { definitions: true }),
    names.map((name) => ({ name, inputSchema: { type: "object" } })),
  );
  expect(findings).toHaveLength(2 * names.length);
  for (const { note = "" } of findings) expect(note.length).toBeLessThan(500);
});

test("a name of a megabyte above many new texts stands in no finding", () => {
  const texts = Array.from({ length: 2000 }, (_, index) => `See https://host${index}.example`);
  const toolOf = (values: string[]): JsonObject => ({
    name: "move",
    inputSchema: { type: "object", properties: { ["n".repeat(1_000_000)]: { enum: values } } },
  });
  const compared = (values: string[]): readonly ToolFinding[] =>
    compareTools(pinTools([toolOf([])], { definitions: true }), [toolOf(values)]).findings;
  const findings = compared(texts);
  expect(findings.map(inShort)).toContain("error mcp/prose-signal move /inputSchema");
  expect(findings.filter(({ rule }) => rule === "mcp/prose-signal")).toHaveLength(texts.length);
  expect(findings.reduce((length, { place }) => length + (place.pointer ?? "").length, 0)).toBeLessThan(3_000_000);
  const inOrder = (some: readonly ToolFinding[]): unknown =>
    some.flatMap(({ rule, after }) => (rule === "mcp/prose-signal" ? [after] : []));
  expect(inOrder(compared(texts.toReversed()))).toEqual(inOrder(findings));
});

test.each<[string, unknown, string]>([
  ["options", null, "options: expected an object, received null"],
  ["a judge", { judge: {} }, "options.judge: expected a function"],
  ["a server", { server: 1 }, "options.server: expected a string"],
  ["servers", { servers: "a" }, "options.servers: expected an array"],
  ["other tools", { otherTools: [1] }, "options.otherTools[0]: expected a string"],
  ["options that cannot be read", new Proxy({}, { get: () => expect.unreachable() }), "cannot be read"],
])("%s of another form are refused", (_, options, expected) => {
  let thrown: unknown;
  try {
    compareTools(pinTools([]), [], options as JudgementOptions);
  } catch (error) {
    thrown = error;
  }
  expect(thrown).toBeInstanceOf(ToolPinsError);
  expect((thrown as ToolPinsError).code).toBe("invalid-argument");
  expect((thrown as ToolPinsError).message).toContain(expected);
});
