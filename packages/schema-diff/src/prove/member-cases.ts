import { canonicalize } from "@agentprint/canonical-json";
import { ENTRIES_A_STEP } from "../budget.ts";
import { STRING } from "../kinds.ts";
import { MAX_EXTRA_NAMES, MAX_NAME_PATTERNS } from "../limits.ts";
import type { EnumConstraint, MembersConstraint, PatternMember, SchemaNode } from "../schema-graph.ts";
import type { Branch } from "./branch.ts";
import type { Finding, Problem } from "./finding.ts";
import type { Goal } from "./goal.ts";

/** A member's name, which is `undefined` for names that no schema mentions, and the patterns that the name matches. */
export interface MemberCase {
  readonly name: string | undefined;
  readonly matched: ReadonlySet<string>;
}

/** The first choice for the name of a member that no schema mentions; further members are `extra2`, `extra3` … */
const EXTRA = "extra";

/** All cases that have to be tried for a member of the object. */
export class MemberCases {
  readonly #branch: Branch;
  readonly #problem: Problem;
  readonly #patterns: ReadonlyMap<string, PatternMember>;
  readonly #byName = new Map<string, readonly MemberCase[]>();
  /** The cases of the names that the schemas mention and that the object can have. */
  readonly named: readonly MemberCase[];
  /** The cases of all other names. */
  readonly unnamed: readonly MemberCase[];

  constructor(problem: Problem) {
    this.#problem = problem;
    this.#branch = problem.branch;
    const constraints = [...problem.branch.members, ...problem.branch.notMembers];
    for (const { properties, patterns } of constraints) this.#spend(properties.size + patterns.length);
    this.#patterns = new Map(
      constraints.flatMap((constraint) => constraint.patterns.map((pattern) => [pattern.source, pattern])),
    );
    const names = new Set([
      ...problem.branch.has,
      ...constraints.flatMap((constraint) => [...constraint.properties.keys()]),
      ...this.#listedNames(),
    ]);
    problem.budget.spend(names.size);
    if (this.isComplete) for (const name of names) this.#byName.set(name, this.#casesOf(name));
    this.named = [...this.#byName.values()].flat();
    this.unnamed = this.isComplete
      ? subsets([...this.#patterns.keys()]).map((matched) => ({ name: undefined, matched }))
      : [];
  }

  /**
   * Returns all cases in the order in which they are tried: mentioned names, names already used, new names, and the
   * empty name.
   */
  ordered(taken: Iterable<MemberCase> = []): ReadonlySet<MemberCase> {
    this.#problem.budget.spend((this.named.length + this.unnamed.length) / 2);
    const isEmpty = ({ name }: MemberCase): boolean => name === "";
    const ordinary = this.named.filter((memberCase) => !isEmpty(memberCase));
    return new Set([...ordinary, ...taken, ...this.unnamed, ...this.named.filter(isEmpty)]);
  }

  /** Whether every combination of patterns is listed; if there are too many patterns, no case is listed. */
  get isComplete(): boolean {
    return this.#patterns.size <= MAX_NAME_PATTERNS;
  }

  of(name: string): readonly MemberCase[] {
    return this.#byName.get(name) ?? [];
  }

  /** Searches for a name for an unnamed case that is not in `taken` and fulfils further goals. */
  freshName({ matched }: MemberCase, taken: ReadonlyMap<string, unknown>, further: readonly Goal[] = []): Finding {
    const patterns = [...this.#patterns.values()].map(({ source, automaton }): Goal => {
      return {
        holds: matched.has(source),
        constraint: { type: "pattern", kinds: STRING, pointer: "", source, automaton },
      };
    });
    const names = this.#branch.names.map((node): Goal => ({ holds: true, node }));
    const goals = [...patterns, ...names, ...further];
    const { prover } = this.#problem;
    for (let i = taken.size; i < taken.size + MAX_EXTRA_NAMES; i++) {
      const name = i === 0 ? EXTRA : `${EXTRA}${i + 1}`;
      if (!this.#isKnown(name, taken) && prover.fulfils(goals, name)) return { found: "value", value: name };
    }
    return prover.findOfKind(STRING, [...goals, { holds: false, constraint: this.#known(taken) }]);
  }

  #isKnown(name: string, taken: ReadonlyMap<string, unknown>): boolean {
    return this.#byName.has(name) || this.#branch.lacks.has(name) || taken.has(name);
  }

  #known(taken: ReadonlyMap<string, unknown>): EnumConstraint {
    const names = [...this.#byName.keys(), ...this.#branch.lacks, ...taken.keys()];
    this.#problem.budget.spend(names.length);
    return {
      type: "enum",
      kinds: STRING,
      pointer: "",
      values: new Map(names.map((name) => [canonicalize(name), name])),
    };
  }

  #listedNames(): string[] {
    const lists = this.#branch.names.flatMap((node) =>
      node.constraints.filter((constraint) => constraint.type === "enum"),
    );
    for (const { values } of lists) this.#spend(values.size);
    return lists.flatMap((constraint) => [...constraint.values.values()].filter((value) => typeof value === "string"));
  }

  /**
   * Returns the cases for a name: none if the object cannot have it, several if it is not known which patterns the name
   * matches.
   */
  #casesOf(name: string): MemberCase[] {
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

/** Returns the schemas that apply to a member in a case. */
export function schemasOf(
  { properties, patterns, rest }: MembersConstraint,
  { name, matched }: MemberCase,
): SchemaNode[] {
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
