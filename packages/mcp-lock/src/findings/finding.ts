import type { JsonValue } from "@agentprint/canonical-json";
import { ITEMS, type ItemKind } from "../visit/item-kinds.ts";
import type { DriftRuleId, FindingLevel } from "./drift-rules.ts";

/** Where a server, or what it offers, differs. */
export interface DriftPlace {
  /** What the finding is about: a server, or an item of a server as {@link itemSubject} names it. */
  readonly subject: string;
  /** The name of the server in the lock; absent where a finding is about several servers. */
  readonly server?: string;
  /** RFC 6901 JSON Pointer of the place inside the subject. */
  readonly pointer?: string;
}

/** One thing that a check of a server found, by one of {@link DRIFT_RULES}. */
export interface DriftFinding {
  readonly rule: DriftRuleId;
  /** The level of the rule, or another one where the place has a reason for it. */
  readonly level: FindingLevel;
  readonly place: DriftPlace;
  /** The value before; absent when there was none. */
  readonly before?: JsonValue;
  /** The value after; absent when there is none. */
  readonly after?: JsonValue;
  /** What was found, one sentence without a full stop; may contain text of the server. */
  readonly message: string;
  /** Anything else that a reader should know, one sentence. */
  readonly note?: string;
  /** The server could not be read or compared: neither the same nor different. */
  readonly couldNotTell?: true;
}

/**
 * What a person calls an item of a server: `files › move_file` for a tool, `files › prompt greet` for another kind.
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
