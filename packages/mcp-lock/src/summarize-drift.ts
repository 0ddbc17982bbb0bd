import type { DriftReport, ServerDrift } from "./drift.ts";

/** The result of a check in one line. */
export function summarizeDrift({ servers }: DriftReport): string {
  const tools = servers.reduce((sum, { checked }) => sum + checked.tool.length, 0);
  const parts = [
    named(
      "could not be read",
      servers.filter(({ outcome }) => outcome === "unknown"),
    ),
    named(
      "drifted",
      servers.filter(({ outcome }) => outcome === "drift"),
    ),
    named(
      "unchanged",
      servers.filter(({ outcome }) => outcome === "same"),
    ),
  ].flatMap((part) => part ?? []);
  const scope = `${servers.length} ${servers.length === 1 ? "server" : "servers"}, ${tools} ${tools === 1 ? "tool" : "tools"}`;
  return servers.length === 0 ? "nothing was checked" : `${parts.join("; ")} (${scope})`;
}

function named(what: string, servers: readonly ServerDrift[]): string | undefined {
  if (servers.length === 0) return undefined;
  const names = servers.slice(0, 5).map(({ server }) => server);
  const more = servers.length > 5 ? ` and ${servers.length - 5} more` : "";
  return `${names.join(", ")}${more} ${what}`;
}
