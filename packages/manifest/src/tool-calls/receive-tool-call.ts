import { isObject } from "@agentprint/canonical-json";
import { attempt } from "../attempt.ts";
import type { CapabilityManifest } from "../capability-manifest.ts";
import { checkArgument, MANIFEST } from "../check-argument.ts";
import type { ConsentGate } from "../consent/consent-gate.ts";
import type { ConsentDecision, ConsentRequest } from "../consent/decision.ts";
import { type ReceivedToolCall, readCallId, readToolCall } from "./read-tool-call.ts";

/** A call that a client received, with its consent gate's decision. */
export interface DecidedToolCall {
  readonly call_id: string;
  readonly decision: ConsentDecision;
  /** The checked call; absent for a call from a group, which is denied unread. */
  readonly received?: ReceivedToolCall;
}

/**
 * Reads a call that an agent sent and passes it to the consent gate, in the specification's order: a call from a group
 * chat is denied as `tool_not_supported_in_group`, whatever its other faults are, and every other call is checked
 * before the user is asked.
 *
 * @param call - the decrypted message, which may come from anyone
 * @param place - the client's device and session, and whether the call came from a group chat
 * @param options - `maxArgumentBytes`: the maximum number of canonical bytes in the arguments, a whole number. Default
 * 64 KB
 * @throws {@link ManifestError} as {@link readToolCall} does; for a call from a group, only `INVALID_TOOL_CALL`, when
 * it has no `call_id` to which a response could be sent.
 *
 * @example
 * ```ts
 * import { createConsentGate, receiveToolCall } from "@agentprint/manifest";
 *
 * const manifest = { schema_version: "1.0", agent_version: "1.0.0", tools: [], permission_scopes: [], capability_flags: {} } as const;
 * const gate = createConsentGate({ now: () => 0 });
 * const sent = { subtype: "tool_call", call_id: "1", tool_name: "no_such_tool", arguments: {} };
 * const place = { device_id: "phone", session_id: "s", is_group: true };
 * const { decision } = receiveToolCall(sent, manifest, gate, place);
 * console.log(decision.decision === "denied" && decision.reason); // "tool_not_supported_in_group"
 * ```
 */
export function receiveToolCall(
  call: unknown,
  manifest: CapabilityManifest,
  gate: ConsentGate,
  place: Pick<ConsentRequest, "device_id" | "session_id" | "is_group">,
  options: { readonly maxArgumentBytes?: number | undefined } = {},
): DecidedToolCall {
  checkArgument("manifest", manifest, MANIFEST);
  checkArgument("gate", gate, "object");
  checkArgument("place", place, "object");
  checkArgument("options", options, "object");
  if (place.is_group) {
    const call_id = readCallId(attempt(() => (isObject(call) ? call["call_id"] : undefined)));
    return { call_id, decision: gate.request(manifest, { ...place, call_id, tool_name: "" }) };
  }
  const received = readToolCall(call, manifest, options);
  const { call_id, tool_name } = received.call;
  return { call_id, decision: gate.request(manifest, { ...place, call_id, tool_name }), received };
}
