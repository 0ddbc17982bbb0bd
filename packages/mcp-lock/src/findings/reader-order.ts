import { AUTH_RULES } from "../auth/auth-rules.ts";
import type { Drift } from "../drift/drift.ts";
import type { DriftRuleId } from "./drift-rules.ts";
import type { DriftFinding } from "./finding.ts";
import { breaksCallers } from "./leaves-calls-valid.ts";
import { REMARK_RULES } from "./remark-rules.ts";

/** A section of a server's report, and the rules of its findings in reading order. */
interface Section {
  /** Absent if the section's findings explain why there are no others. */
  readonly title?: string;
  readonly rules: readonly DriftRuleId[];
}

const UNTITLED: Section = { rules: ["mcp/could-not-tell", "mcp/server-not-locked"] };

/** Comes first, because anyone who moves a server's login receives whatever its users type and agree to. */
const LOGIN: Section = { title: "How users log in", rules: Object.keys(AUTH_RULES) as DriftRuleId[] };

/** Rules without a section come first in this one. */
const READ: Section = {
  title: "What the model may do, and what it reads",
  rules: [
    "mcp/item-added",
    "mcp/hint-more-power",
    "mcp/hint-less-asking",
    "mcp/tool-hints-changed",
    "mcp/anything-added",
    "mcp/free-text-added",
    "mcp/values-widened",
    "mcp/input-widened",
    "mcp/varying-signal",
    "mcp/prose-signal",
    "mcp/server-changed",
    "mcp/tool-prose-changed",
    "mcp/item-changed",
    "mcp/number-changed",
  ],
};

/** Only for findings that {@link breaksCallers} accepts: all others of these rules are in another section. */
const BREAKS: Section = {
  title: "What breaks, or may break",
  rules: [
    "mcp/schema-not-allowed",
    "mcp/tool-contract-changed",
    "mcp/item-removed",
    "mcp/tool-renamed",
    "mcp/contract-unproven",
    "mcp/item-changed",
    "mcp/era-changed",
  ],
};

const ELSE: Section = {
  title: "What else changed",
  rules: [
    "mcp/contract-unproven",
    "mcp/schema-compatible",
    "mcp/hint-default-written",
    "mcp/tool-rest-changed",
    "mcp/server-version-changed",
    "mcp/era-changed",
    "mcp/supported-versions-changed",
    "mcp/list-unread",
  ],
};

/** Digests are least useful to a reader, and come last. */
const STARTED: Section = {
  title: "How it is started",
  rules: [
    "mcp/launch-changed",
    "mcp/client-changed",
    "mcp/client-capabilities-changed",
    "mcp/varies-changed",
    "mcp/sessions-changed",
    "mcp/entry-changed",
    "mcp/artifact-changed",
    "mcp/artifact-version-changed",
    "mcp/artifact-file-added",
    "mcp/launch-file-changed",
  ],
};

const REMARKS: Section = { title: "Remarks", rules: Object.keys(REMARK_RULES) as DriftRuleId[] };

const SECTIONS: readonly Section[] = [UNTITLED, LOGIN, READ, BREAKS, ELSE, STARTED, REMARKS];

/** The findings about one or several of a server's differences, or about a remark, which has no difference. */
interface FindingsOfDrift {
  readonly drift?: Drift;
  readonly findings: readonly DriftFinding[];
}

/**
 * Returns the findings about a server in reading order, with the titles of their sections: how users log in, what the
 * model may do and reads, what breaks, what else changed, how the server is started, and remarks.
 */
export function inReaderOrder(all: readonly FindingsOfDrift[]): DriftFinding[] {
  const ranked = all.flatMap(({ drift, findings }) =>
    findings.map((finding) => {
      const section = sectionOf(finding, drift);
      const place = isOfConvention(finding, section) ? section.rules.length : section.rules.indexOf(finding.rule);
      return { finding, section, rank: [SECTIONS.indexOf(section), place] as const };
    }),
  );
  return ranked
    .sort(({ rank: [one, inOne] }, { rank: [other, inOther] }) => one - other || inOne - inOther)
    .map(({ finding, section: { title } }) => ({ ...finding, ...(title !== undefined && { section: title }) }));
}

function sectionOf(finding: DriftFinding, drift: Drift | undefined): Section {
  const { rule } = finding;
  if (finding.isRemark) return REMARKS;
  if (breaksCallers(finding)) return BREAKS;
  if (rule === "mcp/server-changed" && drift?.type === "part-changed" && !isRead(drift.part)) return ELSE;
  return SECTIONS.find((section) => section !== BREAKS && section.rules.includes(rule)) ?? READ;
}

/**
 * Returns whether a finding is a break in many tools caused by a convention of their library; it comes below a break in
 * a single tool.
 */
function isOfConvention({ rule, place }: DriftFinding, section: Section): boolean {
  return section === BREAKS && rule !== "mcp/era-changed" && place.subject === place.server;
}

function isRead(part: string): boolean {
  return part === "instructions" || part === "greeting" || part === "listMembers";
}
