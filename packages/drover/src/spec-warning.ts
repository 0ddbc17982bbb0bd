/** A part of a spec that may change without changing any of the spec's hashes. */
export interface SpecWarning {
  readonly code:
    | "function-prompt"
    | "native-prompt"
    | "plugins-by-id"
    | "plugin-without-id"
    | "skills-by-name"
    | "mcp-tools"
    | "file-content"
    | "unhashed-function"
    | "schema-by-json-schema"
    | "schema-validation"
    | "custom-json"
    | "altered-value"
    | "hidden-members"
    | "uncovered-field"
    | "unseen-part"
    | "more-unseen"
    | "limited-record";
  /**
   * RFC 6901 JSON Pointer into the spec, or for `unseen-part` into the agent from which an adapter created the spec.
   */
  readonly path: string;
  readonly message: string;
}
