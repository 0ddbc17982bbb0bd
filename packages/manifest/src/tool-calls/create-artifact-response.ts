import { CanonicalJsonError, canonicalize, type JsonValue, toPointer } from "@agentprint/canonical-json";
import { checkArgument } from "../check-argument.ts";
import { type ConsentDecision, DENIAL_REASONS } from "../consent/decision.ts";
import { ManifestError } from "../errors.ts";
import { type ArtifactResponse, ArtifactResponseSchema } from "./messages.ts";

/**
 * The result of a call on the client: the consent gate denied it, it ran (with the result `undefined` if the tool
 * returns nothing), or it failed with a text that explains why.
 */
export type ToolOutcome =
  | Extract<ConsentDecision, { decision: "denied" }>
  | { readonly result: JsonValue | undefined }
  | { readonly error: string };

/**
 * Returns the response that a client sends for a tool call. The specification lists four reasons for `denied`; any
 * other reason from a consent gate is sent as an `error`. If the tool returned nothing, the response is `ok` without a
 * `result`.
 *
 * @param callId - the `call_id` of the call
 * @param outcome - a consent gate's `denied` decision, `{ result }` or `{ error }`
 * @throws {@link ManifestError} `INVALID_RESPONSE` when the result is not JSON or when a text is empty.
 *
 * @example
 * ```ts
 * import { createArtifactResponse } from "@agentprint/manifest";
 *
 * const rejected = createArtifactResponse("1", { decision: "denied", reason: "user_rejected" });
 * console.log(rejected.status); // "denied"
 * const unknown = createArtifactResponse("2", { decision: "denied", reason: "unknown_tool" });
 * console.log(unknown.status); // "error"
 * console.log(createArtifactResponse("3", { result: { lines: 3 } }).status); // "ok"
 * ```
 */
export function createArtifactResponse(callId: string, outcome: ToolOutcome): ArtifactResponse {
  checkArgument("callId", callId, "string");
  checkArgument("outcome", outcome, "object");
  const response = { subtype: "tool_response", call_id: callId, ...statusOf(outcome) };
  const parsed = ArtifactResponseSchema.safeParse(response);
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    throw new ManifestError("INVALID_RESPONSE", toPointer((issue?.path ?? []).map(String)), issue?.message ?? "");
  }
  if (parsed.data.status !== "ok" && !parsed.data.reason) {
    throw new ManifestError("INVALID_RESPONSE", "/reason", "Expected text that gives the reason, received none");
  }
  requireJson(parsed.data);
  return parsed.data;
}

function statusOf(outcome: ToolOutcome): object {
  if ("result" in outcome) {
    return { status: "ok", ...(outcome.result !== undefined && { result: outcome.result }) };
  }
  if ("error" in outcome) return { status: "error", reason: outcome.error };
  const isListed = (DENIAL_REASONS as readonly string[]).includes(outcome.reason);
  return { status: isListed ? "denied" : "error", reason: outcome.reason };
}

function requireJson(response: ArtifactResponse): void {
  try {
    canonicalize(response);
  } catch (error) {
    if (!(error instanceof CanonicalJsonError)) throw error;
    throw new ManifestError("INVALID_RESPONSE", error.path, error.message);
  }
}
