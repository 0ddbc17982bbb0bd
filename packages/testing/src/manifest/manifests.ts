import type { CapabilityManifest, ManifestTool, PermissionScope, Sensitivity } from "@agentprint/manifest";

/** Returns a small valid manifest with some different fields. */
export function manifestOf(fields: Partial<CapabilityManifest> = {}): CapabilityManifest {
  return {
    schema_version: "1.0",
    agent_version: "1.0.0",
    tools: [toolOf("read_file"), toolOf("send", { permission_scope: "notification:send" })],
    permission_scopes: [scopeOf("files:read", "medium"), scopeOf("notification:send", "low")],
    capability_flags: { supports_streaming: true, supports_voice: false },
    ...fields,
  };
}

export function toolOf(name: string, fields: Partial<ManifestTool> = {}): ManifestTool {
  return {
    name,
    description_i18n_key: `tools.${name}`,
    input_schema: { type: "object", properties: { path: { type: "string" } }, additionalProperties: false },
    permission_scope: "files:read",
    ...fields,
  };
}

export function scopeOf(id: string, sensitivity: Sensitivity): PermissionScope {
  return { id, label_i18n_key: `scopes.${id}`, sensitivity };
}

/** The sensitivities, each the name of a tool and, after `s:`, of its scope in {@link LEVELS_MANIFEST}. */
export const LEVELS = ["low", "medium", "high"] as const;
export const LEVELS_MANIFEST: CapabilityManifest = manifestOf({
  tools: [
    ...LEVELS.map((level) => toolOf(level, { permission_scope: `s:${level}` })),
    toolOf("medium2", { permission_scope: "s:medium" }),
    toolOf("lost", { permission_scope: "none" }),
  ],
  permission_scopes: LEVELS.map((level) => scopeOf(`s:${level}`, level)),
});

/**
 * Returns {@link LEVELS_MANIFEST} with other sensitivities for its scopes; `undefined` leaves out a scope and its tool.
 */
export function levelsManifest(declared: Readonly<Record<Sensitivity, Sensitivity | undefined>>): CapabilityManifest {
  const scopes = LEVELS.flatMap((level) => {
    const sensitivity = declared[level];
    return sensitivity === undefined ? [] : [scopeOf(`s:${level}`, sensitivity)];
  });
  const ids = new Set(scopes.map(({ id }) => id));
  const tools = LEVELS_MANIFEST.tools.filter(({ permission_scope }) => ids.has(permission_scope));
  return { ...LEVELS_MANIFEST, tools, permission_scopes: scopes };
}
