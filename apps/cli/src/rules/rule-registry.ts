import { fullId, type Rule, type Rules } from "@agentprint/findings";

/** `domain/name`. */
const RULE_ID = /^[a-z]+\/[A-Za-z0-9]+(?:[-_][A-Za-z0-9]+)*$/;

/** The rules whose findings one command reports. */
export interface RuleTable {
  readonly command: string;
  /** Whether a configuration can change the levels of these rules, but for those that are fixed for a reason. */
  readonly isConfigurable: boolean;
  readonly rules: Rules;
}

/** A rule with its id and its documentation on the command line. */
export interface ListedRule extends Rule {
  readonly id: string;
  readonly command: string;
  readonly isConfigurable: boolean;
}

/** All rules by id, in the order in which they are listed. */
export class RuleRegistry {
  readonly #rules = new Map<string, ListedRule>();

  /**
   * @throws Error if a rule id is not `domain/name` or is registered twice.
   */
  constructor(tables: readonly RuleTable[]) {
    for (const { rules, command, isConfigurable } of tables) {
      for (const [id, { fixedBecause, ...rule }] of Object.entries(rules)) {
        if (!RULE_ID.test(id)) throw new Error(`the rule id ${id} is not of the form domain/name`);
        if (this.#rules.has(id)) throw new Error(`the rule id ${id} is registered twice`);
        const isFixed = fixedBecause !== undefined;
        const listed = { id, command, isConfigurable: isConfigurable && !isFixed, ...(isFixed && { fixedBecause }) };
        this.#rules.set(id, { ...listed, ...rule });
      }
    }
  }

  /** All rules, in the order in which they were registered. */
  list(): readonly ListedRule[] {
    return [...this.#rules.values()];
  }

  /** The rule of an id, or of an id without its domain if only one domain has such a rule. */
  find(id: string): ListedRule | undefined {
    const full = fullId(id, [...this.#rules.keys()]);
    return full === undefined ? undefined : this.#rules.get(full);
  }
}
