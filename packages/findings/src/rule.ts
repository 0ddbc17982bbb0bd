import type { JsonValue } from "@agentprint/canonical-json";
import type { Level } from "./level.ts";

/** One kind of finding, with its level and its texts for readers. */
export interface Rule {
  /** The level of this rule's findings; a finding at a particular place can have another level. */
  readonly level: Level;
  /** The meaning of a finding of this rule, in one sentence. */
  readonly summary: string;
  /** The step that helps. */
  readonly help: string;
  /** Why a finding matters, in one or two sentences. */
  readonly why: string;
  readonly example: RuleExample;
  /** Present if the findings are observations and not differences, which count only if a policy names the rule. */
  readonly isRemark?: true;
  /** The reason why no policy can decide about the rule; absent if a policy can. */
  readonly fixedBecause?: string;
}

/** An example of a rule's finding: the changed members, or a value. */
export interface RuleExample {
  readonly text: string;
  /** For a rule about one value, the wrong form. */
  readonly before?: JsonValue;
  /** For a rule about one value, the right form. */
  readonly after?: JsonValue;
}

/**
 * The rules of a domain by their ids, `domain/name`. The name is in kebab-case, unless the domain's data already have a
 * name for it, such as `UNKNOWN_SCOPE`.
 */
export type Rules<Id extends string = string> = Readonly<Record<Id, Rule>>;
