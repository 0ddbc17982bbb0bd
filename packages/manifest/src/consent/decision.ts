import type { Sensitivity } from "../sensitivity.ts";

/** The reasons for `denied` that the specification lists. */
export const DENIAL_REASONS = [
  "user_rejected",
  "user_timeout",
  "tool_not_supported_in_group",
  "permission_revoked",
] as const;
Object.freeze(DENIAL_REASONS);

/** A reason in the `artifact_response` to a denied call. */
export type DenialReason = (typeof DENIAL_REASONS)[number];

/** Why a call is denied before the user is asked; the specification does not list these reasons. */
export type RefusalReason = "unknown_tool" | "unknown_scope" | "duplicate_call" | "too_many_prompts";

/** A client's decision on a tool call. */
export type ConsentDecision =
  | { readonly decision: "execute" }
  | {
      readonly decision: "prompt";
      readonly call_id: string;
      readonly scope: string;
      /** The sensitivity that decides how the user is asked: the highest of the declared, the standard and the accepted one. */
      readonly sensitivity: Sensitivity;
      /** When the prompt ends without an answer, in milliseconds of the clock; absent if it has no time limit. */
      readonly expires_at?: number;
    }
  | {
      /** The call waits for a prompt that is already shown, and needs no prompt itself. */
      readonly decision: "wait";
      readonly call_id: string;
      /** The call whose prompt also decides this one. */
      readonly prompt_call_id: string;
    }
  | { readonly decision: "denied"; readonly reason: DenialReason | RefusalReason };

/** The decision on a prompt's call and on the calls that waited for the same prompt. */
export type PromptDecision = Exclude<ConsentDecision, { decision: "prompt" | "wait" }> & {
  /** The other calls with the same decision, in the order of their requests; absent if there are none. */
  readonly also?: readonly string[];
};

/** A tool call as the client received it, with its device and session. */
export interface ConsentRequest {
  readonly call_id: string;
  readonly tool_name: string;
  readonly device_id: string;
  readonly session_id: string;
  /** Whether the call comes from a group chat, where tools are not supported. */
  readonly is_group?: boolean;
}
