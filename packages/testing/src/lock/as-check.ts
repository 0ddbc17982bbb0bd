import { canonicalize, type JsonObject } from "@agentprint/canonical-json";
import type { VisitAnswers } from "@agentprint/mcp";
import { checkLock, createLock, type DriftFinding, driftFindings } from "@agentprint/mcp-lock";
import { judge } from "@agentprint/mcp-lock/judge";
import { compareTools, pinTools, type ToolFinding } from "@agentprint/tool-pins";

/** The answers of a client's servers, by name. */
type Answers = Readonly<Record<string, VisitAnswers>>;

/** The findings on the tools of one server, as text: from a check against the lock, and from a comparison with pins. */
export interface BothFindings {
  readonly server: string;
  readonly check: readonly string[];
  readonly pins: readonly string[];
}

/** Returns the findings on each server's tools from both comparisons, with the judge and all names. */
export function findingsBothWays(before: Answers, after: Answers): BothFindings[] {
  const drift = driftFindings(checkLock(createLock(before), after));
  const names = Object.keys(after);
  return names.map((server) => {
    const others = names.filter((name) => name !== server);
    const { findings } = compareTools(
      pinTools(toolsOf(before[server]), { definitions: true }),
      toolsOf(after[server]),
      {
        judge,
        server,
        servers: others,
        otherTools: others.flatMap((name) => [before, after].flatMap((all) => toolsOf(all[name]).map(nameOf))),
      },
    );
    const check = drift.filter((finding) => isOnTools(finding, server));
    return { server, check: check.map(asText).sort(), pins: findings.map(asText).sort() };
  });
}

/** Returns the tools from the last reading of the first session. */
function toolsOf(answers: VisitAnswers | undefined): JsonObject[] {
  const pages = answers?.sessions[0]?.lists.tools?.at(-1) ?? [];
  return pages.flatMap(({ tools }) => tools as JsonObject[]);
}

function nameOf({ name }: JsonObject): string {
  return name as string;
}

function isOnTools({ rule, place, isRemark }: DriftFinding, server: string): boolean {
  if (isRemark || place.server !== server) return false;
  const isOnAll = place.tool === undefined && place.subject === server;
  return place.tool !== undefined || (isOnAll && ["mcp/tool-contract-changed", "mcp/contract-unproven"].includes(rule));
}

function asText({ rule, level, place, before, after }: DriftFinding | ToolFinding): string {
  const { tool = null, pointer = null } = place;
  return canonicalize([
    rule,
    level,
    tool,
    pointer,
    { ...(before !== undefined && { before }) },
    { ...(after !== undefined && { after }) },
  ]);
}
