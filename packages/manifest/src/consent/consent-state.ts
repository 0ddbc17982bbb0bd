import { toPointer } from "@agentprint/canonical-json";
import * as z from "zod";
import { ManifestError } from "../errors.ts";
import { SENSITIVITIES, type Sensitivity } from "../sensitivity.ts";

const PLACE = { device_id: z.string(), session_id: z.string(), scope: z.string() };

const State = z.strictObject({
  version: z.literal(1),
  accepted: z.array(z.strictObject({ scope: z.string(), sensitivity: z.enum(SENSITIVITIES) })).default([]),
  grants: z.array(z.strictObject({ ...PLACE, at: z.number() })),
  revoked: z.array(z.string()),
  prompts: z.array(
    z.strictObject({
      ...PLACE,
      call_id: z.string(),
      at: z.number(),
      sensitivity: z.enum(SENSITIVITIES),
      revoked: z.literal(true).optional(),
    }),
  ),
});

/** The device, session and scope to which a consent applies. */
export interface ConsentPlace {
  readonly device_id: string;
  readonly session_id: string;
  readonly scope: string;
}

/** A prompt that waits for the user. */
export interface PendingPrompt extends ConsentPlace {
  readonly call_id: string;
  /** When the user was asked, in milliseconds of the clock. */
  readonly at: number;
  readonly sensitivity: Sensitivity;
  /**
   * Whether the permission was revoked after the user was asked. The call is denied even if the permission is restored.
   */
  readonly revoked?: true | undefined;
}

/** A consent gate's state as plain JSON. Store it and pass it to the next gate. */
export interface ConsentState {
  readonly version: 1;
  /** Scopes that the user accepted, each with the sensitivity that was declared then. */
  readonly accepted: readonly { readonly scope: string; readonly sensitivity: Sensitivity }[];
  /** Consents with their last use, in milliseconds of the clock. */
  readonly grants: readonly (ConsentPlace & { readonly at: number })[];
  /** Scopes that were revoked. */
  readonly revoked: readonly string[];
  readonly prompts: readonly PendingPrompt[];
}

/**
 * Checks a stored state and returns it.
 *
 * @throws {@link ManifestError} `INVALID_STATE` when a value is not the result of `state()`.
 */
export function readConsentState(state: unknown): ConsentState {
  const result = State.safeParse(state);
  if (result.success) return result.data;
  const [issue] = result.error.issues;
  throw new ManifestError("INVALID_STATE", toPointer((issue?.path ?? []).map(String)), issue?.message ?? "");
}
