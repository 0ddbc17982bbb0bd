import type { ManifestIssueCode, ManifestWarningCode } from "@agentprint/manifest";
import type { Rule } from "@agentprint/report";

/** What each reason to refuse a manifest means and what to do about it. */
export const ISSUE_RULES: Readonly<Record<ManifestIssueCode, Rule>> = {
  DUPLICATE_SCOPE_ID: { summary: "Two scopes have one id.", help: "Remove one of them, or rename it." },
  DUPLICATE_TOOL_NAME: { summary: "Two tools have one name.", help: "Remove one of them, or rename it." },
  EMPTY_STRING: { summary: "A text that must say something is empty.", help: "Write it." },
  INPUT_SCHEMA_INVALID: {
    summary: "An input_schema breaks the meta-schema of JSON Schema Draft 2020-12.",
    help: "Correct the keyword that the finding points to.",
  },
  INPUT_SCHEMA_NOT_CLOSED: {
    summary: "An input_schema lets undeclared arguments pass.",
    help: 'Add "additionalProperties": false.',
  },
  INPUT_SCHEMA_NOT_OBJECT: { summary: "An input_schema is not one of an object.", help: 'Add "type": "object".' },
  INPUT_SCHEMA_WRONG_DIALECT: {
    summary: "An input_schema, or a schema in it, names another dialect than JSON Schema Draft 2020-12.",
    help: "Rewrite it for Draft 2020-12, and name that in $schema or nothing.",
  },
  INVALID_AGENT_VERSION: {
    summary: "agent_version is no semantic version.",
    help: "Write three numbers without leading zeros, such as 1.0.0.",
  },
  INVALID_JSON: {
    summary: "The text is not strict JSON: what one reader sees in it, another may not.",
    help: "Correct it where the finding points to: no duplicate keys, comments, trailing commas or byte order mark.",
  },
  INVALID_SENSITIVITY: { summary: "A sensitivity is none.", help: "Write low, medium or high." },
  INVALID_TIMEOUT: {
    summary: "timeout_ms is not a whole number above zero.",
    help: "Write milliseconds, or leave it out for 10000.",
  },
  INVALID_TOOL_NAME: {
    summary: "A tool name is not snake_case.",
    help: "Use a-z, 0-9 and single underscores between them, starting with a letter.",
  },
  MANIFEST_TOO_DEEP: { summary: "The manifest nests more than 256 levels.", help: "Use $defs and $ref." },
  MANIFEST_TOO_LARGE: {
    summary: "The manifest takes more than 128 KB of canonical JSON, or its text more than 512 KB.",
    help: "Use fewer tools, and oneOf where tools are alike.",
  },
  MISSING_FIELD: { summary: "A required field is missing.", help: "Add it." },
  TOO_MANY_ISSUES: {
    summary: "There are more problems than are listed: over 10,000, or their pointers take over a million characters.",
    help: "Correct those that are listed, and validate again.",
  },
  UNKNOWN_FIELD: {
    summary: "There is a key that the specification does not define.",
    help: "Remove it, or correct its spelling.",
  },
  UNKNOWN_SCOPE: {
    summary: "A tool refers to a scope that the manifest does not declare.",
    help: "Add the scope to permission_scopes, or correct the reference. Case matters.",
  },
  UNSUPPORTED_SCHEMA_VERSION: { summary: 'schema_version is not "1.0".', help: 'Write "1.0".' },
  WRONG_TYPE: { summary: "A value is of another type than the specification says.", help: "Correct its type." },
};

/** What each warning about a manifest that is accepted means and what to do about it. */
export const WARNING_RULES: Readonly<Record<ManifestWarningCode, Rule>> = {
  CONFUSABLE_SCOPE_ID: {
    summary: "A scope id has characters beyond visible ASCII, or looks like a standard scope.",
    help: "Write the id in ASCII letters, digits and punctuation, and a standard scope exactly as clients know it.",
  },
  INPUT_SCHEMA_INVALID_PATTERN: {
    summary: "A pattern is no regular expression, so that validators disagree on it or fail.",
    help: "Write an ECMA-262 regular expression, and escape what is meant literally.",
  },
  INPUT_SCHEMA_REF_CYCLE: {
    summary: "A $ref leads back to itself without going into the value: validators never end or refuse it.",
    help: "Remove the reference, or put it below a keyword such as properties or items.",
  },
  INPUT_SCHEMA_REMOTE_REF: {
    summary: "A $ref leads out of the manifest. It is never fetched, so that nobody can check the arguments.",
    help: "Copy what it refers to into $defs and refer to that.",
  },
  INPUT_SCHEMA_UNRESOLVED_REF: {
    summary: "A $ref leads nowhere.",
    help: "Correct it, or add what it refers to to $defs.",
  },
  MANIFEST_LARGE: {
    summary: "The manifest takes 64 KB of canonical JSON or more; 128 KB is the end.",
    help: "Use fewer tools, and oneOf where tools are alike.",
  },
  STANDARD_SCOPE_WEAKENED: {
    summary: "A scope that clients know is declared less sensitive than they know it.",
    help: "Declare its standard sensitivity, or use a scope of your own.",
  },
  TOO_MANY_WARNINGS: {
    summary: "There are more warnings than are listed: over 10,000, or their pointers take over a million characters.",
    help: "Look at those that are listed first.",
  },
  UNUSUAL_SCOPE_ID: {
    summary: "A scope id is not of the suggested form <domain>:<action>.",
    help: "Rename it, for example to filesystem:read.",
  },
};
