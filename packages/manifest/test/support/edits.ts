import { scopeOf, toolOf } from "@agentprint/testing/manifest/manifests";
import fc from "fast-check";
import type { CapabilityManifest, ManifestTool, PermissionScope } from "../../src/index.ts";

/** One change to a manifest. A valid manifest stays valid, and a manifest without the edit's target is unchanged. */
export interface Edit {
  readonly name: string;
  readonly apply: (manifest: CapabilityManifest) => CapabilityManifest;
}

function edit(name: string, apply: Edit["apply"]): Edit {
  return { name, apply };
}

function tool(name: string, change: (tool: ManifestTool) => ManifestTool): Edit["apply"] {
  return (manifest) => ({
    ...manifest,
    tools: manifest.tools.map((each) => (each.name === name ? change(each) : each)),
  });
}

function scope(id: string, change: (scope: PermissionScope) => PermissionScope): Edit["apply"] {
  return (manifest) => ({
    ...manifest,
    permission_scopes: manifest.permission_scopes.map((each) => (each.id === id ? change(each) : each)),
  });
}

function moveLast<T>(items: readonly T[], isIt: (item: T) => boolean): T[] {
  return [...items.filter((item) => !isIt(item)), ...items.filter(isIt)];
}

function moveTo(id: string): (each: ManifestTool) => ManifestTool {
  return (each) => ({ ...each, permission_scope: id });
}

const SCHEMA = { type: "object", properties: { path: { type: "number" } }, additionalProperties: false } as const;

/**
 * At least one edit for each kind of change. No two edits change the same part of the manifest for which they are made.
 */
export const EDITS: readonly Edit[] = [
  edit("version", (manifest) => ({ ...manifest, agent_version: "9.9.9" })),
  edit("remove a", (manifest) => ({ ...manifest, tools: manifest.tools.filter(({ name }) => name !== "a") })),
  edit(
    "schema of b",
    tool("b", (each) => ({ ...each, input_schema: SCHEMA })),
  ),
  edit(
    "timeout of b",
    tool("b", (each) => ({ ...each, timeout_ms: 10_000 })),
  ),
  edit(
    "description of b",
    tool("b", (each) => ({ ...each, description_i18n_key: "other" })),
  ),
  edit(
    "raise the scope of c",
    scope("s:2", (each) => ({ ...each, sensitivity: "high" })),
  ),
  edit(
    "lower the scope of d",
    scope("s:3", (each) => ({ ...each, sensitivity: "low" })),
  ),
  edit("move e", (manifest) =>
    manifest.permission_scopes.some(({ id }) => id === "t:medium") ? tool("e", moveTo("t:medium"))(manifest) : manifest,
  ),
  edit("put f last", (manifest) => ({ ...manifest, tools: moveLast(manifest.tools, ({ name }) => name === "f") })),
  edit("add a tool", (manifest) => {
    const [first] = manifest.permission_scopes;
    if (!first || manifest.tools.some(({ name }) => name === "new")) return manifest;
    return { ...manifest, tools: [toolOf("new", { permission_scope: first.id }), ...manifest.tools] };
  }),
  edit("add a scope", (manifest) =>
    manifest.permission_scopes.some(({ id }) => id === "n:n")
      ? manifest
      : { ...manifest, permission_scopes: [...manifest.permission_scopes, scopeOf("n:n", "low")] },
  ),
  edit("remove t:gone", (manifest) =>
    manifest.tools.some(({ permission_scope }) => permission_scope === "t:gone")
      ? manifest
      : { ...manifest, permission_scopes: manifest.permission_scopes.filter(({ id }) => id !== "t:gone") },
  ),
  edit(
    "raise t:unused",
    scope("t:unused", (each) => ({ ...each, sensitivity: "high" })),
  ),
  edit(
    "label of t:label",
    scope("t:label", (each) => ({ ...each, label_i18n_key: "other" })),
  ),
  edit("put t:low last", (manifest) => ({
    ...manifest,
    permission_scopes: moveLast(manifest.permission_scopes, ({ id }) => id === "t:low"),
  })),
  edit("revoke streaming", (manifest) => ({
    ...manifest,
    capability_flags: { ...manifest.capability_flags, supports_streaming: false },
  })),
  edit("enable artifacts", (manifest) => ({
    ...manifest,
    capability_flags: { ...manifest.capability_flags, supports_artifacts: true },
  })),
  edit("leave out voice", ({ capability_flags: { supports_voice: _, ...capability_flags }, ...manifest }) => ({
    ...manifest,
    capability_flags,
  })),
];

const ids = fc.uniqueArray(fc.constantFrom("s:1", "s:2", "s:3", "t:low", "t:medium", "t:unused", "t:gone", "t:label"), {
  minLength: 1,
});
const names = fc.uniqueArray(fc.constantFrom("a", "b", "c", "d", "e", "f", "g"));

/** Valid manifests that contain the names for which the edits look. */
export const manifests: fc.Arbitrary<CapabilityManifest> = fc
  .tuple(ids, names, fc.infiniteStream(fc.nat()), fc.infiniteStream(fc.constantFrom("low", "medium", "high")))
  .map(([scopeIds, toolNames, numbers, levels]) => ({
    schema_version: "1.0",
    agent_version: `0.${numbers.next().value}.0-rc.1+b`,
    tools: toolNames.map((name) => {
      const number: number = numbers.next().value;
      const permission_scope = scopeIds[number % scopeIds.length] ?? "";
      return toolOf(name, { permission_scope, ...(number % 2 === 0 && { timeout_ms: number + 1 }) });
    }),
    permission_scopes: scopeIds.map((id) => scopeOf(id, levels.next().value)),
    capability_flags: { supports_streaming: numbers.next().value % 2 === 0, supports_voice: false },
  }));
