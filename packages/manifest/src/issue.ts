import type { PathSegment } from "@agentprint/canonical-json";

/** The codes of the issues that cause a manifest to be refused. */
export type ManifestIssueCode =
  | "DUPLICATE_SCOPE_ID"
  | "DUPLICATE_TOOL_NAME"
  | "EMPTY_STRING"
  | "INPUT_SCHEMA_INVALID"
  | "INPUT_SCHEMA_NOT_CLOSED"
  | "INPUT_SCHEMA_NOT_OBJECT"
  | "INPUT_SCHEMA_WRONG_DIALECT"
  | "INVALID_AGENT_VERSION"
  | "INVALID_JSON"
  | "INVALID_SENSITIVITY"
  | "INVALID_TIMEOUT"
  | "INVALID_TOOL_NAME"
  | "MANIFEST_TOO_DEEP"
  | "MANIFEST_TOO_LARGE"
  | "MISSING_FIELD"
  | "TOO_MANY_ISSUES"
  | "UNKNOWN_FIELD"
  | "UNKNOWN_SCOPE"
  | "UNSUPPORTED_SCHEMA_VERSION"
  | "WRONG_TYPE";

/** The codes of the warnings about an accepted manifest. */
export type ManifestWarningCode =
  | "CONFUSABLE_SCOPE_ID"
  | "INPUT_SCHEMA_INVALID_PATTERN"
  | "INPUT_SCHEMA_REF_CYCLE"
  | "INPUT_SCHEMA_REMOTE_REF"
  | "INPUT_SCHEMA_UNRESOLVED_REF"
  | "MANIFEST_LARGE"
  | "STANDARD_SCOPE_WEAKENED"
  | "TOO_MANY_WARNINGS"
  | "UNAVAILABLE_CAPABILITY"
  | "UNUSUAL_SCOPE_ID";

interface Place {
  /** RFC 6901 JSON Pointer; `""` is the root. */
  readonly path: string;
  /** A sentence that states the problem, or the expected and the received value. */
  readonly message: string;
  /**
   * Line, counted from 1, if text was given: the value's line, or the nearest enclosing value's if the value does not
   * exist.
   */
  readonly line?: number;
  /** Column in UTF-16 code units, counted from 1, if text was given. */
  readonly column?: number;
}

/** One reason why a manifest is refused. */
export interface ManifestIssue extends Place {
  readonly code: ManifestIssueCode;
}

/** A note for the author or reviewer of an accepted manifest. */
export interface ManifestWarning extends Place {
  readonly code: ManifestWarningCode;
}

/** An issue or a warning whose place is still a list of segments and not yet a pointer with a line and a column. */
export interface RawIssue<Code extends string = ManifestIssueCode> {
  readonly code: Code;
  readonly path: PathSegment[];
  readonly message: string;
}
