import type { Finding, Place } from "@agentprint/findings";
import { ITEMS, type ItemKind } from "@agentprint/mcp";
import { placeOfTool } from "@agentprint/tool-pins/judgement";
import { checkArgument } from "../check-argument.ts";
import type { VaryingMember } from "../varies/varying-member.ts";
import type { DriftRuleId } from "./drift-rules.ts";

/**
 * A finding of a check against the lock; its place names the server in the lock, unless the finding is about several
 * servers.
 */
export type DriftFinding = Finding<DriftRuleId>;

/**
 * Returns the name that a report uses for a server's item: `files › move_file` for a tool, `files › prompt greet` for
 * another kind.
 *
 * @example
 * ```ts
 * import { itemSubject } from "@agentprint/mcp-lock";
 *
 * console.log(itemSubject("files", "prompt", "greet")); // "files › prompt greet"
 * ```
 */
export function itemSubject(server: string, kind: ItemKind, name: string): string {
  checkArgument("server", server, "string");
  checkArgument("kind", kind, "string");
  checkArgument("name", name, "string");
  return `${server} › ${kind === "tool" ? "" : `${ITEMS[kind].words} `}${name}`;
}

/** Returns the place of a server's item. */
export function placeOfItem(server: string, kind: ItemKind, name: string): Place {
  return kind === "tool" ? placeOfTool(server, name) : { subject: itemSubject(server, kind, name), server };
}

/** Returns the place of a member that varies. */
export function placeOfMember(server: string, { kind, name = "", pointer }: VaryingMember): Place {
  const place = kind === "greeting" ? { subject: server, server } : placeOfItem(server, kind, name);
  return { ...place, pointer };
}
