import type { JsonValue } from "@agentprint/canonical-json";
import type { CapabilityFlag } from "../capability-manifest.ts";
import type { Sensitivity } from "../sensitivity.ts";

/**
 * The verdict on each kind of change, according to the specification's two lists; `unclassified` for kinds in neither.
 */
export const VERDICTS = {
  tool_removed: "breaking",
  input_schema_changed: "breaking",
  permission_scope_escalated: "breaking",
  permission_scope_removed: "breaking",
  capability_flag_revoked: "breaking",
  tool_added: "nonBreaking",
  permission_scope_added: "nonBreaking",
  description_changed: "nonBreaking",
  label_changed: "nonBreaking",
  capability_flag_enabled: "nonBreaking",
  agent_version_changed: "nonBreaking",
  permission_scope_changed: "unclassified",
  sensitivity_changed: "unclassified",
  timeout_changed: "unclassified",
  capability_flag_shape_changed: "unclassified",
  tools_reordered: "unclassified",
  permission_scopes_reordered: "unclassified",
} as const;
Object.freeze(VERDICTS);

/** The kinds of changes to a manifest. */
export type ChangeKind = keyof typeof VERDICTS;

/** Whether a change is breaking; `unclassified` if the specification does not say. */
export type Verdict = (typeof VERDICTS)[ChangeKind];

/** One difference between two manifests. */
export interface Change {
  readonly kind: ChangeKind;
  /** RFC 6901 JSON Pointer into the later manifest, or into the earlier one if the value is gone. */
  readonly path: string;
  /** The value before; absent if there was none. */
  readonly before?: JsonValue;
  /** The value after; absent if there is none. */
  readonly after?: JsonValue;
  readonly tool?: string;
  readonly scope?: string;
  readonly flag?: CapabilityFlag;
  /** The earlier sensitivity of the scope that the change is about. */
  readonly from?: Sensitivity;
  /** The later sensitivity of the scope that the change is about. */
  readonly to?: Sensitivity;
  /** A sentence for people, in English and in Chinese. */
  readonly message: { readonly en: string; readonly zh: string };
  /**
   * Whether users are asked less often than before, or for a different permission from the one that they agreed to.
   * This is independent of the verdict.
   */
  readonly weakens_consent: boolean;
}

/** A change before its sentences are written. */
export type RawChange = Omit<Change, "message" | "weakens_consent"> & { readonly weakens_consent?: boolean };
