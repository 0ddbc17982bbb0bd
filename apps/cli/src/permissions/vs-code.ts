import type { PermissionEntry, WrittenEntry } from "./permission-entry.ts";

/**
 * The entries of a list of VS Code or of GitHub Copilot that are about MCP tools: `server/tool` and `server/*`.
 *
 * @see https://code.visualstudio.com/docs/agent-customization/tool-sets
 * @see https://docs.github.com/en/copilot/reference/custom-agents-configuration
 */
export function vsCodeEntries(file: string, entries: readonly WrittenEntry[]): PermissionEntry[] {
  return entries.flatMap((entry): PermissionEntry[] => {
    const [, listed, name] = /^(.*)\/([^/]+)$/s.exec(entry.written) ?? [];
    if (listed === undefined) return [];
    const covers = (server: string, tool: string): boolean => server === listed && (name === "*" || tool === name);
    return [{ ...entry, file, effect: "allow", covers }];
  });
}
