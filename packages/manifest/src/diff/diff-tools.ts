import { isSameJson, toPointer } from "@agentprint/canonical-json";
import type { CapabilityManifest, ManifestTool, PermissionScope } from "../capability-manifest.ts";
import { compareSensitivity, isBelowStandard, type Sensitivity, stricterSensitivity } from "../sensitivity.ts";
import type { RawChange } from "./change.ts";
import { isReordered, type Pair, pairByKey } from "./pair-by-key.ts";

/** Returns every change to the tools, including changes in the sensitivity of the scopes that they need. */
export function diffTools(before: CapabilityManifest, after: CapabilityManifest): RawChange[] {
  const pairs = pairByKey(before.tools, after.tools, ({ name }) => name);
  const scopes = { before: scopesById(before), after: scopesById(after) };
  const removed = summarizeRemoved(pairs, scopes.before);
  const changes = pairs.flatMap((pair): RawChange[] => {
    if (pair.before === undefined) return [toolAdded(pair.after, pair.index, removed, scopes.after)];
    if (pair.after === undefined) return [toolRemoved(pair.before, pair.index)];
    return [
      ...diffSchema(pair.before, pair.after, pair.index),
      ...diffScope(pair.before, pair.after, pair.index, scopes),
      ...diffTimeout(pair.before, pair.after, pair.index),
      ...diffDescription(pair.before, pair.after, pair.index),
    ];
  });
  return isReordered(pairs) ? [...changes, reordered(before, after)] : changes;
}

type Scopes = ReadonlyMap<string, PermissionScope & { readonly index: number }>;

function scopesById({ permission_scopes }: CapabilityManifest): Scopes {
  return new Map(permission_scopes.map((scope, index) => [scope.id, { ...scope, index }]));
}

function toolRemoved(tool: ManifestTool, index: number): RawChange {
  return { kind: "tool_removed", path: toPointer(["tools", index]), before: asJson(tool), tool: tool.name };
}

function toolAdded(tool: ManifestTool, index: number, removed: RemovedTools, scopesAfter: Scopes): RawChange {
  const weakens_consent = weakensConsentAsRenamed(tool, removed, scopesAfter);
  return {
    kind: "tool_added",
    path: toPointer(["tools", index]),
    after: asJson(tool),
    tool: tool.name,
    weakens_consent,
  };
}

function asJson({ timeout_ms, ...tool }: ManifestTool): NonNullable<RawChange["before"]> {
  return { ...tool, ...(timeout_ms !== undefined && { timeout_ms }) };
}

/**
 * Facts about the removed tools, with which a new tool is compared because it may be one of them under another name.
 */
interface RemovedTools {
  /** The most sensitive permission that any removed tool needed; `undefined` if no tool was removed. */
  readonly sensitivity: Sensitivity | undefined;
  /** The scopes of the removed tools by their `description_i18n_key`. */
  readonly scopes: ReadonlyMap<string, ReadonlySet<string>>;
}

function summarizeRemoved(pairs: readonly Pair<ManifestTool>[], scopesBefore: Scopes): RemovedTools {
  let sensitivity: Sensitivity | undefined;
  const scopes = new Map<string, Set<string>>();
  for (const { before, after } of pairs) {
    if (before === undefined || after !== undefined) continue;
    const { description_i18n_key, permission_scope } = before;
    const needed = scopesBefore.get(permission_scope)?.sensitivity ?? "low";
    sensitivity = stricterSensitivity(needed, sensitivity ?? "low");
    scopes.set(description_i18n_key, (scopes.get(description_i18n_key) ?? new Set()).add(permission_scope));
  }
  return { sensitivity, scopes };
}

/**
 * Returns whether a new tool would weaken consent if it is a removed tool under another name. The two manifests do not
 * show which removed tool that would be. The tool weakens consent if it is less sensitive than the most sensitive
 * removed tool, or if a removed tool with the same description needed another scope.
 */
function weakensConsentAsRenamed(
  { description_i18n_key, permission_scope }: ManifestTool,
  { sensitivity, scopes }: RemovedTools,
  scopesAfter: Scopes,
): boolean {
  const needed = scopesAfter.get(permission_scope)?.sensitivity;
  if (needed !== undefined && sensitivity !== undefined && compareSensitivity(needed, sensitivity) < 0) return true;
  return [...(scopes.get(description_i18n_key) ?? [])].some((scope) => scope !== permission_scope);
}

function diffSchema(
  { input_schema: before }: ManifestTool,
  { input_schema: after, name }: ManifestTool,
  index: number,
): RawChange[] {
  if (isSameJson(before, after)) return [];
  const path = toPointer(["tools", index, "input_schema"]);
  return [{ kind: "input_schema_changed", path, before, after, tool: name }];
}

/** Compares a tool's effective sensitivity, which is its scope's. */
function diffScope(
  { permission_scope: idBefore }: ManifestTool,
  { permission_scope: idAfter, name }: ManifestTool,
  index: number,
  scopes: { readonly before: Scopes; readonly after: Scopes },
): RawChange[] {
  const [before, after] = [scopes.before.get(idBefore), scopes.after.get(idAfter)];
  if (before === undefined || after === undefined) return [];
  const isMoved = idBefore !== idAfter;
  const [from, to] = [before.sensitivity, after.sensitivity];
  if (!isMoved && from === to) return [];
  const rise = compareSensitivity(to, from);
  return [
    {
      kind: rise > 0 ? "permission_scope_escalated" : "permission_scope_changed",
      path: isMoved
        ? toPointer(["tools", index, "permission_scope"])
        : toPointer(["permission_scopes", after.index, "sensitivity"]),
      before: isMoved ? idBefore : from,
      after: isMoved ? idAfter : to,
      tool: name,
      from,
      to,
      weakens_consent: isMoved || rise < 0 || isBelowStandard(idAfter, to),
    },
  ];
}

function diffTimeout(
  { timeout_ms: before }: ManifestTool,
  { timeout_ms: after, name }: ManifestTool,
  index: number,
): RawChange[] {
  if (before === after) return [];
  const values = { ...(before !== undefined && { before }), ...(after !== undefined && { after }) };
  return [{ kind: "timeout_changed", path: toPointer(["tools", index, "timeout_ms"]), ...values, tool: name }];
}

function diffDescription(
  { description_i18n_key: before }: ManifestTool,
  { description_i18n_key: after, name }: ManifestTool,
  index: number,
): RawChange[] {
  if (before === after) return [];
  const path = toPointer(["tools", index, "description_i18n_key"]);
  return [{ kind: "description_changed", path, before, after, tool: name }];
}

function reordered(before: CapabilityManifest, after: CapabilityManifest): RawChange {
  const namesOf = ({ tools }: CapabilityManifest): string[] => tools.map(({ name }) => name);
  return { kind: "tools_reordered", path: "/tools", before: namesOf(before), after: namesOf(after) };
}
