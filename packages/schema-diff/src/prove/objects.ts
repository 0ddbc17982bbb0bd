import type { JsonValue } from "@agentprint/canonical-json";
import type { MembersPart, Node } from "../node.ts";
import { type Finding, NONE, type Problem, UNKNOWN } from "./finding.ts";
import { type Situation, Situations, schemasOf } from "./situations.ts";

/** A violation that the object must contain: of a schema for its members, or of one for its names. */
type Demand = { readonly members: MembersPart } | { readonly names: Node };

/** A member that the object will have, and the schemas that its value is to violate. */
interface Member {
  readonly situation: Situation;
  readonly violated: readonly Node[];
}
type Members = ReadonlyMap<string, Member>;

const MAX_ATTEMPTS = 60;
/** Members beyond those required; an object that needs more is no useful example. */
const MAX_FURTHER = 1000;

export function solveObject(problem: Problem): Finding {
  return new ObjectSearch(problem).solve();
}

/** An object with some members that violates schemas for members and names, each in at least one member. */
class ObjectSearch {
  readonly #problem: Problem;
  readonly #situations: Situations;
  #attempts = 0;

  constructor(problem: Problem) {
    this.#problem = problem;
    this.#situations = new Situations(problem);
  }

  solve(): Finding {
    const { branch } = this.#problem;
    if (branch.has.size > branch.maxSize) return NONE;
    if (!this.#situations.complete) return UNKNOWN;
    for (const name of branch.has) {
      if (this.#situations.of(name).every((s) => this.#value(s, []).found === "none")) return NONE;
    }
    if (branch.minSize > branch.has.size && this.#allNames().length < branch.minSize) return NONE;
    const demands: Demand[] = [
      ...branch.notMembers.map((members) => ({ members })),
      ...branch.notNames.map((names) => ({ names })),
    ];
    return this.#meet(demands, new Map());
  }

  /** Tries every member in which the first demand can be met. */
  #meet(demands: readonly Demand[], members: Members): Finding {
    this.#problem.budget.spend(5);
    const [demand, ...others] = demands;
    if (!demand) return this.#build(members);
    let all = NONE;
    const taken = [...members.values()].map(({ situation }) => situation);
    for (const situation of this.#situations.ordered(taken)) {
      for (const option of this.#options(demand, situation, members)) {
        const finding = option === "unknown" ? UNKNOWN : this.#meet(others, option);
        if (finding.found === "value") return finding;
        if (finding.found === "unknown") all = UNKNOWN;
        if (this.#attempts > MAX_ATTEMPTS) return UNKNOWN;
      }
    }
    return all;
  }

  *#options(demand: Demand, situation: Situation, members: Members): Iterable<Members | "unknown"> {
    const present = situation.name === undefined ? undefined : members.get(situation.name);
    if (present && present.situation !== situation) return;
    const before = present?.violated ?? [];
    if ("names" in demand) {
      yield* this.#named(situation, members, before, demand.names);
      return;
    }
    for (const node of schemasOf(demand.members, situation)) {
      yield* this.#named(situation, members, [...before, node]);
    }
  }

  /** The members with one more, or one with more to violate; its name violates a schema if one is given. */
  *#named(
    situation: Situation,
    members: Members,
    violated: readonly Node[],
    name?: Node,
  ): Iterable<Members | "unknown"> {
    const value = this.#value(situation, violated);
    if (value.found === "none") return;
    if (situation.name !== undefined) {
      const truth = name ? this.#problem.evaluator.node(name, situation.name) : false;
      if (truth === true) return;
      if (value.found === "unknown" || truth === undefined) yield "unknown";
      else yield new Map(members).set(situation.name, { situation, violated });
      return;
    }
    const fresh = this.#situations.freshName(situation, members, name ? [{ holds: false, node: name }] : []);
    if (fresh.found === "none") return;
    if (fresh.found !== "value" || value.found !== "value") yield "unknown";
    else {
      const taken = fresh.value as string;
      yield new Map(members).set(taken, { situation: { name: taken, matched: situation.matched }, violated });
    }
  }

  #value(situation: Situation, violated: readonly Node[]): Finding {
    const schemas = this.#problem.branch.members.flatMap((part) => schemasOf(part, situation));
    return this.#problem.prover.find(schemas, violated);
  }

  /** Up to `minSize` names that the object can have. */
  #allNames(): { length: number } {
    const { branch } = this.#problem;
    const open = this.#situations.unnamed.some(
      (s) => this.#value(s, []).found !== "none" && this.#situations.freshName(s, new Map()).found !== "none",
    );
    if (open) return { length: branch.minSize };
    return [...new Set(this.#situations.named.filter((s) => this.#value(s, []).found !== "none").map((s) => s.name))];
  }

  /** An object of the required members, those given, and as many more as it must have. */
  #build(members: Members): Finding {
    this.#attempts++;
    const { branch, budget, fulfils } = this.#problem;
    if (branch.minSize > branch.has.size + members.size + MAX_FURTHER) return UNKNOWN;
    budget.spend(branch.has.size);
    const entries = new Map<string, JsonValue>();
    const add = (name: string, situation: Situation, violated: readonly Node[]): void => {
      const finding = this.#value(situation, violated);
      if (finding.found === "value") entries.set(name, finding.value);
    };
    for (const [name, { situation, violated }] of members) add(name, situation, violated);
    for (const name of branch.has) {
      const [situation] = this.#situations.of(name);
      if (situation && !entries.has(name)) add(name, situation, []);
    }
    for (const situation of this.#situations.ordered()) {
      for (let known = -1; entries.size < branch.minSize && entries.size > known; ) {
        known = entries.size;
        const name = situation.name ?? this.#freshName(situation, entries);
        if (name !== undefined && !entries.has(name)) add(name, situation, []);
      }
    }
    const value: JsonValue = Object.fromEntries(entries);
    return fulfils(value) ? { found: "value", value } : UNKNOWN;
  }

  #freshName(situation: Situation, taken: ReadonlyMap<string, unknown>): string | undefined {
    const fresh = this.#situations.freshName(situation, taken);
    return fresh.found === "value" ? (fresh.value as string) : undefined;
  }
}
