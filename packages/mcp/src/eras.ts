import { isJsonObject, type JsonObject } from "@agentprint/canonical-json/json-value";
import { checkArgument } from "./check-argument.ts";
import { META } from "./protocol.ts";
import type { Era, SessionName } from "./visit-answers.ts";

/** Protocol versions without a handshake, the newest first. */
export const MODERN_VERSIONS: readonly string[] = Object.freeze(["2026-07-28"]);

/** Protocol versions with the `initialize` handshake, the newest first. */
export const LEGACY_VERSIONS: readonly string[] = Object.freeze([
  "2025-11-25",
  "2025-06-18",
  "2025-03-26",
  "2024-11-05",
  "2024-10-07",
]);

/** Returns the era of a protocol version, or `undefined` for an unknown version. */
export function eraOf(version: string): Era | undefined {
  if (MODERN_VERSIONS.includes(version)) return "modern";
  return LEGACY_VERSIONS.includes(version) ? "legacy" : undefined;
}

/** Returns the era of a session. */
export function eraOfSession(session: SessionName): Era {
  checkArgument("session", session, "string");
  return session.startsWith("modern") ? "modern" : "legacy";
}

/** Returns the era of a request: only requests of the modern era name their protocol version. */
export function eraOfRequest(request: { readonly params: JsonObject }): Era {
  checkArgument("request", request, { params: "object" });
  const {
    params: { _meta: meta },
  } = request;
  return isJsonObject(meta) && typeof meta[META.protocolVersion] === "string" ? "modern" : "legacy";
}
