const errors = {
  parse: -32700,
  invalidRequest: -32600,
  methodNotFound: -32601,
  /** MCP also uses this code for an unknown tool or prompt. */
  invalidParams: -32602,
  internal: -32603,
  headerMismatch: -32020,
  missingClientCapability: -32021,
  unsupportedVersion: -32022,
  /** The error with which a server requests elicitations (MCP 2025-11-25, "URL Elicitation Required Error"). */
  urlElicitationRequired: -32042,
} as const;

/** Error codes of JSON-RPC and of MCP 2026-07-28 ("Error Codes"). */
export const RPC_ERROR: typeof errors = /* @__PURE__ */ Object.freeze(errors);

const keys = {
  protocolVersion: "io.modelcontextprotocol/protocolVersion",
  clientInfo: "io.modelcontextprotocol/clientInfo",
  clientCapabilities: "io.modelcontextprotocol/clientCapabilities",
  serverInfo: "io.modelcontextprotocol/serverInfo",
  /** The `_meta` key that names the `subscriptions/listen` request to which a notification belongs. */
  subscriptionId: "io.modelcontextprotocol/subscriptionId",
  relatedTask: "io.modelcontextprotocol/related-task",
} as const;

/** The `_meta` keys that the protocol defines for requests without a handshake, for results and for notifications. */
export const META: typeof keys = /* @__PURE__ */ Object.freeze(keys);

/** The `_meta` keys that belong to one exchange (MCP 2026-07-28, "_meta"; W3C Trace Context, Baggage). */
export const EXCHANGE_KEYS: readonly string[] = Object.freeze([
  "progressToken",
  "traceparent",
  "tracestate",
  "baggage",
]);
