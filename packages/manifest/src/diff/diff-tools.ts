import { canonicalize, toPointer } from "@agentprint/canonical-json";
import type { CapabilityManifest, ManifestTool, PermissionScope } from "../manifest-schema.ts";
import { compareSensitivity, isBelowStandard, type Sensitivity, stricterSensitivity } from "../sensitivity.ts";
import { isReordered, type Pair, pairByKey } from "./by-key.ts";
import type { Fact } from "./change.ts";
import { isSameJson } from "./is-same-json.ts";

/** What changed in the tools, and whose scopes' own sensitivity is thereby told. */
export function diffTools(
  before: CapabilityManifest,
  after: CapabilityManifest,
): { readonly facts: Fact[]; readonly attributed: ReadonlySet<string> } {
  const pairs = pairByKey(before.tools, after.tools, ({ name }) => name);
  const [oldScopes, youngScopes] = [scopesById(before), scopesById(after)];
  const attributed = new Set<string>();
  const gone = goneTools(pairs, oldScopes);
  const facts = pairs.flatMap(({ before: old, after: young }): Fact[] => {
    if (old === undefined) return [added(young.item, young.index, weakensAsRenamed(young.item, gone, youngScopes))];
    if (young === undefined) return [removed(old.item, old.index)];
    if (old.item.permission_scope === young.item.permission_scope) attributed.add(young.item.permission_scope);
    return [
      ...diffSchema(old.item, young.item, young.index),
      ...diffScope(old.item, young.item, young.index, oldScopes, youngScopes),
      ...diffRest(old.item, young.item, young.index),
    ];
  });
  if (isReordered(pairs)) {
    const oldNames = before.tools.map(({ name }) => name);
    const youngNames = after.tools.map(({ name }) => name);
    facts.push({ kind: "tools_reordered", path: "/tools", before: oldNames, after: youngNames });
  }
  return { facts, attributed };
}

function removed(tool: ManifestTool, index: number): Fact {
  return { kind: "tool_removed", path: toPointer(["tools", index]), before: asJson(tool), tool: tool.name };
}

function added(tool: ManifestTool, index: number, weakens_consent: boolean): Fact {
  const path = toPointer(["tools", index]);
  return { kind: "tool_added", path, after: asJson(tool), tool: tool.name, weakens_consent };
}

/** The tools that are gone: the most sensitive permission of any, and the scopes of each by its description. */
interface GoneTools {
  readonly sensitivity: Sensitivity | undefined;
  readonly scopes: ReadonlyMap<string, ReadonlySet<string>>;
}

function goneTools(pairs: readonly Pair<ManifestTool>[], oldScopes: Scopes): GoneTools {
  let sensitivity: Sensitivity | undefined;
  const scopes = new Map<string, Set<string>>();
  for (const { before, after } of pairs) {
    if (before === undefined || after !== undefined) continue;
    const { description_i18n_key, permission_scope } = before.item;
    const needed = oldScopes.get(permission_scope)?.sensitivity ?? "low";
    sensitivity = stricterSensitivity(needed, sensitivity ?? "low");
    scopes.set(description_i18n_key, (scopes.get(description_i18n_key) ?? new Set()).add(permission_scope));
  }
  return { sensitivity, scopes };
}

/**
 * Whether a new tool weakens consent where it is a tool that is gone under another name. All else may have changed too,
 * so that any of those counts: it needed a more sensitive permission, or it has the same description and another scope.
 */
function weakensAsRenamed(
  { description_i18n_key, permission_scope }: ManifestTool,
  { sensitivity, scopes }: GoneTools,
  youngScopes: Scopes,
): boolean {
  const needed = youngScopes.get(permission_scope)?.sensitivity;
  if (needed !== undefined && sensitivity !== undefined && compareSensitivity(needed, sensitivity) < 0) return true;
  return [...(scopes.get(description_i18n_key) ?? [])].some((scope) => scope !== permission_scope);
}

function asJson({ timeout_ms, ...tool }: ManifestTool): NonNullable<Fact["before"]> {
  return { ...tool, ...(timeout_ms !== undefined && { timeout_ms }) };
}

function diffSchema({ name, input_schema: before }: ManifestTool, young: ManifestTool, index: number): Fact[] {
  const after = young.input_schema;
  // Most schemas did not change at all; only the rest need their canonical form.
  if (isSameJson(before, after) || canonicalize(before) === canonicalize(after)) return [];
  return [
    { kind: "input_schema_changed", path: toPointer(["tools", index, "input_schema"]), before, after, tool: name },
  ];
}

type Scopes = ReadonlyMap<string, PermissionScope & { readonly index: number }>;

function scopesById({ permission_scopes }: CapabilityManifest): Scopes {
  return new Map(permission_scopes.map((scope, index) => [scope.id, { ...scope, index }]));
}

/** A tool is compared by the sensitivity that it has in effect: that of the scope it refers to. */
function diffScope(
  old: ManifestTool,
  young: ManifestTool,
  index: number,
  oldScopes: Scopes,
  youngScopes: Scopes,
): Fact[] {
  const [was, is] = [oldScopes.get(old.permission_scope), youngScopes.get(young.permission_scope)];
  if (was === undefined || is === undefined) return [];
  const moved = was.id !== is.id;
  const [from, to] = [was.sensitivity, is.sensitivity];
  if (!moved && from === to) return [];
  const rise = compareSensitivity(to, from);
  return [
    {
      kind: rise > 0 ? "permission_scope_escalated" : "permission_scope_changed",
      path: moved
        ? toPointer(["tools", index, "permission_scope"])
        : toPointer(["permission_scopes", is.index, "sensitivity"]),
      before: moved ? was.id : from,
      after: moved ? is.id : to,
      tool: young.name,
      from,
      to,
      weakens_consent: moved || rise < 0 || isBelowStandard(is.id, to),
    },
  ];
}

function diffRest(old: ManifestTool, young: ManifestTool, index: number): Fact[] {
  const facts: Fact[] = [];
  if (old.timeout_ms !== young.timeout_ms) {
    facts.push({
      kind: "timeout_changed",
      path: toPointer(["tools", index, "timeout_ms"]),
      ...(old.timeout_ms !== undefined && { before: old.timeout_ms }),
      ...(young.timeout_ms !== undefined && { after: young.timeout_ms }),
      tool: young.name,
    });
  }
  const [before, after] = [old.description_i18n_key, young.description_i18n_key];
  if (before !== after) {
    const path = toPointer(["tools", index, "description_i18n_key"]);
    facts.push({ kind: "description_changed", path, before, after, tool: young.name });
  }
  return facts;
}
