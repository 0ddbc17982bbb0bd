import type { Finding } from "@agentprint/findings";
import type { DriftReport, LockFile } from "@agentprint/mcp-lock";
import { decide, type GuardDecision, type Policy } from "@agentprint/policy/apply";
import { type ServerState, type ToolState, unreadState } from "./state-file.ts";

const WORST: readonly GuardDecision[] = ["pass", "freeze", "ask", "block"];

/**
 * Returns the state of each server of a check. The state of a server that the check could not read says so. A tool gets the strictest policy decision on the findings
 * of the tool or of the whole server.
 *
 * @param since When the check began; the server may have changed its definitions later
 */
export function statesOfCheck(
  { servers }: DriftReport,
  findings: readonly Finding[],
  lock: LockFile,
  policy: Policy,
  since: Date,
): Readonly<Record<string, ServerState>> {
  const states = servers.flatMap(({ server, failure, checked }) => {
    const entry = lock.servers.find(({ name }) => name === server);
    if (entry === undefined) return [];
    if (failure !== undefined) return [[server, unreadState(entry, since)] as const];
    const own = findings.filter(({ place, isRemark }) => place.server === server && isRemark !== true);
    const isWhole = ({ place }: Finding) => place.tool === undefined && place.subject === server;
    const isAbout = (finding: Finding, tool: string) =>
      isWhole(finding) ? toolsOf(finding)?.includes(tool) !== false : finding.place.tool === tool;
    const tools = checked.tool.map((tool): [string, ToolState] => {
      const about = own.filter((finding) => isAbout(finding, tool));
      const decisions = about.map((finding) => WORST.indexOf(decide(finding, policy).guard));
      return [tool, WORST[Math.max(0, ...decisions)] ?? "block"];
    });
    const verifiedAt = since.toISOString();
    return [[server, { by: "check", digest: entry.digest, verifiedAt, tools: Object.fromEntries(tools) }] as const];
  });
  return Object.fromEntries(states);
}

/** The tools that a finding on the schemas of a server lists; `undefined` for a finding that is about all of them. */
function toolsOf({ rule, after }: Finding): readonly unknown[] | undefined {
  const isOfSchemas = rule === "mcp/tool-contract-changed" || rule === "mcp/contract-unproven";
  return isOfSchemas && Array.isArray(after) ? after : undefined;
}
