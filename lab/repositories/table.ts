import { markdownTable } from "@agentprint/testing/markdown/markdown-table";
import type { Tried } from "./try-repository.ts";

const HEADER = ["repository", "clients", "servers", "pinned", "not pinned", "check", "a day ahead"];

/** Returns a table with a row for each repository, and above it a line with the totals. */
export function tableOf(tried: readonly Tried[]): string {
  const sorted = [...tried].sort((one, other) => (one.repository < other.repository ? -1 : 1));
  const rows = sorted.map(({ repository, clients, servers, pinned, notPinned, checks }) => [
    repository,
    clients.join(", "),
    String(servers),
    String(pinned),
    notPinned.map(({ reason, servers: times }) => `${times} ${reason}`).join("; "),
    ...checks,
  ]);
  return `${sumsOf(tried)}\n\n${markdownTable(HEADER, rows)}`;
}

function sumsOf(tried: readonly Tried[]): string {
  const sum = (of: (each: Tried) => number): number => tried.reduce((total, each) => total + of(each), 0);
  const [servers, pinned] = [sum((each) => each.servers), sum((each) => each.pinned)];
  const checked = tried.filter((each) => each.pinned > 0);
  const other = checked.filter(({ checks: [first, second] }) => first !== second).length;
  const drifted = checked.filter(({ checks }) => checks.some((check) => /mcp\/(?!not-pinned)/.test(check))).length;
  return `${tried.length} repositories, ${servers} servers, ${pinned} pinned in ${checked.length} repositories. Of these, ${drifted} showed anything but \`mcp/not-pinned\`, and ${other} gave another result a day ahead.`;
}
