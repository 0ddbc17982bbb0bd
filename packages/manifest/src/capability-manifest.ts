import type { JsonValue } from "@agentprint/canonical-json";
import type { Sensitivity } from "./sensitivity.ts";

/** The four flags, in the specification's order. */
export const CAPABILITY_FLAGS = [
  "supports_streaming",
  "supports_artifacts",
  "supports_voice",
  "supports_group_chat",
] as const;
Object.freeze(CAPABILITY_FLAGS);

/** One of {@link CAPABILITY_FLAGS}. */
export type CapabilityFlag = (typeof CAPABILITY_FLAGS)[number];

/** The JSON Schema (Draft 2020-12) of a tool's arguments: an object without undeclared members. */
export interface InputSchema {
  readonly type: "object";
  readonly additionalProperties: false;
  readonly [keyword: string]: JsonValue;
}

/** One tool in a manifest. */
export interface ManifestTool {
  /** snake_case, unique in the manifest. */
  readonly name: string;
  readonly description_i18n_key: string;
  readonly input_schema: InputSchema;
  /** The id of one of the manifest's scopes. */
  readonly permission_scope: string;
  /** In milliseconds; 10,000 if absent. */
  readonly timeout_ms?: number | undefined;
}

/** One permission scope in a manifest. */
export interface PermissionScope {
  /** Unique in the manifest; `<domain>:<action>` is suggested. */
  readonly id: string;
  readonly label_i18n_key: string;
  readonly sensitivity: Sensitivity;
}

/** The capabilities and the permissions that an agent declares. */
export interface CapabilityManifest {
  readonly schema_version: "1.0";
  /** Semantic version that the author maintains; no rule in the specification uses it. */
  readonly agent_version: string;
  readonly tools: readonly ManifestTool[];
  readonly permission_scopes: readonly PermissionScope[];
  /** An absent flag means `false`. */
  readonly capability_flags: Readonly<Partial<Record<CapabilityFlag, boolean>>>;
}
