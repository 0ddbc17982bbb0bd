import type { ExplainedRule } from "./explained-rule.ts";

/** `domain/kebab-case`. */
const RULE_ID = /^[a-z]+\/[a-z0-9]+(?:-[a-z0-9]+)*$/;

/** The rules whose findings one command reports. */
export interface RuleTable {
  readonly command: string;
  /** Whether a configuration can change the levels of these rules. */
  readonly isConfigurable: boolean;
  /** Why no configuration changes the levels, where a user could expect that one does. */
  readonly fixedBecause?: string;
  readonly rules: Readonly<Record<string, ExplainedRule>>;
}

/** A rule with its id and what the command line tells about it. */
export interface ListedRule extends ExplainedRule {
  readonly id: string;
  readonly command: string;
  readonly isConfigurable: boolean;
  readonly fixedBecause?: string;
}

/** All rules by id, in the order in which they are listed. */
export class RuleRegistry {
  readonly #rules = new Map<string, ListedRule>();
  readonly #oldIds: ReadonlyMap<string, string>;

  /**
   * @param oldIds The ids that rules had before, each with the id that the rule has now.
   * @throws Error if a rule id is not `domain/kebab-case` or is registered twice, or if an old id leads to no rule or is
   * the id of another rule.
   */
  constructor(tables: readonly RuleTable[], oldIds: Readonly<Record<string, string>>) {
    for (const { rules, ...table } of tables) {
      for (const [id, rule] of Object.entries(rules)) {
        if (!RULE_ID.test(id)) throw new Error(`the rule id ${id} is not of the form domain/kebab-case`);
        if (this.#rules.has(id)) throw new Error(`the rule id ${id} is registered twice`);
        this.#rules.set(id, { id, ...table, ...rule });
      }
    }
    for (const [old, id] of Object.entries(oldIds)) {
      if (this.#rules.has(old)) throw new Error(`the old rule id ${old} is the id of a rule`);
      if (!this.#rules.has(id)) throw new Error(`the old rule id ${old} leads to ${id}, which is no rule`);
    }
    this.#oldIds = new Map(Object.entries(oldIds));
  }

  /** All rules, in the order in which they were registered. */
  list(): readonly ListedRule[] {
    return [...this.#rules.values()];
  }

  /**
   * The rule of an id, of an old id, or of an id without its domain if only one domain has such a rule.
   */
  find(id: string): ListedRule | undefined {
    return this.#rules.get(this.#oldIds.get(id) ?? id) ?? this.#findByName(id);
  }

  #findByName(name: string): ListedRule | undefined {
    const [rule, ...others] = this.list().filter(({ id }) => id.slice(id.indexOf("/") + 1) === name);
    return others.length === 0 ? rule : undefined;
  }
}
