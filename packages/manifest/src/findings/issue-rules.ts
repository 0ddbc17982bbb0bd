import { deepFreeze } from "@agentprint/canonical-json";
import type { Rule, Rules } from "@agentprint/findings";
import type { ManifestIssueCode } from "../issue.ts";

/** The explanation of each reason to refuse a manifest, and its remedy. */
export const ISSUE_RULES: Rules<`manifest/${ManifestIssueCode}`> = /* @__PURE__ */ deepFreeze(
  refusing({
    "manifest/DUPLICATE_SCOPE_ID": {
      level: "error",
      summary: "Two scopes have the same id.",
      help: "Remove one of them, or rename it.",
      why: "If a permission is declared twice with different meanings, users grant the one that a client happens to read.",
      example: {
        text: "Two scopes share an id; one of them gets a new id.",
        before: ["files:read", "files:read"],
        after: ["files:read", "files:write"],
      },
    },
    "manifest/DUPLICATE_TOOL_NAME": {
      level: "error",
      summary: "Two tools have the same name.",
      help: "Remove one of them, or rename it.",
      why: "A call names one tool, and it would be a matter of chance which one answers.",
      example: {
        text: "Two tools share a name; one of them is renamed.",
        before: ["read", "read"],
        after: ["read", "read_all"],
      },
    },
    "manifest/EMPTY_STRING": {
      level: "error",
      summary: "A required text is empty.",
      help: "Write it.",
      why: "Users base their decision on these texts, and an empty text says nothing.",
      example: { text: "A description is empty.", before: { description: "" }, after: { description: "Reads a file" } },
    },
    "manifest/INPUT_SCHEMA_INVALID": {
      level: "error",
      summary: "An input_schema breaks the meta-schema of JSON Schema Draft 2020-12.",
      help: "Correct the keyword that the finding points to.",
      why: "Validators refuse such a schema, or ignore the part that they do not understand.",
      example: { text: "A type is misspelled.", before: { type: "strng" }, after: { type: "string" } },
    },
    "manifest/INPUT_SCHEMA_NOT_CLOSED": {
      level: "error",
      summary: "An input_schema accepts undeclared arguments.",
      help: 'Add "additionalProperties": false.',
      why: "No user has seen an undeclared argument.",
      example: {
        text: "The schema does not restrict additional properties.",
        before: { type: "object" },
        after: { type: "object", additionalProperties: false },
      },
    },
    "manifest/INPUT_SCHEMA_NOT_OBJECT": {
      level: "error",
      summary: "An input_schema does not describe an object.",
      help: 'Add "type": "object".',
      why: "The arguments of a call are always an object.",
      example: {
        text: "The schema describes a list.",
        before: { type: "array" },
        after: { type: "object", additionalProperties: false },
      },
    },
    "manifest/INPUT_SCHEMA_WRONG_DIALECT": {
      level: "error",
      summary: "An input_schema, or a schema in it, names a dialect other than JSON Schema Draft 2020-12.",
      help: "Rewrite it for Draft 2020-12, and name that dialect in $schema or omit $schema.",
      why: "A keyword has a different meaning in another dialect, so two validators disagree.",
      example: {
        text: "The schema names draft-07.",
        before: { $schema: "http://json-schema.org/draft-07/schema#" },
        after: { $schema: "https://json-schema.org/draft/2020-12/schema" },
      },
    },
    "manifest/INVALID_AGENT_VERSION": {
      level: "error",
      summary: "agent_version is not a semantic version.",
      help: "Write three numbers without leading zeros, such as 1.0.0.",
      why: "Versions are compared to find out whether users must be asked again.",
      example: {
        text: "A version has two numbers.",
        before: { agent_version: "1.0" },
        after: { agent_version: "1.0.0" },
      },
    },
    "manifest/INVALID_JSON": {
      level: "error",
      summary: "The text is not strict JSON: different readers may see different values.",
      help: "Correct it where the finding points: no duplicate keys, comments, trailing commas or byte order mark.",
      why: "If readers disagree about a text, the user may be shown one manifest while a different one is run.",
      example: { text: "A key occurs twice." },
    },
    "manifest/INVALID_SENSITIVITY": {
      level: "error",
      summary: "A sensitivity is not low, medium or high.",
      help: "Write low, medium or high.",
      why: "The sensitivity decides how users are asked.",
      example: {
        text: "A value from another scale.",
        before: { sensitivity: "critical" },
        after: { sensitivity: "high" },
      },
    },
    "manifest/INVALID_TIMEOUT": {
      level: "error",
      summary: "timeout_ms is not a whole number above zero.",
      help: "Write milliseconds, or leave it out for 10000.",
      why: "Without a limit, a call that hangs never ends.",
      example: { text: "A limit of zero.", before: { timeout_ms: 0 }, after: { timeout_ms: 10000 } },
    },
    "manifest/INVALID_TOOL_NAME": {
      level: "error",
      summary: "A tool name is not snake_case.",
      help: "Use a-z, 0-9 and single underscores between them, starting with a letter.",
      why: "Providers refuse other names, or change them so that two names become the same.",
      example: { text: "A name in camel case.", before: { name: "readFile" }, after: { name: "read_file" } },
    },
    "manifest/MANIFEST_TOO_DEEP": {
      level: "error",
      summary: "The manifest nests more than 256 levels.",
      help: "Use $defs and $ref.",
      why: "Recursive readers fail on deep values, so no one could check them.",
      example: { text: "A schema nests 300 objects; a $ref expresses the same on one level." },
    },
    "manifest/MANIFEST_TOO_LARGE": {
      level: "error",
      summary: "The manifest takes more than 128 KB of canonical JSON, or its text more than 512 KB.",
      help: "Use fewer tools, and oneOf for similar tools.",
      why: "No one reviews a manifest of that size, and every client must hold it in memory.",
      example: { text: "Two hundred similar tools could be one tool with an enum of 200 values." },
    },
    "manifest/MISSING_FIELD": {
      level: "error",
      summary: "A required field is missing.",
      help: "Add it.",
      why: "No one can agree to something that is not stated.",
      example: {
        text: "A tool has no description.",
        before: { name: "read" },
        after: { name: "read", description: "Reads a file" },
      },
    },
    "manifest/TOO_MANY_ISSUES": {
      level: "error",
      summary: "There are more problems than listed: over 10,000, or their pointers take over a million characters.",
      help: "Correct the listed problems, and validate again.",
      why: "An endless list helps no one.",
      example: { text: "A generated file has an error in each of 20,000 tools." },
    },
    "manifest/UNKNOWN_FIELD": {
      level: "error",
      summary: "There is a key that the specification does not define.",
      help: "Remove it, or correct its spelling.",
      why: "A misspelled field is ignored, and its author believes that it works.",
      example: { text: "A field is misspelled.", before: { time_out_ms: 500 }, after: { timeout_ms: 500 } },
    },
    "manifest/UNKNOWN_SCOPE": {
      level: "error",
      summary: "A tool refers to a scope that the manifest does not declare.",
      help: "Add the scope to permission_scopes, or correct the reference. Case matters.",
      why: "No user was asked for an undeclared permission.",
      example: {
        text: "A tool refers to a scope with a different spelling.",
        before: { scopes: ["Files:read"] },
        after: { scopes: ["files:read"] },
      },
    },
    "manifest/UNSUPPORTED_SCHEMA_VERSION": {
      level: "error",
      summary: 'schema_version is not "1.0".',
      help: 'Write "1.0".',
      why: "Another version may give the same fields another meaning.",
      example: {
        text: "A version that does not exist.",
        before: { schema_version: "2" },
        after: { schema_version: "1.0" },
      },
    },
    "manifest/WRONG_TYPE": {
      level: "error",
      summary: "A value does not have the type that the specification requires.",
      help: "Correct its type.",
      why: "A value of the wrong type is read in different ways, or not at all.",
      example: { text: "A number is written as a string.", before: { timeout_ms: "500" }, after: { timeout_ms: 500 } },
    },
  }),
);

function refusing<Id extends string>(rules: Rules<Id>): Rules<Id> {
  const fixed = { fixedBecause: "the manifest is refused everywhere" };
  return Object.fromEntries(Object.entries<Rule>(rules).map(([id, rule]) => [id, { ...rule, ...fixed }])) as Rules<Id>;
}
