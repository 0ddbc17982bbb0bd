import { matchesPattern, type PermissionEntry, type WrittenEntry } from "./permission-entry.ts";

/** A name in the spelling that Claude Code gives it in the name of a tool. */
const spelled = (name: string): string => name.replaceAll(/[^a-zA-Z0-9_-]/g, "_");

/**
 * The entries of a list of Claude Code that are about MCP tools: `mcp__server`, `mcp__server__tool`, and patterns with
 * `*`. An entry with parentheses has no effect, nor has a pattern that allows tools of any server.
 *
 * @see https://code.claude.com/docs/en/permissions
 */
export function claudeCodeEntries(
  file: string,
  effect: PermissionEntry["effect"],
  entries: readonly WrittenEntry[],
): PermissionEntry[] {
  const aboutMcp = entries.filter(({ written }) => written.startsWith("mcp__") && !written.includes("("));
  return aboutMcp.map((entry) => ({
    ...entry,
    file,
    effect,
    covers: (server, tool) => {
      const ofServer = `mcp__${spelled(server)}`;
      const name = `${ofServer}__${spelled(tool)}`;
      const { written } = entry;
      if (!written.includes("*")) return written === ofServer || written === name;
      const isOfServer = written.startsWith(`${ofServer}__`) || effect === "restrict";
      return isOfServer && matchesPattern(written, name);
    },
  }));
}
