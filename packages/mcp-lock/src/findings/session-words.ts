import type { Era, SessionName, View } from "@agentprint/mcp";

/** Returns the name of an era in a report. */
export function eraInWords(era: Era): string {
  return era === "legacy" ? "with the initialize handshake" : "without a handshake (2026-07-28)";
}

/** Returns the name of a session in a report. */
export function sessionInWords(session: SessionName): string {
  const [era, view] = session.split("/") as [Era, View];
  return `${eraInWords(era)} by ${view === "bare" ? "a bare client" : "the common client"}`;
}
