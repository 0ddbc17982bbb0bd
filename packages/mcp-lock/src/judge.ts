import { findingsOfTool, type Judge } from "@agentprint/tool-pins/judgement";
import { SchemaJudge } from "./drift/judge-schemas.ts";
import { comparing } from "./drift/tool-changes.ts";
import { contractReader } from "./findings/contract-findings.ts";
import { findingsOfBounds, withoutBounds } from "./findings/integer-bounds.ts";

/**
 * Returns the judge for one comparison with `compareTools` of `@agentprint/tool-pins`: it gives changed contracts the
 * same verdicts, causes and openings as `checkLock`, within the step budget for an entire server.
 *
 * @example
 * ```ts
 * import { judge } from "@agentprint/mcp-lock/judge";
 * import { compareTools, pinTools } from "@agentprint/tool-pins";
 *
 * const schema = { type: "object", properties: { path: { type: "string" } }, required: [] };
 * const pins = pinTools([{ name: "read", inputSchema: schema }], { definitions: true });
 * const { findings } = compareTools(pins, [{ name: "read", inputSchema: { ...schema, required: ["path"] } }], { judge });
 * console.log(findings[0]?.rule); // mcp/tool-contract-changed
 * ```
 */
export function judge(): Judge {
  const { expect, changes } = comparing(new SchemaJudge());
  return {
    expect,
    changes,
    findings: (server, drifts, known) => [
      ...drifts.map(withoutBounds).flatMap((drift) => findingsOfTool(server, drift, known, contractReader(drift))),
      ...findingsOfBounds(server, drifts).map((finding) => ({ layer: "contract", finding }) as const),
    ],
  };
}
