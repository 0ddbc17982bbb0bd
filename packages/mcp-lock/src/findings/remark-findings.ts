import { printable } from "@agentprint/canonical-json";
import { LISTS, type ListKind, type SessionName } from "@agentprint/mcp";
import { findingOfFault, type NameIndex } from "@agentprint/tool-pins/judgement";
import type { Drift, MovedPackage, Remark } from "../drift/drift.ts";
import type { VaryingMember } from "../varies/varying-member.ts";
import { byRule } from "./by-rule.ts";
import { findingsOfDrift } from "./drift-findings.ts";
import { type DriftFinding, placeOfItem, placeOfMember } from "./finding.ts";
import { sessionInWords } from "./session-words.ts";

/** Returns the findings that report one remark about a server. */
export function findingsOfRemark(server: string, remark: Remark, known: NameIndex): DriftFinding[] {
  return detailsOf(server, remark, known).map((finding) => ({ ...finding, isRemark: true }));
}

function detailsOf(server: string, remark: Remark, known: NameIndex): DriftFinding[] {
  const place = { subject: server, server };
  switch (remark.type) {
    case "era-divergence":
      return divergence(server, remark, "differs between eras", known);
    case "client-divergence":
      return divergence(server, remark, "differs between clients", known);
    case "unread-list": {
      const { method } = LISTS.find(({ list }) => list === remark.list) as ListKind;
      const message = `${method} fails, so none of it is pinned, and the guard treats all of it as new`;
      return [{ ...byRule("mcp/list-unread", message), place, note: seenIn(remark.sessions) }];
    }
    case "undeclared-list": {
      const message = `offers ${remark.list} without the capability that declares them, so only some clients request them`;
      return [{ ...byRule("mcp/undeclared-list", message), place, note: seenIn(remark.sessions) }];
    }
    case "invalid-tool-header": {
      const message = `clients over HTTP must drop this tool because of its x-mcp-header: ${remark.reason}`;
      const place = { ...placeOfItem(server, "tool", remark.name), pointer: remark.pointer };
      return [{ ...byRule("mcp/invalid-tool-header", message), place }];
    }
    case "schema-not-allowed":
      return [findingOfFault(placeOfItem(server, "tool", remark.name), remark, "note")];
    case "integers-not-compared":
      return integersNotCompared(server, remark);
    case "dependency-changed": {
      const message =
        "version and launched files are the same: a dependency must have changed the items, or what the server loads";
      return [{ ...byRule("mcp/dependency-changed", message), place, note: packagesInWords(remark.packages) }];
    }
    case "unstable-member": {
      const kind = byRule("mcp/unstable-member", "has a different value in each answer and is not pinned");
      return [{ ...kind, place: { ...place, pointer: remark.pointer } }];
    }
    case "varying-member":
      return [varying(server, remark.member)];
    case "unpinned-file": {
      const message = "local file named by the launch has no digest in the lock";
      const note = `agentprint approve ${shellWord(server)} writes the digest`;
      return [{ ...byRule("mcp/unpinned-file", message), place: { ...place, pointer: remark.pointer }, note }];
    }
    case "hidden-text": {
      const { kind, name = "", places } = remark;
      const about = kind === undefined ? place : placeOfItem(server, kind, name);
      return places.map(({ pointer, found }) => ({
        ...byRule("mcp/hidden-text", "text has characters that a reader does not see or confuses with others"),
        place: { ...about, pointer },
        note: `Found: ${found.map((text) => printable(text)).join("; ")}`,
      }));
    }
    case "missing-hints":
      return remark.tools.map((tool) => ({
        ...byRule("mcp/missing-hints", "no hints, so clients treat the tool as destructive"),
        place: placeOfItem(server, "tool", tool),
      }));
    case "launch-not-covered": {
      const message = `digests do not cover what this word of the launch refers to: ${printable(remark.word)}`;
      return [{ ...byRule("mcp/launch-not-covered", message), place: { ...place, pointer: remark.pointer } }];
    }
  }
}

function seenIn(sessions: readonly SessionName[]): string {
  return `Seen ${sessions.map(sessionInWords).join(", and ")}`;
}

function varying(server: string, member: VaryingMember): DriftFinding {
  const message =
    member.as === "set"
      ? "may vary in the order of its elements; the lock has one order"
      : "may vary; the lock has one value";
  return { ...byRule("mcp/varying-member", message), place: placeOfMember(server, member) };
}

function integersNotCompared(
  server: string,
  { kind, name, pointers }: Extract<Remark, { type: "integers-not-compared" }>,
): DriftFinding[] {
  const place = placeOfItem(server, kind, name);
  return pointers.map((pointer) => ({
    ...byRule("mcp/integer-not-compared", "integer was not compared exactly: its text is not known"),
    place: { ...place, pointer },
  }));
}

function packagesInWords(packages: readonly MovedPackage[]): string {
  if (packages.length === 0) return "No package in the lock is known to have another version";
  const shown = packages.slice(0, MAX_PACKAGES).map(({ name, before, after }) => {
    const [old, now] = [before, after].map((versions) => versions.slice(0, MAX_PACKAGES).join(" and "));
    return printable(`${name} ${old} → ${now}`, MAX_PACKAGE_LENGTH);
  });
  const more = packages.length - shown.length;
  return `In another version: ${[...shown, ...(more > 0 ? [`${more} more`] : [])].join(", ")}`;
}

/** The maximum number of packages that a note names, and the maximum length of each name. */
const [MAX_PACKAGES, MAX_PACKAGE_LENGTH] = [8, 120];

type Divergence = Extract<Remark, { readonly drift: unknown }>;

function divergence(
  server: string,
  { type, drift, between }: Divergence,
  what: string,
  known: NameIndex,
): DriftFinding[] {
  const pairs = between.map(([from, to]) => `${sessionInWords(from)} (-) and ${sessionInWords(to)} (+)`);
  // The official server libraries of some languages declare different flags in each era, so this is not a reason to
  // warn.
  const level = type === "era-divergence" && isOfCapabilities(drift) ? "note" : undefined;
  return findingsOfDrift(server, withoutTexts(drift), known).map(({ message, ...finding }) => ({
    ...finding,
    ...byRule(`mcp/${type}`, `${what}: ${message}`, level),
    note: `Compared: ${pairs.join("; ")}`,
  }));
}

/**
 * Removes the list of new texts from a divergence, so that each change is a single finding, whose values show the
 * texts.
 */
function withoutTexts(drift: Drift): Drift {
  return "newTexts" in drift ? { ...drift, newTexts: [] } : drift;
}

function isOfCapabilities(drift: Drift): boolean {
  return drift.type === "part-changed" && drift.part === "capabilities";
}

/** Returns a text as a single word of a POSIX shell. */
function shellWord(text: string): string {
  return /^[\w@%+:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}
