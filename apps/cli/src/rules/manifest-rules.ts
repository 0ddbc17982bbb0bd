import type { ManifestIssueCode, ManifestWarningCode } from "@agentprint/manifest";
import type { Rule } from "@agentprint/report";

/** The id of the rule that a code of the specification stands for: `manifest/unknown-scope` for `UNKNOWN_SCOPE`. */
export type ManifestRuleId<Code extends string> = `manifest/${KebabCase<Lowercase<Code>>}`;

type KebabCase<Text extends string> = Text extends `${infer First}_${infer Rest}`
  ? `${First}-${KebabCase<Rest>}`
  : Text;

/** The id of the rule that a code of the specification stands for. */
export function manifestRuleId<Code extends string>(code: Code): ManifestRuleId<Code> {
  return `manifest/${code.toLowerCase().replaceAll("_", "-")}` as ManifestRuleId<Code>;
}

/** What each reason to refuse a manifest means and what to do about it. */
export const ISSUE_RULES: Readonly<Record<ManifestRuleId<ManifestIssueCode>, Rule>> = {
  "manifest/duplicate-scope-id": {
    level: "error",
    summary: "Two scopes have one id.",
    help: "Remove one of them, or rename it.",
  },
  "manifest/duplicate-tool-name": {
    level: "error",
    summary: "Two tools have one name.",
    help: "Remove one of them, or rename it.",
  },
  "manifest/empty-string": {
    level: "error",
    summary: "A text that must say something is empty.",
    help: "Write it.",
  },
  "manifest/input-schema-invalid": {
    level: "error",
    summary: "An input_schema breaks the meta-schema of JSON Schema Draft 2020-12.",
    help: "Correct the keyword that the finding points to.",
  },
  "manifest/input-schema-not-closed": {
    level: "error",
    summary: "An input_schema lets undeclared arguments pass.",
    help: 'Add "additionalProperties": false.',
  },
  "manifest/input-schema-not-object": {
    level: "error",
    summary: "An input_schema is not one of an object.",
    help: 'Add "type": "object".',
  },
  "manifest/input-schema-wrong-dialect": {
    level: "error",
    summary: "An input_schema, or a schema in it, names another dialect than JSON Schema Draft 2020-12.",
    help: "Rewrite it for Draft 2020-12, and name that in $schema or nothing.",
  },
  "manifest/invalid-agent-version": {
    level: "error",
    summary: "agent_version is no semantic version.",
    help: "Write three numbers without leading zeros, such as 1.0.0.",
  },
  "manifest/invalid-json": {
    level: "error",
    summary: "The text is not strict JSON: what one reader sees in it, another may not.",
    help: "Correct it where the finding points to: no duplicate keys, comments, trailing commas or byte order mark.",
  },
  "manifest/invalid-sensitivity": {
    level: "error",
    summary: "A sensitivity is none.",
    help: "Write low, medium or high.",
  },
  "manifest/invalid-timeout": {
    level: "error",
    summary: "timeout_ms is not a whole number above zero.",
    help: "Write milliseconds, or leave it out for 10000.",
  },
  "manifest/invalid-tool-name": {
    level: "error",
    summary: "A tool name is not snake_case.",
    help: "Use a-z, 0-9 and single underscores between them, starting with a letter.",
  },
  "manifest/manifest-too-deep": {
    level: "error",
    summary: "The manifest nests more than 256 levels.",
    help: "Use $defs and $ref.",
  },
  "manifest/manifest-too-large": {
    level: "error",
    summary: "The manifest takes more than 128 KB of canonical JSON, or its text more than 512 KB.",
    help: "Use fewer tools, and oneOf where tools are alike.",
  },
  "manifest/missing-field": {
    level: "error",
    summary: "A required field is missing.",
    help: "Add it.",
  },
  "manifest/too-many-issues": {
    level: "error",
    summary: "There are more problems than are listed: over 10,000, or their pointers take over a million characters.",
    help: "Correct those that are listed, and validate again.",
  },
  "manifest/unknown-field": {
    level: "error",
    summary: "There is a key that the specification does not define.",
    help: "Remove it, or correct its spelling.",
  },
  "manifest/unknown-scope": {
    level: "error",
    summary: "A tool refers to a scope that the manifest does not declare.",
    help: "Add the scope to permission_scopes, or correct the reference. Case matters.",
  },
  "manifest/unsupported-schema-version": {
    level: "error",
    summary: 'schema_version is not "1.0".',
    help: 'Write "1.0".',
  },
  "manifest/wrong-type": {
    level: "error",
    summary: "A value is of another type than the specification says.",
    help: "Correct its type.",
  },
};

/** What each warning about a manifest that is accepted means and what to do about it. */
export const WARNING_RULES: Readonly<Record<ManifestRuleId<ManifestWarningCode>, Rule>> = {
  "manifest/confusable-scope-id": {
    level: "warning",
    summary: "A scope id has characters beyond visible ASCII, or looks like a standard scope.",
    help: "Write the id in ASCII letters, digits and punctuation, and a standard scope exactly as clients know it.",
  },
  "manifest/input-schema-invalid-pattern": {
    level: "warning",
    summary: "A pattern is no regular expression, so that validators disagree on it or fail.",
    help: "Write an ECMA-262 regular expression, and escape what is meant literally.",
  },
  "manifest/input-schema-ref-cycle": {
    level: "warning",
    summary: "A $ref leads back to itself without going into the value: validators never end or refuse it.",
    help: "Remove the reference, or put it below a keyword such as properties or items.",
  },
  "manifest/input-schema-remote-ref": {
    level: "warning",
    summary: "A $ref leads out of the manifest. It is never fetched, so that nobody can check the arguments.",
    help: "Copy what it refers to into $defs and refer to that.",
  },
  "manifest/input-schema-unresolved-ref": {
    level: "warning",
    summary: "A $ref leads nowhere.",
    help: "Correct it, or add what it refers to to $defs.",
  },
  "manifest/manifest-large": {
    level: "warning",
    summary: "The manifest takes 64 KB of canonical JSON or more; 128 KB is the end.",
    help: "Use fewer tools, and oneOf where tools are alike.",
  },
  "manifest/standard-scope-weakened": {
    level: "warning",
    summary: "A scope that clients know is declared less sensitive than they know it.",
    help: "Declare its standard sensitivity, or use a scope of your own.",
  },
  "manifest/too-many-warnings": {
    level: "warning",
    summary: "There are more warnings than are listed: over 10,000, or their pointers take over a million characters.",
    help: "Look at those that are listed first.",
  },
  "manifest/unusual-scope-id": {
    level: "warning",
    summary: "A scope id is not of the suggested form <domain>:<action>.",
    help: "Rename it, for example to filesystem:read.",
  },
};
