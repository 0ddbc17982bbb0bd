import type { JsonValue } from "@agentprint/canonical-json";
import type { RawIssue } from "../issue.ts";
import { listOf, member, show } from "../json.ts";

/** Finds duplicate names and undeclared scopes in a value that may have any form. */
export function checkReferences(manifest: unknown): RawIssue[] {
  const tools = listOf(manifest, "tools");
  const scopes = listOf(manifest, "permission_scopes");
  return [
    ...duplicates(tools, "name", (index, first, name) => ({
      code: "DUPLICATE_TOOL_NAME",
      path: ["tools", index, "name"],
      message: `Expected each tool name once, received ${show(name)} again: /tools/${first} has it`,
    })),
    ...duplicates(scopes, "id", (index, first, id) => ({
      code: "DUPLICATE_SCOPE_ID",
      path: ["permission_scopes", index, "id"],
      message: `Expected each scope id once, received ${show(id)} again: /permission_scopes/${first} has it`,
    })),
    ...unknownScopes(tools, new Set(scopes.map((scope) => member(scope, "id")))),
  ];
}

function duplicates(
  items: readonly JsonValue[],
  key: string,
  issue: (index: number, first: number, value: string) => RawIssue,
): RawIssue[] {
  const seen = new Map<string, number>();
  const found: RawIssue[] = [];
  for (const [index, item] of items.entries()) {
    const value = member(item, key);
    if (typeof value !== "string") continue;
    const first = seen.get(value);
    if (first === undefined) seen.set(value, index);
    else found.push(issue(index, first, value));
  }
  return found;
}

function unknownScopes(tools: readonly JsonValue[], declared: ReadonlySet<JsonValue | undefined>): RawIssue[] {
  return tools.flatMap((tool, index): RawIssue[] => {
    const scope = member(tool, "permission_scope");
    if (typeof scope !== "string" || scope === "" || declared.has(scope)) return [];
    const message = `Expected the id of one of permission_scopes, received ${show(scope)}`;
    return [{ code: "UNKNOWN_SCOPE", path: ["tools", index, "permission_scope"], message }];
  });
}
