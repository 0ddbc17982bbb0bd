import type { JsonValue } from "@agentprint/canonical-json";
import { MAX_BUILD_ATTEMPTS, MAX_FURTHER_MEMBERS } from "../limits.ts";
import type { MembersConstraint, SchemaNode } from "../schema-graph.ts";
import { type Finding, NONE, type Problem, UNKNOWN } from "./finding.ts";
import { isAmong } from "./goal.ts";
import { type MemberCase, MemberCases, schemasOf } from "./member-cases.ts";

/** A violation that the object must contain, by a member's value or by a member's name. */
type Demand = { readonly members: MembersConstraint } | { readonly names: SchemaNode };

/** A member that the object will have, and the schemas that its value has to violate. */
interface Member {
  readonly memberCase: MemberCase;
  readonly violated: readonly SchemaNode[];
}
type Members = ReadonlyMap<string, Member>;

export function solveObject(problem: Problem): Finding {
  return new ObjectSearch(problem).solve();
}

/** Searches for an object in which, for each given constraint on members or names, at least one member violates it. */
class ObjectSearch {
  readonly #problem: Problem;
  readonly #cases: MemberCases;
  #attempts = 0;

  constructor(problem: Problem) {
    this.#problem = problem;
    this.#cases = new MemberCases(problem);
  }

  solve(): Finding {
    const { branch } = this.#problem;
    if (branch.has.size > branch.maxSize) return NONE;
    if (!this.#cases.isComplete) return UNKNOWN;
    for (const name of branch.has) {
      if (this.#cases.of(name).every((each) => this.#value(each, []).found === "none")) return NONE;
    }
    if (branch.minSize > branch.has.size && this.#allNames().length < branch.minSize) return NONE;
    const demands: Demand[] = [
      ...branch.notMembers.map((members) => ({ members })),
      ...branch.notNames.map((names) => ({ names })),
    ];
    return this.#meet(demands, new Map());
  }

  /** Tries every member that can fulfil the first demand, and continues with the other demands. */
  #meet(demands: readonly Demand[], members: Members): Finding {
    this.#problem.budget.spend(5);
    const [demand, ...others] = demands;
    if (!demand) return this.#build(members);
    if (isMet(demand, members)) return this.#meet(others, members);
    let all = NONE;
    const taken = [...members.values()].map(({ memberCase }) => memberCase);
    for (const memberCase of this.#cases.ordered(taken)) {
      for (const option of this.#options(demand, memberCase, members)) {
        if (option !== "unknown" && this.#isTooLarge(option)) continue;
        const finding = option === "unknown" ? UNKNOWN : this.#meet(others, option);
        if (finding.found === "value") return finding;
        if (finding.found === "unknown") all = UNKNOWN;
        if (this.#attempts > MAX_BUILD_ATTEMPTS) return UNKNOWN;
      }
    }
    return all;
  }

  #isTooLarge(members: Members): boolean {
    const { has, maxSize } = this.#problem.branch;
    return has.size + members.size > maxSize && new Set([...has, ...members.keys()]).size > maxSize;
  }

  *#options(demand: Demand, memberCase: MemberCase, members: Members): Iterable<Members | "unknown"> {
    const present = memberCase.name === undefined ? undefined : members.get(memberCase.name);
    if (present && present.memberCase !== memberCase) return;
    const before = present?.violated ?? [];
    if ("names" in demand) {
      yield* this.#named(memberCase, members, before, demand.names);
      return;
    }
    for (const node of schemasOf(demand.members, memberCase)) {
      yield* this.#named(memberCase, members, [...before, node]);
    }
  }

  /**
   * Yields the members with one more member, or with one more schema that a member has to violate; if `name` is given,
   * the member's name violates that schema.
   */
  *#named(
    memberCase: MemberCase,
    members: Members,
    violated: readonly SchemaNode[],
    name?: SchemaNode,
  ): Iterable<Members | "unknown"> {
    const value = this.#value(memberCase, violated);
    if (value.found === "none") return;
    if (memberCase.name !== undefined) {
      const truth = name ? this.#problem.evaluator.node(name, memberCase.name) : false;
      if (truth === true) return;
      if (value.found === "unknown" || truth === undefined) yield "unknown";
      else yield new Map(members).set(memberCase.name, { memberCase, violated });
      return;
    }
    const fresh = this.#cases.freshName(memberCase, members, name ? [{ holds: false, node: name }] : []);
    if (fresh.found === "none") return;
    if (fresh.found !== "value" || value.found !== "value") yield "unknown";
    else {
      const taken = fresh.value as string;
      yield new Map(members).set(taken, { memberCase: { name: taken, matched: memberCase.matched }, violated });
    }
  }

  #value(memberCase: MemberCase, violated: readonly SchemaNode[]): Finding {
    const schemas = this.#problem.branch.members.flatMap((constraint) => schemasOf(constraint, memberCase));
    return this.#problem.prover.find(schemas, violated);
  }

  /** Returns the names that the object can have; with unlimited names, as many as `minSize` demands. */
  #allNames(): { length: number } {
    const { branch } = this.#problem;
    const open = this.#cases.unnamed.some(
      (each) => this.#value(each, []).found !== "none" && this.#cases.freshName(each, new Map()).found !== "none",
    );
    if (open) return { length: branch.minSize };
    return [
      ...new Set(this.#cases.named.filter((each) => this.#value(each, []).found !== "none").map(({ name }) => name)),
    ];
  }

  /** Returns an object of the required members, the given members, and as many further members as `minSize` demands. */
  #build(members: Members): Finding {
    this.#attempts++;
    const { branch, budget, fulfils } = this.#problem;
    if (branch.minSize > branch.has.size + members.size + MAX_FURTHER_MEMBERS) return UNKNOWN;
    budget.spend(branch.has.size);
    const entries = new Map<string, JsonValue>();
    const add = (name: string, memberCase: MemberCase, violated: readonly SchemaNode[]): void => {
      const finding = this.#value(memberCase, violated);
      if (finding.found === "value") entries.set(name, finding.value);
    };
    for (const [name, { memberCase, violated }] of members) add(name, memberCase, violated);
    for (const name of branch.has) {
      const [memberCase] = this.#cases.of(name);
      if (memberCase && !entries.has(name)) add(name, memberCase, []);
    }
    for (const memberCase of this.#cases.ordered()) {
      for (let known = -1; entries.size < branch.minSize && entries.size > known; ) {
        known = entries.size;
        const name = memberCase.name ?? this.#freshName(memberCase, entries);
        if (name !== undefined && !entries.has(name)) add(name, memberCase, []);
      }
    }
    const value: JsonValue = Object.fromEntries(entries);
    return fulfils(value) ? { found: "value", value } : UNKNOWN;
  }

  #freshName(memberCase: MemberCase, taken: ReadonlyMap<string, unknown>): string | undefined {
    const fresh = this.#cases.freshName(memberCase, taken);
    return fresh.found === "value" ? (fresh.value as string) : undefined;
  }
}

/** Returns whether a chosen member already violates a schema of the demand. */
function isMet(demand: Demand, members: Members): boolean {
  if ("names" in demand) return false;
  return [...members.values()].some(({ memberCase, violated }) =>
    schemasOf(demand.members, memberCase).some((node) => isAmong(violated, node)),
  );
}
