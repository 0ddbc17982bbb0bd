import type { Drift, Remark } from "./drift.ts";
import { type DriftFinding, driftFindings, subjectOf } from "./drift-findings.ts";
import { sessionInWords } from "./session-words.ts";

/** The findings about what is worth knowing of a server as it is. */
export function remarkFindings(server: string, remark: Remark): DriftFinding[] {
  switch (remark.type) {
    case "era-divergence":
      return divergence(server, remark, {
        ruleId: "era-divergence",
        level: "warning",
        message: "differs between eras",
      });
    case "client-divergence":
      return divergence(server, remark, {
        ruleId: "client-divergence",
        level: "warning",
        message: "differs between clients",
      });
    case "undeclared-list":
      return [
        {
          ruleId: "undeclared-list",
          level: "warning",
          message: `offers ${remark.list} without the capability that declares them, so that only some clients ask for them`,
          subject: server,
          note: `Seen ${remark.sessions.map(sessionInWords).join(", and ")}`,
        },
      ];
    case "invalid-tool-header":
      return [
        {
          ruleId: "invalid-tool-header",
          level: "warning",
          message: `clients over HTTP have to drop this tool for its x-mcp-header: ${remark.reason}`,
          subject: subjectOf(server, "tool", remark.name),
          pointer: remark.pointer,
        },
      ];
    case "unstable-member":
      return [
        {
          ruleId: "unstable-member",
          level: "note",
          message: "is another value each time and therefore not pinned",
          subject: server,
          pointer: remark.pointer,
        },
      ];
    case "outdated-entry":
      return [
        {
          ruleId: "outdated-entry",
          level: "note",
          message: `was pinned by version ${remark.lockVersion} of the lock and is checked as that version did`,
          subject: server,
          note: `agentprint pin --renew ${shellWord(server)} pins what it misses: the newest protocol, other clients, every list`,
        },
      ];
  }
}

type Divergence = Extract<Remark, { readonly drift: unknown }>;

function divergence(
  server: string,
  { drift, between }: Divergence,
  found: Pick<DriftFinding, "ruleId" | "level" | "message">,
): DriftFinding[] {
  const pairs = between.map(([from, to]) => `${sessionInWords(from)} (-) and ${sessionInWords(to)} (+)`);
  return driftFindings(server, drift).map(({ message, ...finding }) => ({
    ...finding,
    ...found,
    // The official servers of some languages declare other flags in each era.
    ...(found.ruleId === "era-divergence" && isOfCapabilities(drift) && { level: "note" as const }),
    message: `${found.message}: ${message}`,
    note: `Compared: ${pairs.join("; ")}`,
  }));
}

function isOfCapabilities(drift: Drift): boolean {
  return drift.type === "part-changed" && drift.part === "capabilities";
}

/** A word that a POSIX shell reads back as this text. */
function shellWord(text: string): string {
  return /^[\w@%+:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}
