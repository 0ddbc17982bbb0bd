import type { JsonChange, JsonValue } from "@agentprint/canonical-json";
import { ITEMS, type ItemKind } from "@agentprint/mcp";
import type { FindingLevel } from "./drift-rule.ts";
import type { DriftRuleId } from "./drift-rules.ts";

/** The place of a finding: a server or one of its items, and a value inside it. */
export interface DriftPlace {
  /** The subject of the finding: a server, or an item of a server as {@link itemSubject} names it. */
  readonly subject: string;
  /** The name of the server in the lock; absent where a finding is about several servers. */
  readonly server?: string;
  /** The name of the tool, where the finding is about one. */
  readonly tool?: string;
  /** RFC 6901 JSON Pointer of the place inside the subject. */
  readonly pointer?: string;
}

/** A finding of a check against the lock. */
export interface DriftFinding {
  readonly rule: DriftRuleId;
  /** The level of the rule, or another one at a particular place. */
  readonly level: FindingLevel;
  readonly place: DriftPlace;
  /** The value before; absent when there was none. */
  readonly before?: JsonValue;
  /** The value after; absent when there is none. */
  readonly after?: JsonValue;
  /** One sentence without a full stop that says what was found; it may contain text of the server. */
  readonly message: string;
  /** One sentence with further information. */
  readonly note?: string;
  /** The server could not be read or compared: neither the same nor different. */
  readonly couldNotTell?: true;
  /** An observation that is no difference between the lock and the server; no outcome depends on it. */
  readonly isRemark?: true;
}

/**
 * The name of an item of a server for readers of a report: `files › move_file` for a tool, `files › prompt greet` for another kind.
 *
 * @example
 * ```ts
 * import { itemSubject } from "@agentprint/mcp-lock";
 *
 * console.log(itemSubject("files", "prompt", "greet")); // "files › prompt greet"
 * ```
 */
export function itemSubject(server: string, kind: ItemKind, name: string): string {
  return `${server} › ${kind === "tool" ? "" : `${ITEMS[kind].words} `}${name}`;
}

/** The place of an item of a server. */
export function placeOfItem(server: string, kind: ItemKind, name: string): DriftPlace {
  return { subject: itemSubject(server, kind, name), server, ...(kind === "tool" && { tool: name }) };
}

/** The place and the values of a change below a place; the empty pointer is the place itself. */
export function located(
  place: DriftPlace,
  { pointer, before, after }: JsonChange,
): Pick<DriftFinding, "place" | "before" | "after"> {
  return {
    place: pointer === "" ? place : { ...place, pointer },
    ...(before !== undefined && { before }),
    ...(after !== undefined && { after }),
  };
}
