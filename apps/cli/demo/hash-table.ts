import { hashCanonical } from "@agentprint/canonical-json";
import type { LockedTool } from "@agentprint/mcp-lock";
import pc from "picocolors";

interface Row {
  readonly name: string;
  readonly changed: boolean;
  readonly line: string;
}

const COMMON = [
  ["name", "description"],
  ["name", "inputSchema"],
  ["name", "description", "inputSchema"],
] as const;

/** The hashes that checkers commonly take of a tool, and agentprint's, before and after. */
export function hashTable(before: LockedTool, after: LockedTool): Row[] {
  const common = COMMON.map((members) => {
    const hash = ({ definition }: LockedTool): string =>
      hashCanonical(Object.fromEntries(members.map((member) => [member, definition[member]])));
    return row(members.join(" + "), hash(before), hash(after));
  });
  const layers = (["contract", "prose", "hints", "rest", "wire"] as const).map((layer) =>
    row(layer, before.digests[layer], after.digests[layer]),
  );
  return [...common, ...layers];
}

function row(name: string, before: string, after: string): Row {
  const changed = before !== after;
  const verdict = changed ? pc.green("sees it") : pc.dim("same");
  return { name, changed, line: `${name.padEnd(32)} ${before.slice(0, 12)}  ${after.slice(0, 12)}  ${verdict}` };
}
