import type { ExplainedRule } from "./explained-rule.ts";

/** `domain/kebab-case`. */
const RULE_ID = /^[a-z]+\/[a-z0-9]+(?:-[a-z0-9]+)*$/;

/** The rules whose findings one command reports. */
export interface RuleTable {
  readonly command: string;
  /** Whether a configuration can change the levels of these rules. */
  readonly isConfigurable: boolean;
  /** The reason why no configuration can change the levels; present if a user could expect otherwise. */
  readonly fixedBecause?: string;
  readonly rules: Readonly<Record<string, ExplainedRule>>;
}

/** A rule with its id and its documentation on the command line. */
export interface ListedRule extends ExplainedRule {
  readonly id: string;
  readonly command: string;
  readonly isConfigurable: boolean;
  readonly fixedBecause?: string;
}

/** All rules by id, in the order in which they are listed. */
export class RuleRegistry {
  readonly #rules = new Map<string, ListedRule>();

  /**
   * @throws Error if a rule id is not `domain/kebab-case` or is registered twice.
   */
  constructor(tables: readonly RuleTable[]) {
    for (const { rules, ...table } of tables) {
      for (const [id, rule] of Object.entries(rules)) {
        if (!RULE_ID.test(id)) throw new Error(`the rule id ${id} is not of the form domain/kebab-case`);
        if (this.#rules.has(id)) throw new Error(`the rule id ${id} is registered twice`);
        this.#rules.set(id, { id, ...table, ...rule });
      }
    }
  }

  /** All rules, in the order in which they were registered. */
  list(): readonly ListedRule[] {
    return [...this.#rules.values()];
  }

  /** The rule of an id, or of an id without its domain if only one domain has such a rule. */
  find(id: string): ListedRule | undefined {
    return this.#rules.get(id) ?? this.#findByName(id);
  }

  #findByName(name: string): ListedRule | undefined {
    const [rule, ...others] = this.list().filter(({ id }) => id.slice(id.indexOf("/") + 1) === name);
    return others.length === 0 ? rule : undefined;
  }
}
