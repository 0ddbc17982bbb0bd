import type { CapabilityManifest, Sensitivity } from "@agentprint/manifest";
import { EMPTY_MANIFEST as EMPTY } from "./empty-manifest.ts";

export { EMPTY };

/** Returns a manifest with a tool `<name>` for each scope. */
export function withScopes(scopes: Readonly<Record<string, Sensitivity>>, properties: object = {}): CapabilityManifest {
  const ids = Object.entries(scopes);
  return {
    ...EMPTY,
    tools: ids.map(([id]) => ({
      name: `use_${id.replace(":", "_")}`,
      description_i18n_key: `tools.${id}`,
      input_schema: { type: "object", properties: { ...properties }, additionalProperties: false },
      permission_scope: id,
    })),
    permission_scopes: ids.map(([id, sensitivity]) => ({ id, label_i18n_key: `scopes.${id}`, sensitivity })),
  };
}

/** Returns a manifest whose canonical JSON has exactly `bytes` bytes. */
export function ofSize(bytes: number): CapabilityManifest {
  const manifest = (label: string): CapabilityManifest => ({
    ...EMPTY,
    permission_scopes: [{ id: "a:b", label_i18n_key: label, sensitivity: "low" }],
  });
  const overhead = new TextEncoder().encode(JSON.stringify(manifest(""))).length;
  return manifest("x".repeat(bytes - overhead));
}
