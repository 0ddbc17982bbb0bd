import { writeFileSync } from "node:fs";
import { expect, test } from "vitest";
import { toolsServer } from "../support/tools-server.ts";
import { Workspace } from "../support/workspace.ts";

/** Returns the input schema of a tool with one required property. */
const input = (name: string, schema: object): object => ({
  type: "object",
  properties: { [name]: schema },
  required: [name],
});

const folder = (self: string): object => ({
  type: "object",
  description: "A folder",
  properties: { name: { type: "string", description: "its name" }, inside: { type: "array", items: { $ref: self } } },
  required: ["name", "inside"],
});
const queue = (self: string): object => ({
  type: "object",
  description: "A queue",
  properties: { size: { type: "number" }, next: { $ref: self } },
  required: ["size"],
});
const [FIRST, SECOND] = ["#/$defs/__schema0", "#/$defs/__schema1"];
const both = (properties: object, $defs: object): object => ({
  type: "object",
  properties,
  required: ["docs", "mails"],
  $defs,
});

const LIMIT = {
  type: "object",
  description: "A limit",
  properties: { count: { type: "integer", default: 10, description: "How many" } },
};

const mail = (pattern: string): object => input("to", { type: "string", format: "email", pattern });

/**
 * Each input in the notations of two library versions, and the report on a change from either notation to the other.
 */
const PAIRS: readonly { name: string; notations: readonly [object, object]; findings: string[]; sections: string[] }[] =
  [
    {
      name: "the pattern of a mail address, with lookaheads and without",
      notations: [
        mail("^(?!\\.)(?!.*\\.\\.)([A-Za-z0-9_'+\\-\\.]*)[A-Za-z0-9_+-]@([A-Za-z0-9][A-Za-z0-9\\-]*\\.)+[A-Za-z]{2,}$"),
        mail(
          "^(?:[A-Za-z0-9_'+\\-]+\\.)*[A-Za-z0-9_'+\\-]*[A-Za-z0-9_+-]@(?:[A-Za-z0-9][A-Za-z0-9\\-]*\\.)+[A-Za-z]{2,}$",
        ),
      ],
      findings: [
        "mcp/values-widened: values that the input accepts could not be compared with the earlier ones",
        "mcp/contract-unproven: contract changed, nothing is proven",
      ],
      sections: ["## Breaking changes", "## Other changes"],
    },
    {
      name: "definitions that a library numbers in their order",
      notations: [
        both(
          { docs: { $ref: FIRST }, mails: { $ref: SECOND } },
          { __schema0: folder(FIRST), __schema1: queue(SECOND) },
        ),
        both(
          { mails: { $ref: FIRST }, docs: { $ref: SECOND } },
          { __schema0: queue(FIRST), __schema1: folder(SECOND) },
        ),
      ],
      findings: ["mcp/schema-compatible: contract changed, callers can continue"],
      sections: ["## Other changes"],
    },
    {
      name: "a definition with a default, and its schema in place",
      notations: [
        { ...input("limit", { $ref: "#/$defs/Limit" }), $defs: { Limit: LIMIT } },
        { ...input("limit", LIMIT) },
      ],
      findings: ["mcp/schema-compatible: contract changed, callers can continue"],
      sections: ["## Other changes"],
    },
    {
      name: "definitions of two drafts",
      notations: [
        { ...input("limit", { $ref: "#/definitions/Limit" }), definitions: { Limit: LIMIT } },
        { ...input("limit", { $ref: "#/$defs/Limit" }), $defs: { Limit: LIMIT } },
      ],
      findings: ["mcp/schema-compatible: contract changed, callers can continue"],
      sections: ["## Other changes"],
    },
    {
      name: "a choice with null, and a list of types",
      notations: [
        input("note", { anyOf: [{ type: "string" }, { type: "null" }] }),
        input("note", { type: ["string", "null"] }),
      ],
      findings: ["mcp/schema-compatible: contract changed, callers can continue"],
      sections: ["## Other changes"],
    },
  ];

/** Runs `diff` on a server before and after its tool's input changes. */
function diffOf(space: Workspace, before: object, after: object) {
  writeFileSync(space.path("before.cjs"), toolsServer([{ name: "send", inputSchema: before }]));
  writeFileSync(space.path("after.cjs"), toolsServer([{ name: "send", inputSchema: after }]));
  return (...options: string[]) => space.run(["diff", "node before.cjs", "node after.cjs", ...options]);
}

test.each(
  PAIRS.flatMap(({ notations: [one, other], ...rest }) => [
    { ...rest, way: "one way", before: one, after: other },
    { ...rest, way: "and back", before: other, after: one },
  ]),
)("$name: $way", async ({ before, after, findings, sections }) => {
  using space = new Workspace();
  const diff = diffOf(space, before, after);
  const report = JSON.parse((await diff("--format", "json")).stdout) as {
    findings: { rule: string; message: string }[];
  };
  expect(report.findings.map(({ rule, message }) => `${rule}: ${message}`)).toEqual(findings);
  const { code, stdout } = await diff("--changelog");
  expect(code).toBe(1);
  expect(stdout.match(/^## (?!agentprint).*$/gm)).toEqual(sections);
  expect(stdout).toContain(`| \`after\` | 1 | ${findings.length} | 0 | 0 | drifted |`);
});

const limited = (count: object, required: string[] = []): object => ({
  type: "object",
  properties: { count, other: { type: "boolean" } },
  required,
});

test.each([
  ["required members in another order", limited({}, ["count", "other"]), limited({}, ["other", "count"]), "## Notes"],
  ["another default", limited({ default: 1 }), limited({ default: 2 }), "## Other changes"],
  ["a newly required parameter", limited({}), limited({}, ["count"]), "## Breaking changes"],
  [
    "the bounds that zod 4 writes",
    limited({ type: "integer" }),
    limited({ type: "integer", minimum: Number.MIN_SAFE_INTEGER, maximum: Number.MAX_SAFE_INTEGER }),
    "## Breaking changes",
  ],
])("a changelog has one section for %s", async (_name, before, after, section) => {
  using space = new Workspace();
  const { stdout } = await diffOf(space, before, after)("--changelog");
  expect(stdout.match(/^## (?!agentprint).*$/gm)).toEqual([section]);
});
