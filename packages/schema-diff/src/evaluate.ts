import { canonicalize, type JsonValue } from "@agentprint/canonical-json";
import { ENTRIES_A_STEP, type StepBudget, UNITS_A_STEP } from "./budget.ts";
import { kindOf } from "./kinds.ts";
import { MAX_EVALUATION_DEPTH } from "./limits.ts";
import { isMultiple } from "./multiples.ts";
import type { Automaton } from "./regex/automaton.ts";
import type {
  Constraint,
  ContainsConstraint,
  ElementsConstraint,
  MembersConstraint,
  SchemaNode,
} from "./schema-graph.ts";

/**
 * Whether a value fulfils a statement; `undefined` if validators may differ, or if this package does not evaluate
 * it.
 */
export type Truth = boolean | undefined;

/** The number of steps that one decimal division takes. */
const MULTIPLE_STEPS = 4;
/** The number of an object's names that one step lists. */
const NAMES_A_STEP = 4;

/** Judges whether a value fulfils a compiled schema. Its answers are three-valued, and its work is counted in steps. */
export class Evaluator {
  readonly #budget: StepBudget;
  readonly #texts = new WeakMap<object, string>();
  #depth = 0;

  constructor(budget: StepBudget) {
    this.#budget = budget;
  }

  node(node: SchemaNode, value: JsonValue): Truth {
    this.#budget.spend(1 + node.constraints.length / ENTRIES_A_STEP);
    const kind = kindOf(value);
    if (!(node.kinds & kind)) return false;
    if (this.#depth >= MAX_EVALUATION_DEPTH) return undefined;
    this.#depth++;
    const truth = all(node.constraints, (constraint) =>
      constraint.kinds & kind ? this.#constraint(constraint, value) : true,
    );
    this.#depth--;
    return truth;
  }

  /**
   * Returns whether a value fulfils one constraint. A value of any kind to which the constraint does not apply fulfils
   * it.
   */
  constraint(constraint: Constraint, value: JsonValue): Truth {
    return constraint.kinds & kindOf(value) ? this.#constraint(constraint, value) : true;
  }

  matches(automaton: Automaton | undefined, text: string): Truth {
    return automaton?.test(text, this.#budget);
  }

  /** Returns the canonical text of a value. An array's or object's text is written once and then remembered. */
  text(value: JsonValue): string {
    const known = typeof value === "object" && value !== null ? this.#texts.get(value) : undefined;
    if (known !== undefined) return known;
    const text = canonicalize(value);
    this.#budget.spend(text.length / UNITS_A_STEP);
    if (typeof value === "object" && value !== null) this.#texts.set(value, text);
    return text;
  }

  #constraint(constraint: Constraint, value: JsonValue): Truth {
    this.#budget.spend(1);
    switch (constraint.type) {
      case "enum":
        return constraint.values.has(this.text(value));
      case "minimum":
        return constraint.exclusive ? (value as number) > constraint.value : (value as number) >= constraint.value;
      case "maximum":
        return constraint.exclusive ? (value as number) < constraint.value : (value as number) <= constraint.value;
      case "multipleOf":
        this.#budget.spend(MULTIPLE_STEPS);
        return isMultiple(value as number, constraint.value);
      case "minLength":
      case "minItems":
      case "minProperties":
        return this.#sizeOf(value) >= constraint.value;
      case "maxLength":
      case "maxItems":
      case "maxProperties":
        return this.#sizeOf(value) <= constraint.value;
      case "pattern":
        return this.matches(constraint.automaton, value as string);
      case "opaque":
        return constraint.samples.includes(value) || undefined;
      case "anyOf":
        return some(constraint.nodes, (node) => this.node(node, value));
      case "oneOf":
        return this.#exactlyOne(constraint.nodes, value);
      case "not":
        return negate(this.node(constraint.node, value));
      case "if":
        return this.#condition(this.node(constraint.test, value), constraint.yes, constraint.no, value);
      case "uniqueItems":
      case "elements":
      case "contains":
        return this.#array(constraint, value as JsonValue[]);
      default:
        return this.#object(constraint, value as { [key: string]: JsonValue });
    }
  }

  /** Returns the number of code points in a string, elements in an array or members in an object. */
  #sizeOf(value: JsonValue): number {
    if (Array.isArray(value)) return value.length;
    const isText = typeof value === "string";
    const { length } = isText ? [...value] : Object.keys(value as object);
    this.#budget.spend(length / (isText ? ENTRIES_A_STEP : NAMES_A_STEP));
    return length;
  }

