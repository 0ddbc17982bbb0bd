import type { Drift, Remark } from "../drift/drift.ts";
import { byRule } from "./by-rule.ts";
import { findingsOfDrift } from "./drift-findings.ts";
import { type DriftFinding, placeOfItem } from "./finding.ts";
import { sessionInWords } from "./session-words.ts";

/** The findings for one remark about a server. */
export function findingsOfRemark(server: string, remark: Remark): DriftFinding[] {
  return detailsOf(server, remark).map((finding) => ({ ...finding, isRemark: true }));
}

function detailsOf(server: string, remark: Remark): DriftFinding[] {
  const place = { subject: server, server };
  switch (remark.type) {
    case "era-divergence":
      return divergence(server, remark, "differs between eras");
    case "client-divergence":
      return divergence(server, remark, "differs between clients");
    case "undeclared-list": {
      const message = `offers ${remark.list} without the capability that declares them, so that only some clients ask for them`;
      const note = `Seen ${remark.sessions.map(sessionInWords).join(", and ")}`;
      return [{ ...byRule("mcp/undeclared-list", message), place, note }];
    }
    case "invalid-tool-header": {
      const message = `clients over HTTP have to drop this tool for its x-mcp-header: ${remark.reason}`;
      const place = { ...placeOfItem(server, "tool", remark.name), pointer: remark.pointer };
      return [{ ...byRule("mcp/invalid-tool-header", message), place }];
    }
    case "unstable-member": {
      const message = "has another value in each answer and is therefore not pinned";
      return [{ ...byRule("mcp/unstable-member", message), place: { ...place, pointer: remark.pointer } }];
    }
    case "outdated-entry": {
      const message = `was pinned by version ${remark.lockVersion} of the lock and is checked by the rules of that version`;
      const note = `agentprint pin --renew ${shellWord(server)} pins what the entry misses: the newest protocol, other clients, every list`;
      return [{ ...byRule("mcp/outdated-entry", message), place, note }];
    }
  }
}

type Divergence = Extract<Remark, { readonly drift: unknown }>;

function divergence(server: string, { type, drift, between }: Divergence, what: string): DriftFinding[] {
  const pairs = between.map(([from, to]) => `${sessionInWords(from)} (-) and ${sessionInWords(to)} (+)`);
  // The official server libraries of some languages declare other flags in each era, so that this is no reason to warn.
  const level = type === "era-divergence" && isOfCapabilities(drift) ? "note" : undefined;
  return findingsOfDrift(server, drift).map(({ message, ...finding }) => ({
    ...finding,
    ...byRule(`mcp/${type}`, `${what}: ${message}`, level),
    note: `Compared: ${pairs.join("; ")}`,
  }));
}

function isOfCapabilities(drift: Drift): boolean {
  return drift.type === "part-changed" && drift.part === "capabilities";
}

/** A text as one word of a POSIX shell. */
function shellWord(text: string): string {
  return /^[\w@%+:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}
