import type { Era } from "@agentprint/mcp-lock";

/** Protocol versions without a handshake that a visit speaks, the newest first. */
export const MODERN_VERSIONS: readonly string[] = Object.freeze(["2026-07-28"]);

/** Protocol versions with the `initialize` handshake that a visit speaks, the newest first. */
export const LEGACY_VERSIONS: readonly string[] = Object.freeze([
  "2025-11-25",
  "2025-06-18",
  "2025-03-26",
  "2024-11-05",
  "2024-10-07",
]);

/** Error codes of JSON-RPC and of MCP 2026-07-28 ("Error Codes"). */
export const RPC_ERROR = {
  methodNotFound: -32601,
  invalidParams: -32602,
  headerMismatch: -32020,
  missingClientCapability: -32021,
  unsupportedVersion: -32022,
} as const;

/** Keys of `_meta` that every request of a version without a handshake carries ("Per-request protocol fields"). */
export const META = {
  protocolVersion: "io.modelcontextprotocol/protocolVersion",
  clientInfo: "io.modelcontextprotocol/clientInfo",
  clientCapabilities: "io.modelcontextprotocol/clientCapabilities",
  subscriptionId: "io.modelcontextprotocol/subscriptionId",
} as const;

/** The era of a protocol version; `undefined` for a version that a visit does not speak. */
export function eraOf(version: string): Era | undefined {
  if (MODERN_VERSIONS.includes(version)) return "modern";
  return LEGACY_VERSIONS.includes(version) ? "legacy" : undefined;
}