  #array(constraint: Constraint, value: readonly JsonValue[]): Truth {
    if (constraint.type === "uniqueItems") {
      this.#budget.spend(value.length);
      return new Set(value.map((item) => this.text(item))).size === value.length;
    }
    if (constraint.type === "contains") return this.#contains(constraint, value);
    const { prefix, rest } = constraint as ElementsConstraint;
    return all([...value.entries()], ([i, item]) => this.node(prefix[i] ?? rest, item));
  }

  #contains({ node, min, max }: ContainsConstraint, value: readonly JsonValue[]): Truth {
    const truths = value.map((item) => this.node(node, item));
    const sure = truths.filter((truth) => truth === true).length;
    const possible = truths.filter((truth) => truth !== false).length;
    if (sure >= min && possible <= max) return true;
    return possible < min || sure > max ? false : undefined;
  }

  #object(constraint: Constraint, value: { [key: string]: JsonValue }): Truth {
    switch (constraint.type) {
      case "required":
        return Object.hasOwn(value, constraint.name);
      case "dependent":
        return Object.hasOwn(value, constraint.trigger.name) ? this.node(constraint.node, value) : true;
      case "propertyNames":
        return all(Object.keys(value), (name) => this.node(constraint.node, name));
      default:
        return all(Object.entries(value), ([name, item]) => this.#member(constraint as MembersConstraint, name, item));
    }
  }

  #member({ properties, patterns, rest }: MembersConstraint, name: string, value: JsonValue): Truth {
    const declared = properties.get(name);
    const truths: Truth[] = declared ? [this.node(declared, value)] : [];
    let known: Truth = declared !== undefined;
    for (const { automaton, node } of patterns) {
      const matches = this.matches(automaton, name);
      if (matches === true) known = true;
      else if (matches === undefined) known ||= undefined;
      if (matches === false) continue;
      const truth = this.node(node, value);
      truths.push(matches || truth ? truth : undefined);
    }
    if (known !== true) {
      const truth = this.node(rest, value);
      truths.push(known === false || truth === true ? truth : undefined);
    }
    return all(truths, (truth) => truth);
  }

  #exactlyOne(nodes: readonly SchemaNode[], value: JsonValue): Truth {
    let sure = 0;
    let doubtful = 0;
    for (const node of nodes) {
      const truth = this.node(node, value);
      if (truth === true) sure++;
      else if (truth === undefined) doubtful++;
      if (sure > 1) return false;
    }
    if (doubtful === 0) return sure === 1;
    return undefined;
  }

  #condition(test: Truth, yes: SchemaNode, no: SchemaNode, value: JsonValue): Truth {
    if (test !== undefined) return this.node(test ? yes : no, value);
    const [then, otherwise] = [this.node(yes, value), this.node(no, value)];
    return then === otherwise ? then : undefined;
  }
}

function all<T>(items: Iterable<T>, truthOf: (item: T) => Truth): Truth {
  let truth: Truth = true;
  for (const item of items) {
    const next = truthOf(item);
    if (next === false) return false;
    if (next === undefined) truth = undefined;
  }
  return truth;
}

function some<T>(items: Iterable<T>, truthOf: (item: T) => Truth): Truth {
  return negate(all(items, (item) => negate(truthOf(item))));
}

function negate(truth: Truth): Truth {
  return truth === undefined ? undefined : !truth;
}
