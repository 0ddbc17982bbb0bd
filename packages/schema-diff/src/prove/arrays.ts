import type { JsonValue } from "@agentprint/canonical-json";
import { MAX_ARRAY_ELEMENTS, MAX_BUILD_ATTEMPTS, MAX_TUPLE_POSITIONS } from "../limits.ts";
import type { ElementsConstraint, SchemaNode } from "../schema-graph.ts";
import { type Finding, NONE, type Problem, UNKNOWN } from "./finding.ts";
import { isAmong } from "./goal.ts";

/** How many copies of an element beyond the prefixes are tried, because `contains` can require a number of them. */
const COPIES = [1, 2, 3, 4];

/** The schemas that the element at a position has to violate. */
type Violations = ReadonlyMap<number, readonly SchemaNode[]>;

export function solveArray(problem: Problem): Finding {
  return new ArraySearch(problem).solve();
}

/** Searches for an array in which, for each given constraint on elements, at least one element violates it. */
class ArraySearch {
  readonly #problem: Problem;
  /** The first position beyond all prefixes. From there on, the same schemas apply to every position. */
  readonly #uniform: number;
  #maxSize: number;
  #attempts = 0;

  constructor(problem: Problem) {
    this.#problem = problem;
    const { elements, notElements, maxSize } = problem.branch;
    this.#uniform = Math.max(0, ...[...elements, ...notElements].map((constraint) => constraint.prefix.length));
    this.#maxSize = maxSize;
  }

  solve(): Finding {
    const { branch } = this.#problem;
    if (this.#uniform > MAX_TUPLE_POSITIONS) return UNKNOWN;
    for (let i = 0; i <= this.#uniform && i < this.#maxSize; i++) {
      if (this.#element(i).found === "none") this.#maxSize = i;
    }
    if (branch.minSize > this.#maxSize) return NONE;
    if (branch.repeated) return this.#repeat();
    return this.#meet(branch.notElements, new Map());
  }

  /** Tries every position at which the element can violate the first demand, and continues with the other demands. */
  #meet(demands: readonly ElementsConstraint[], violations: Violations): Finding {
    this.#problem.budget.spend(5);
    const [demand, ...others] = demands;
    if (!demand) return this.#build(violations);
    const isMet = [...violations].some(([position, violated]) => isAmong(violated, schemaAt(demand, position)));
    if (isMet) return this.#meet(others, violations);
    let all = NONE;
    for (const position of this.#positions(violations)) {
      const violated = [...(violations.get(position) ?? []), schemaAt(demand, position)];
      const value = this.#element(position, violated);
      if (value.found === "none") continue;
      const finding =
        value.found === "unknown" ? value : this.#meet(others, new Map(violations).set(position, violated));
      if (finding.found === "value") return finding;
      if (finding.found === "unknown") all = UNKNOWN;
      if (this.#attempts > MAX_BUILD_ATTEMPTS) return UNKNOWN;
    }
    return all;
  }

  /**
   * Returns all positions in prefixes, the uniform positions that already have a violation, and one more uniform
   * position.
   */
  #positions(violations: Violations): number[] {
    const next = Math.max(this.#uniform, ...[...violations.keys()].map((position) => position + 1));
    return Array.from({ length: next + 1 }, (_, i) => i).filter((i) => i < this.#maxSize);
  }

  /** Searches for an array with two equal elements by trying all pairs of positions that can have the same value. */
  #repeat(): Finding {
    let all = NONE;
    const last = Math.min(this.#uniform + 2, this.#maxSize);
    for (let second = 1; second < last; second++) {
      for (let first = 0; first < second; first++) {
        const value = this.#problem.prover.find([...this.#schemas(first), ...this.#schemas(second)], []);
        if (value.found === "none") continue;
        all = UNKNOWN;
        if (value.found !== "value") continue;
        const finding = this.#judge(
          this.#fill(
            new Map([
              [first, value.value],
              [second, value.value],
            ]),
          ),
        );
        if (finding.found === "value") return finding;
      }
    }
    return all;
  }

  #build(violations: Violations): Finding {
    this.#attempts++;
    for (const copies of violations.size > 0 ? COPIES : [1]) {
      const chosen = new Map<number, JsonValue>();
      for (const [position, violated] of violations) {
        const value = this.#element(position, violated);
        if (value.found !== "value") return UNKNOWN;
        const shift = position < this.#uniform ? 0 : (position - this.#uniform) * (copies - 1);
        for (let i = 0; i < (position < this.#uniform ? 1 : copies); i++) chosen.set(position + shift + i, value.value);
      }
      const finding = this.#judge(this.#fill(chosen));
      if (finding.found === "value") return finding;
    }
    return UNKNOWN;
  }

  /** Returns an array of the chosen elements, with accepted elements at all other positions. */
  #fill(chosen: ReadonlyMap<number, JsonValue>): JsonValue[] | undefined {
    const { branch, prover } = this.#problem;
    const length = Math.max(branch.minSize, ...[...chosen.keys()].map((position) => position + 1));
    if (length > MAX_ARRAY_ELEMENTS) return undefined;
    const items: JsonValue[] = [];
    const taken = new Map<string, JsonValue>();
    const take = (value: JsonValue): unknown => branch.unique && taken.set(prover.text(value), value);
    for (const value of chosen.values()) take(value);
    for (let i = 0; i < length; i++) {
      const given = chosen.get(i);
      const value =
        given === undefined ? prover.findOther(this.#schemas(i), taken) : { found: "value" as const, value: given };
      if (value.found !== "value") return undefined;
      take(value.value);
      items.push(value.value);
    }
    return items;
  }

  #judge(items: JsonValue[] | undefined): Finding {
    return items && this.#problem.fulfils(items) ? { found: "value", value: items } : UNKNOWN;
  }

  #schemas(position: number): SchemaNode[] {
    return this.#problem.branch.elements.map((constraint) => schemaAt(constraint, position));
  }

  #element(position: number, violated: readonly SchemaNode[] = []): Finding {
    return this.#problem.prover.find(this.#schemas(position), violated);
  }
}

function schemaAt(constraint: ElementsConstraint, position: number): SchemaNode {
  return constraint.prefix[position] ?? constraint.rest;
}
