import { NameIndex } from "@agentprint/tool-pins/judgement";
import { checkArgument } from "../check-argument.ts";
import { diffStates } from "../drift/diff-states.ts";
import { SchemaJudge } from "../drift/judge-schemas.ts";
import type { Offered } from "../drift/offered.ts";
import { findingsOfDrift } from "./drift-findings.ts";
import type { DriftFinding } from "./finding.ts";
import { inReaderOrder } from "./reader-order.ts";

/**
 * Returns the findings about the differences between two states of one session: the same as in a check, for a part of a
 * server.
 *
 * @param names The names of all servers and tools, which count as signals in a changed text.
 *
 * @example
 * ```ts
 * import { offeredByLock, offeredFindings } from "@agentprint/mcp-lock";
 *
 * const [entry] = lock.servers;
 * if (entry) {
 *   const locked = offeredByLock(entry, "legacy");
 *   console.log(offeredFindings(entry.name, locked, { ...locked, tools: [] }, [])[0]?.rule); // mcp/item-removed
 * }
 * ```
 */
export function offeredFindings(
  server: string,
  before: Offered,
  after: Offered,
  names: readonly string[],
): DriftFinding[] {
  checkArgument("server", server, "string");
  checkArgument("before", before, "object");
  checkArgument("after", after, "object");
  checkArgument("names", names, "array");
  const known = new NameIndex(names);
  const drifts = diffStates(before, after, new SchemaJudge());
  return inReaderOrder(drifts.map((drift) => ({ drift, findings: findingsOfDrift(server, drift, known) })));
}
