import type { JsonValue } from "@agentprint/canonical-json";
import type { Level } from "./level.ts";
import type { Rules } from "./rule.ts";

/** The place of a finding in a text file. */
export interface Location {
  /** Path from the root of the repository, with `/` between folders. */
  readonly file: string;
  /** 1-based line. */
  readonly line?: number;
  /** 1-based column. */
  readonly column?: number;
}

/** Where a finding is: its subject, a value inside the subject, and a place in a text file. */
export interface Place {
  /** The subject, for example `filesystem › move_file`. */
  readonly subject: string;
  /**
   * The server that is the subject or to which the subject belongs; absent if a finding is about several servers or
   * none.
   */
  readonly server?: string;
  /** The name of the tool that the finding is about. */
  readonly tool?: string;
  /** RFC 6901 JSON Pointer of the place inside the subject; absent if the finding is about the subject itself. */
  readonly pointer?: string;
  readonly location?: Location;
}

/** One finding of a check. */
export interface Finding<RuleId extends string = string> {
  /** Id of the rule, `domain/name`. */
  readonly rule: RuleId;
  /** The rule's level, or a different level for a particular place. */
  readonly level: Level;
  readonly place: Place;
  /** The value before; absent when there was none. */
  readonly before?: JsonValue;
  /** The value after; absent when there is none. */
  readonly after?: JsonValue;
  /** The finding in one sentence without a full stop; it may contain text of unknown origin. */
  readonly message: string;
  /** One sentence with further information; the same note on neighbouring findings is printed once. */
  readonly note?: string;
  /**
   * The heading under which a report shows the finding. Findings with the same server and section follow one another.
   */
  readonly section?: string;
  /** Present if the subject could not be read or compared, so that it is neither the same nor different. */
  readonly couldNotTell?: true;
  /** Present if a policy lets the finding pass, so that no outcome depends on it. */
  readonly isAllowed?: true;
  /** Present if the finding is an observation that is not a difference. */
  readonly isRemark?: true;
}

/** A finding's members without its place and values. */
export type FindingKind<RuleId extends string = string> = Pick<Finding<RuleId>, "rule" | "level" | "message">;

/** Makes the {@link FindingKind} of a rule; `level` replaces the rule's level. */
export type ByRule<RuleId extends string = string> = (
  rule: RuleId,
  message: string,
  level?: Level,
) => FindingKind<RuleId>;

/**
 * Returns a function that makes findings of a domain's rules, without their places and values.
 *
 * @example
 * ```ts
 * import { findingKinds } from "@agentprint/findings";
 *
 * const example = { text: "A hand moved back." };
 * const rule = { level: "error", summary: "A clock is slow.", help: "Wind it.", why: "Trains leave.", example } as const;
 * const byRule = findingKinds({ "clock/slow": rule });
 * console.log(byRule("clock/slow", "5 minutes behind").level); // error
 * ```
 */
export function findingKinds<RuleId extends string>(rules: Rules<RuleId>): ByRule<RuleId> {
  return (rule, message, level = rules[rule].level) => ({ rule, level, message });
}
