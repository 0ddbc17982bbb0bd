import type { Finding } from "@agentprint/findings";
import { groupFindings } from "@agentprint/report";

const RULE = "mcp/hidden-text";
/**
 * The number of a server's hidden texts that are listed individually; the same place in several items is listed once.
 */
const MAX_PLACES = 8;

/**
 * Returns the findings, with all further hidden texts of a server folded into one finding, because a server can have
 * hidden text in every field.
 */
export function foldHiddenText(findings: readonly Finding[]): Finding[] {
  const isHidden = ({ rule }: Finding): boolean => rule === RULE;
  const servers = new Set(findings.filter(isHidden).map(({ place }) => place.server));
  const folded = new Map<Finding, Finding | undefined>();
  for (const server of servers) {
    const places = groupFindings(findings.filter((finding) => isHidden(finding) && finding.place.server === server));
    const [first, ...others] = places.slice(MAX_PLACES).flat();
    if (first === undefined || others.length === 0) continue;
    for (const other of others) folded.set(other, undefined);
    folded.set(first, oneFor(first, others.length + 1));
  }
  return findings.flatMap((finding) => (folded.has(finding) ? (folded.get(finding) ?? []) : [finding]));
}

function oneFor({ note: _, place: { server = "" }, ...finding }: Finding, texts: number): Finding {
  const message = `${texts} more texts have characters that a reader does not see or confuses with others`;
  return { ...finding, message, place: { subject: server, server } };
}
