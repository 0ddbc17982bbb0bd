import { canonicalize } from "@agentprint/canonical-json";
import { ENTRIES_A_STEP } from "../budget.ts";
import { STRING } from "../kinds.ts";
import type { EnumPart, MembersPart, Node, PatternMember } from "../node.ts";
import type { Branch, Goal } from "./branch.ts";
import type { Finding, Problem } from "./finding.ts";

/** A member name, or any name that no schema mentions, with the patterns that it matches. */
export interface Situation {
  readonly name: string | undefined;
  readonly matched: ReadonlySet<string>;
}

/** More patterns at once would be more combinations than any real schema has. */
const MAX_PATTERNS = 6;

/** The name of a member that no schema mentions, wherever the schemas allow it; more of them are numbered. */
const EXTRA = "extra";
const MAX_EXTRAS = 4;

/** All the situations that a member of the object searched for can be in. */
export class Situations {
  readonly #branch: Branch;
  readonly #problem: Problem;
  readonly #patterns: ReadonlyMap<string, PatternMember>;
  readonly #byName = new Map<string, readonly Situation[]>();
  /** Situations of the names that the schemas mention and the object may have. */
  readonly named: readonly Situation[];
  /** Situations of all other names. */
  readonly unnamed: readonly Situation[];

  constructor(problem: Problem) {
    this.#problem = problem;
    this.#branch = problem.branch;
    const sides = [...problem.branch.members, ...problem.branch.notMembers];
    for (const { properties, patterns } of sides) this.#spend(properties.size + patterns.length);
    this.#patterns = new Map(sides.flatMap((part) => part.patterns.map((pattern) => [pattern.source, pattern])));
    const names = new Set([
      ...problem.branch.has,
      ...sides.flatMap((part) => [...part.properties.keys()]),
      ...this.#listedNames(),
    ]);
    problem.budget.spend(names.size);
    if (this.complete) for (const name of names) this.#byName.set(name, this.#situationsOf(name));
    this.named = [...this.#byName.values()].flat();
    this.unnamed = this.complete
      ? subsets([...this.#patterns.keys()]).map((matched) => ({ name: undefined, matched }))
      : [];
  }

  /** All situations, the most ordinary names first: mentioned ones, then those already taken, new ones, the empty name. */
  ordered(taken: Iterable<Situation> = []): ReadonlySet<Situation> {
    this.#problem.budget.spend((this.named.length + this.unnamed.length) / 2);
    const isEmpty = ({ name }: Situation): boolean => name === "";
    const ordinary = this.named.filter((situation) => !isEmpty(situation));
    return new Set([...ordinary, ...taken, ...this.unnamed, ...this.named.filter(isEmpty)]);
  }

  /** False when there are too many patterns to go through every combination. */
  get complete(): boolean {
    return this.#patterns.size <= MAX_PATTERNS;
  }

  of(name: string): readonly Situation[] {
    return this.#byName.get(name) ?? [];
  }

  /** A name in an unnamed situation, other than those taken, that fulfils further goals. */
  freshName({ matched }: Situation, taken: ReadonlyMap<string, unknown>, further: readonly Goal[] = []): Finding {
    const patterns = [...this.#patterns.values()].map(({ source, automaton }): Goal => {
      return { holds: matched.has(source), part: { part: "pattern", kinds: STRING, at: "", source, automaton } };
    });
    const names = this.#branch.names.map((node): Goal => ({ holds: true, node }));
    const goals = [...patterns, ...names, ...further];
    const { prover } = this.#problem;
    for (let i = taken.size; i < taken.size + MAX_EXTRAS; i++) {
      const name = i === 0 ? EXTRA : `${EXTRA}${i + 1}`;
      if (!this.#isKnown(name, taken) && prover.fulfils(goals, name)) return { found: "value", value: name };
    }
    return prover.findOfKind(STRING, [...goals, { holds: false, part: this.#known(taken) }]);
  }

  #isKnown(name: string, taken: ReadonlyMap<string, unknown>): boolean {
    return this.#byName.has(name) || this.#branch.lacks.has(name) || taken.has(name);
  }

  #known(taken: ReadonlyMap<string, unknown>): EnumPart {
    const names = [...this.#byName.keys(), ...this.#branch.lacks, ...taken.keys()];
    this.#problem.budget.spend(names.length);
    return { part: "enum", kinds: STRING, at: "", values: new Map(names.map((name) => [canonicalize(name), name])) };
  }

  #listedNames(): string[] {
    const lists = this.#branch.names.flatMap((node) => node.parts.filter((part) => part.part === "enum"));
    for (const { values } of lists) this.#spend(values.size);
    return lists.flatMap((part) => [...part.values.values()].filter((value) => typeof value === "string"));
  }

  /** None for a name that cannot be there; several when it is not known which patterns it matches. */
  #situationsOf(name: string): Situation[] {
    const { evaluator } = this.#problem;
    if (this.#branch.lacks.has(name)) return [];
    if (this.#branch.names.some((node) => evaluator.node(node, name) === false)) return [];
    const matched: string[] = [];
    const doubtful: string[] = [];
    for (const { source, automaton } of this.#patterns.values()) {
      const truth = evaluator.matches(automaton, name);
      if (truth === undefined) doubtful.push(source);
      else if (truth) matched.push(source);
    }
    return subsets(doubtful).map((set) => ({ name, matched: new Set([...matched, ...set]) }));
  }

  #spend(entries: number): void {
    this.#problem.budget.spend(entries / ENTRIES_A_STEP);
  }
}

/** The schemas that apply to a member in a situation. */
export function schemasOf({ properties, patterns, rest }: MembersPart, { name, matched }: Situation): Node[] {
  const declared = name === undefined ? undefined : properties.get(name);
  const nodes = patterns.filter(({ source }) => matched.has(source)).map(({ node }) => node);
  if (declared) nodes.push(declared);
  return nodes.length > 0 ? nodes : [rest];
}

function subsets(items: readonly string[]): ReadonlySet<string>[] {
  let sets: ReadonlySet<string>[] = [new Set()];
  for (const item of items) sets = sets.concat(sets.map((set) => new Set(set).add(item)));
  return sets;
}
