import { type JsonValue, ownMember, toPointer, typeName } from "@agentprint/canonical-json";
import type * as z from "zod";
import { PolicyError, type PolicyErrorCode } from "../errors.ts";

type Path = readonly PropertyKey[];

/** Returns this package's error for a zod issue. */
export function policyErrorOf(issue: z.core.$ZodIssue, root: JsonValue, outer: Path = []): PolicyError {
  const path = [...outer, ...issue.path];
  if (issue.code === "invalid_union") {
    // A rule's value is a level or an object; for an object, only its own issues are useful.
    const [, [inner]] = issue.errors as [unknown, [z.core.$ZodIssue]];
    if (typeName(valueAt(root, path)) === "object") return policyErrorOf(inner, root, path);
    return failure("invalid-value", root, path, `${oneOf(CHECK)}, or an object with check and guard`);
  }
  if (issue.code === "unrecognized_keys") {
    const place = toPointer([...path, issue.keys[0] as string].map(String));
    return new PolicyError("unknown-member", place, "unknown member", "only members that a policy has");
  }
  const expected = expectation(issue);
  if (valueAt(root, path) === undefined) return failure("missing-member", root, path, expected);
  return failure(issue.code === "invalid_type" ? "wrong-type" : "invalid-value", root, path, expected);
}

const CHECK = ["off", "note", "warning", "error"];

function failure(code: PolicyErrorCode, root: JsonValue, path: Path, expected: string): PolicyError {
  const value = valueAt(root, path);
  const isScalar = value !== undefined && (typeof value !== "object" || value === null);
  const received = value === undefined ? "nothing" : isScalar ? JSON.stringify(value).slice(0, 100) : typeName(value);
  return new PolicyError(code, toPointer(path.map(String)), `received ${received}`, expected);
}

function expectation(issue: z.core.$ZodIssue): string {
  switch (issue.code) {
    case "invalid_type":
      return issue.expected === "int" ? "a whole number" : issue.expected === "record" ? "object" : issue.expected;
    case "invalid_value":
      return oneOf(issue.values.map(String));
    case "invalid_format":
      return issue.format === "regex" ? issue.message : "a day, YYYY-MM-DD";
    case "custom":
      return issue.message;
    case "too_small":
      return issue.origin === "string" ? "a text" : `at least ${issue.minimum}`;
    default:
      return `at most ${(issue as z.core.$ZodIssueTooBig).maximum}`;
  }
}

function oneOf(values: readonly string[]): string {
  const quoted = values.map((value) => JSON.stringify(value));
  return `${quoted.slice(0, -1).join(", ")} or ${quoted.at(-1)}`;
}

function valueAt(root: JsonValue, path: Path): JsonValue | undefined {
  let value: JsonValue | undefined = root;
  for (const segment of path) {
    value = Array.isArray(value)
      ? value[Number(segment)]
      : ownMember(value as { [name: string]: JsonValue }, String(segment));
  }
  return value;
}
