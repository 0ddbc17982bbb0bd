import { hashCanonical } from "@agentprint/canonical-json";
import type { LockedTool } from "@agentprint/mcp-lock";

interface Row {
  readonly name: string;
  readonly before: string;
  readonly after: string;
  readonly changed: boolean;
}

const SHOWN_DIGITS = 12;

const COMMON = [
  ["name", "description"],
  ["name", "inputSchema"],
  ["name", "description", "inputSchema"],
] as const;

/** Returns the hashes of a tool before and after the change: those that checkers commonly compute, and agentprint's. */
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
  const [first, second] = [before, after].map((digest) => digest.slice(0, SHOWN_DIGITS)) as [string, string];
  return { name, before: first, after: second, changed: before !== after };
}
