import { canonicalize, printable } from "@agentprint/canonical-json";
import { count } from "@agentprint/findings";
import {
  type ChangedTool,
  type RenamedTool,
  type SchemaVerdict,
  type ToolChange,
  type ToolFinding,
  toolFinding,
} from "@agentprint/tool-pins/judgement";

type ToolDrift = ChangedTool | RenamedTool;

/** The maximum number of tools that a note lists. */
const MAX_TOOLS = 8;

/** Returns drift without the bounds that zod 4 writes for integers, which are reported once for the server. */
export function withoutBounds<T extends ToolDrift>(drift: T): T {
  const bounds = new Set(boundsOf(drift));
  return bounds.size === 0 ? drift : { ...drift, changes: drift.changes.filter((change) => !bounds.has(change)) };
}

/** Returns the finding that a server's tools got the bounds that zod 4 writes for integers; empty if no tool did. */
export function findingsOfBounds(server: string | undefined, drifts: readonly ToolDrift[]): ToolFinding[] {
  const bounded = drifts.flatMap((drift) => {
    const bounds = boundsOf(drift);
    return bounds.length === 0 ? [] : [{ drift, bounds }];
  });
  if (bounded.length === 0) return [];
  const tools = [...new Set(bounded.map(({ drift }) => drift.name))];
  // A tool can have changed in the same way in several sessions.
  const places = new Set(
    bounded.flatMap(({ drift, bounds }) => bounds.map(({ pointer }) => `${drift.name} ${pointer}`)),
  );
  const message = `integers have the bounds that zod 4 writes, ±(2^53 − 1): ${count(places.size, "bound")} in ${count(tools.length, "tool")}`;
  const more = tools.length > MAX_TOOLS ? `, and ${tools.length - MAX_TOOLS} more` : "";
  const names = tools.slice(0, MAX_TOOLS).map((name) => printable(name));
  const proof = bounded.flatMap(proofOf).slice(0, 1);
  const note = [...proof, `In ${names.join(", ")}${more}`].join(". ");
  const rule = proof.length > 0 ? "mcp/tool-contract-changed" : "mcp/contract-unproven";
  const place = server === undefined ? { subject: "tools" } : { subject: server, server };
  return [{ ...toolFinding(rule, message), place, after: tools, note }];
}

/**
 * Returns the changes of a tool that add such bounds, if callers break because of them or if that could not be decided.
 */
function boundsOf(drift: ToolDrift): ToolChange[] {
  const verdict = inputVerdict(drift);
  if (verdict === undefined || verdict.verdict === "compatible" || verdict.isWider) return [];
  const bounds = drift.changes.filter(({ isIntegerBound }) => isIntegerBound);
  const pointers = new Set(bounds.map(({ pointer }) => pointer));
  const shared = new Set(
    (verdict.causes ?? [])
      .filter(({ pointers: all }) => !all.every((pointer) => pointers.has(pointer)))
      .flatMap(({ pointers: all }) => all),
  );
  return bounds.filter(({ pointer }) => !shared.has(pointer));
}

function proofOf({ drift, bounds }: { drift: ToolDrift; bounds: readonly ToolChange[] }): string[] {
  const verdict = inputVerdict(drift);
  const pointers = new Set(bounds.map(({ pointer }) => pointer));
  const causes = verdict?.causes?.filter(({ pointers: all }) => all.every((pointer) => pointers.has(pointer)));
  const value = [...(causes ?? []), ...(verdict === undefined ? [] : [verdict])].flatMap(
    (each) => each.counterexample ?? [],
  );
  return value.slice(0, 1).map((call) => `Breaking: arguments ${canonicalize(call)} were valid and are now rejected`);
}

function inputVerdict({ schemas = [] }: ToolDrift): SchemaVerdict | undefined {
  return schemas.find(({ schema }) => schema === "inputSchema");
}
