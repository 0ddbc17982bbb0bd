const errors = {
  parse: -32700,
  invalidRequest: -32600,
  methodNotFound: -32601,
  /** MCP also uses the code for an unknown tool or prompt. */
  invalidParams: -32602,
  internal: -32603,
  headerMismatch: -32020,
  missingClientCapability: -32021,
  unsupportedVersion: -32022,
  /** An error with which a server requests elicitations (MCP 2025-11-25, "URL Elicitation Required Error"). */
  urlElicitationRequired: -32042,
} as const;

/** Error codes of JSON-RPC and of MCP 2026-07-28 ("Error Codes"). */
export const RPC_ERROR: typeof errors = /* @__PURE__ */ Object.freeze(errors);

const keys = {
  protocolVersion: "io.modelcontextprotocol/protocolVersion",
  clientInfo: "io.modelcontextprotocol/clientInfo",
  clientCapabilities: "io.modelcontextprotocol/clientCapabilities",
  serverInfo: "io.modelcontextprotocol/serverInfo",
  /** The `subscriptions/listen` request that a notification belongs to. */
  subscriptionId: "io.modelcontextprotocol/subscriptionId",
  relatedTask: "io.modelcontextprotocol/related-task",
} as const;

/** Keys of `_meta` that the protocol defines: those of every request without a handshake, of results, of notifications. */
export const META: typeof keys = /* @__PURE__ */ Object.freeze(keys);

/** Keys of `_meta` that belong to one exchange (MCP 2026-07-28, "_meta"; W3C Trace Context, Baggage). */
export const EXCHANGE_KEYS: readonly string[] = Object.freeze([
  "progressToken",
  "traceparent",
  "tracestate",
  "baggage",
]);
