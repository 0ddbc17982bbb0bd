import { type PathSegment, typeName } from "@agentprint/canonical-json";
import type { z } from "zod";
import type { ManifestIssueCode, RawIssue } from "../issue.ts";
import { show } from "../json.ts";

/** The code and the expected value for each field, by its path with `*` instead of an index. */
const FIELDS: Readonly<Record<string, readonly [code: ManifestIssueCode, expected: string]>> = {
  schema_version: ["UNSUPPORTED_SCHEMA_VERSION", '"1.0"'],
  agent_version: ["INVALID_AGENT_VERSION", "a semantic version such as 1.0.0"],
  "tools/*/name": ["INVALID_TOOL_NAME", "snake_case: a-z, 0-9 and single underscores, starting with a letter"],
  "tools/*/description_i18n_key": ["EMPTY_STRING", "an i18n key"],
  "tools/*/input_schema/type": ["INPUT_SCHEMA_NOT_OBJECT", '"object"'],
  "tools/*/input_schema/additionalProperties": ["INPUT_SCHEMA_NOT_CLOSED", "false"],
  "tools/*/permission_scope": ["EMPTY_STRING", "the id of one of permission_scopes"],
  "tools/*/timeout_ms": ["INVALID_TIMEOUT", "a whole number of milliseconds above zero"],
  "permission_scopes/*/id": ["EMPTY_STRING", "a scope id such as filesystem:read"],
  "permission_scopes/*/label_i18n_key": ["EMPTY_STRING", "an i18n key"],
  "permission_scopes/*/sensitivity": ["INVALID_SENSITIVITY", '"low", "medium" or "high"'],
};

/** Translates a zod issue into this package's codes and words. */
export function describeIssue(issue: z.core.$ZodIssue, root: unknown): RawIssue[] {
  const path = issue.path.map((segment) => (typeof segment === "number" ? segment : String(segment)));
  if (issue.code === "unrecognized_keys") {
    return issue.keys.map((key) => ({
      code: "UNKNOWN_FIELD",
      path: [...path, key],
      message: `Expected only the fields of the specification, received ${show(key)}`,
    }));
  }
  const value = valueAt(root, path);
  const [code, expected] = FIELDS[path.map((segment) => (typeof segment === "number" ? "*" : segment)).join("/")] ?? [];
  if (value === undefined)
    return [{ code: missingCode(code), path, message: `Expected ${expectation(issue, expected)}, received nothing` }];
  if (code === undefined || issue.code === "invalid_type") {
    return [
      { code: "WRONG_TYPE", path, message: `Expected ${expectation(issue, expected)}, received ${typeName(value)}` },
    ];
  }
  return [{ code, path, message: `Expected ${expected}, received ${show(value)}` }];
}

/**
 * Returns the code for an absent field. Without `type` or `additionalProperties`, an input schema is valid JSON Schema
 * but does not describe the closed object that the specification requires, so these two have separate codes.
 */
function missingCode(code: ManifestIssueCode | undefined): ManifestIssueCode {
  return code === "INPUT_SCHEMA_NOT_CLOSED" || code === "INPUT_SCHEMA_NOT_OBJECT" ? code : "MISSING_FIELD";
}

function expectation(issue: z.core.$ZodIssue, expected: string | undefined): string {
  if (expected !== undefined) return expected;
  return issue.code === "invalid_type" ? issue.expected : "another value";
}

function valueAt(root: unknown, path: readonly PathSegment[]): unknown {
  let value = root;
  for (const segment of path) {
    if (typeof value !== "object" || value === null || !Object.hasOwn(value, segment)) return undefined;
    value = (value as Record<PathSegment, unknown>)[segment];
  }
  return value;
}
