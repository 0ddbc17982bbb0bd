import type { JsonValue } from "@agentprint/canonical-json";
import * as z from "zod";
import { DENIAL_REASONS } from "../consent/decision.ts";
import { MANIFEST_MAX_BYTES } from "../limits.ts";

/** A call's id. */
export const CallIdSchema: z.ZodString = z.string().min(1).max(128);
const Json = z.custom<JsonValue>((value) => value !== undefined);

/**
 * A `tool_call` as the agent sends it.
 *
 * @example
 * ```ts
 * import { ToolCallSchema } from "@agentprint/manifest";
 *
 * const call = { subtype: "tool_call", call_id: "1", tool_name: "read_file", arguments: { path: "a" } };
 * console.log(ToolCallSchema.safeParse(call).success); // true
 * ```
 */
export const ToolCallSchema: z.ZodType<ToolCall> = z.strictObject({
  subtype: z.literal("tool_call"),
  call_id: CallIdSchema,
  tool_name: z.string().min(1).max(MANIFEST_MAX_BYTES),
  arguments: z.record(z.string(), Json),
}) as z.ZodType<ToolCall>;

/** One call of a tool. */
export interface ToolCall {
  readonly subtype: "tool_call";
  /** Unique among the agent's calls; at most 128 characters. */
  readonly call_id: string;
  /** As many characters as a manifest may have bytes, at most. */
  readonly tool_name: string;
  readonly arguments: { readonly [name: string]: JsonValue };
}

const Subtype = z.literal("tool_response").nullish();

/**
 * An `artifact_response` as an agent reads it: `ok` with the result if there is one, `denied` with one of the four
 * reasons, or `error` with a text that describes the failure. Other members are omitted, and `null` means an absent
 * reason.
 *
 * @example
 * ```ts
 * import { ArtifactResponseSchema } from "@agentprint/manifest";
 *
 * const denied = { call_id: "1", status: "denied", reason: "user_timeout" };
 * console.log(ArtifactResponseSchema.safeParse(denied).success); // true
 * ```
 */
export const ArtifactResponseSchema: z.ZodType<ArtifactResponse> = z.discriminatedUnion("status", [
  z.object({ subtype: Subtype, call_id: CallIdSchema, status: z.literal("ok"), result: Json.optional() }),
  z.object({
    subtype: Subtype,
    call_id: CallIdSchema,
    status: z.literal("denied"),
    reason: z.enum(DENIAL_REASONS).nullish(),
  }),
  z.object({ subtype: Subtype, call_id: CallIdSchema, status: z.literal("error"), reason: z.string().nullish() }),
]) as z.ZodType<ArtifactResponse>;

/** The response to a tool call. */
export type ArtifactResponse = { readonly subtype?: "tool_response" | null; readonly call_id: string } & (
  | { readonly status: "ok"; readonly result?: JsonValue }
  | { readonly status: "denied"; readonly reason?: (typeof DENIAL_REASONS)[number] | null }
  | { readonly status: "error"; readonly reason?: string | null }
);
