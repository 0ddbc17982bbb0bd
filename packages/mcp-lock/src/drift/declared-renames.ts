import { itemName } from "@agentprint/mcp";
import {
  equalRenames,
  type FingerprintedTool,
  type MatchRenames,
  type Rename,
  similarityOf,
} from "@agentprint/tool-pins/judgement";

/** The names of tools before and after a rename. */
export type Renames = ReadonlyMap<string, string>;

/**
 * Pairs the tools that the server's author declares as renamed, and then the tools that differ only in their names.
 *
 * @param declared - The declared renames; a tool may have been renamed several times.
 */
export function declaredRenames(declared: Renames): MatchRenames {
  return (removed, added) => {
    const own = matchDeclared(removed, added, declared);
    const taken = new Set(own.flatMap(({ before, after }) => [before, after]));
    const isLeft = (tool: FingerprintedTool): boolean => !taken.has(tool);
    return [...own, ...equalRenames(removed.filter(isLeft), added.filter(isLeft))];
  };
}

function matchDeclared(
  removed: readonly FingerprintedTool[],
  added: readonly FingerprintedTool[],
  declared: Renames,
): Rename[] {
  const open = new Map(added.map((tool) => [itemName("tool", tool.definition), tool]));
  return removed.flatMap((before): Rename[] => {
    const name = newestName(itemName("tool", before.definition), declared, open);
    const after = name === undefined ? undefined : open.get(name);
    if (name === undefined || after === undefined) return [];
    open.delete(name);
    const [equal] = equalRenames([before], [after]);
    return [{ ...(equal ?? { before, after, similarity: similarityOf(before, after) }), isDeclared: true }];
  });
}

/** Follows the declared renames, and returns the first name that an added tool has. */
function newestName(name: string, declared: Renames, added: ReadonlyMap<string, unknown>): string | undefined {
  const seen = new Set([name]);
  for (let next = declared.get(name); next !== undefined && !seen.has(next); next = declared.get(next)) {
    if (added.has(next)) return next;
    seen.add(next);
  }
  return undefined;
}
