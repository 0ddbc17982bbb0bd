import { canonicalize } from "@agentprint/canonical-json";
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

/** All the situations that a member of the object searched for can be in. */
export class Situations {
  readonly #branch: Branch;
  readonly #problem: Problem;
  readonly #patterns: ReadonlyMap<string, PatternMember>;
  readonly #named = new Map<string, Situation[]>();

  constructor(problem: Problem) {
    this.#problem = problem;
    this.#branch = problem.branch;
    const sides = [...problem.branch.members, ...problem.branch.notMembers];
    this.#patterns = new Map(sides.flatMap((part) => part.patterns.map((pattern) => [pattern.source, pattern])));
    if (!this.complete) return;
    const names = [
      ...problem.branch.has,
      ...sides.flatMap((part) => [...part.properties.keys()]),
      ...this.#listedNames(),
    ];
    problem.budget.spend(names.length);
    for (const name of new Set(names)) this.#named.set(name, this.#situationsOf(name));
  }

  /** False when there are too many patterns to go through every combination. */
  get complete(): boolean {
    return this.#patterns.size <= MAX_PATTERNS;
  }

  /** Situations of the names that the schemas mention and the object may have. */
  named(): Situation[] {
    return [...this.#named.values()].flat();
  }

  of(name: string): readonly Situation[] {
    return this.#named.get(name) ?? [];
  }

  /** Situations of all other names. */
  unnamed(): Situation[] {
    return subsets([...this.#patterns.keys()]).map((matched) => ({ name: undefined, matched }));
  }

  /** A name in an unnamed situation, other than those taken, that fulfils further goals. */
  freshName({ matched }: Situation, taken: Iterable<string>, goals: readonly Goal[] = []): Finding {
    const values = new Map([...this.#named.keys(), ...this.#branch.lacks, ...taken].map((n) => [canonicalize(n), n]));
    const known: EnumPart = { part: "enum", kinds: STRING, at: "", values };
    const patterns = [...this.#patterns.values()].map(({ source, automaton }): Goal => {
      return { holds: matched.has(source), part: { part: "pattern", kinds: STRING, at: "", source, automaton } };
    });
    return this.#problem.prover.findOfKind(STRING, [
      ...patterns,
      ...this.#branch.names.map((node): Goal => ({ holds: true, node })),
      ...goals,
      { holds: false, part: known },
    ]);
  }

  #listedNames(): string[] {
    const lists = this.#branch.names.flatMap((node) => node.parts.filter((part) => part.part === "enum"));
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
