import type { JsonValue } from "@agentprint/canonical-json";
import { ENTRIES_A_STEP, type StepBudget } from "../budget.ts";
import { ALL, BOOLEAN, FRACTION, INTEGER, KINDS, NULL } from "../kinds.ts";
import type { BoundConstraint, Constraint, SchemaNode } from "../schema-graph.ts";

/** The constraints of a schema on a value: see {@link SchemaNode}. */
export type Statement = Pick<SchemaNode, "kinds" | "constraints">;

/** Returns whether a statement accepts every value of these kinds. */
export function isTrivial(statement: Statement, kinds: number): boolean {
  return (statement.kinds & kinds) === kinds && !statement.constraints.some((constraint) => constraint.kinds & kinds);
}

/**
 * Returns the statement that all given statements hold. Of several constraints with the same subject, only the
 * strictest is kept.
 */
export function conjoin(statements: readonly Statement[], budget: StepBudget): Statement {
  budget.spend(1);
  let kinds = ALL;
  const constraints = new Map<unknown, Constraint>();
  for (const statement of statements) {
    kinds &= statement.kinds;
    budget.spend(statement.constraints.length);
    for (const constraint of statement.constraints) {
      const key = subject(constraint);
      const known = constraints.get(key);
      constraints.set(key, known && known !== constraint ? stricter(known, constraint, budget) : constraint);
    }
  }
  for (const constraint of constraints.values()) {
    if (constraint.type === "enum" && constraint.values.size === 0) kinds &= ~constraint.kinds;
    if (constraint.type === "multipleOf" && Number.isInteger(constraint.value)) kinds &= ~(constraint.kinds & FRACTION);
  }
  return { kinds, constraints: restrict([...constraints.values()], kinds).filter((constraint) => !isVoid(constraint)) };
}

/**
 * Returns the statement that at least one (`anyOf`) or exactly one (`oneOf`) of the nodes holds, computed for each kind
 * of value.
 */
export function disjoin(
  nodes: readonly SchemaNode[],
  type: "anyOf" | "oneOf",
  pointer: string,
  budget: StepBudget,
): Statement {
  for (const node of nodes) budget.spend(KINDS.length + (node.constraints.length * KINDS.length) / ENTRIES_A_STEP);
  let kinds = 0;
  const constraints: Constraint[] = [];
  for (const group of groupKinds(nodes)) {
    const [first, ...others] = group.nodes;
    if (first && others.length === 0) {
      kinds |= group.kinds;
      constraints.push(...restrict(first.constraints, group.kinds));
      continue;
    }
    let undecided = 0;
    for (const kind of KINDS.filter((k) => k & group.kinds)) {
      const about = group.nodes.map((node) => node.constraints.filter((p) => p.kinds & kind));
      const unconditional = about.filter((list) => list.length === 0).length;
      if (type === "oneOf" && unconditional > 1) continue;
      kinds |= kind;
      if (type === "anyOf" && unconditional > 0) continue;
      const values = unionOfEnums(about, type === "oneOf", budget);
      if (values) constraints.push({ type: "enum", kinds: kind, pointer, values });
      else undecided |= kind;
    }
    if (undecided) constraints.push({ type, kinds: undecided, pointer, nodes: group.nodes });
  }
  return conjoin([{ kinds, constraints }], budget);
}

/** Returns the kinds of value, grouped by the alternatives that accept them. */
function groupKinds(nodes: readonly SchemaNode[]): Iterable<{ kinds: number; nodes: SchemaNode[] }> {
  const groups = new Map<string, { kinds: number; nodes: SchemaNode[] }>();
  for (const kind of KINDS) {
    const accepting = nodes.filter((node) => node.kinds & kind);
    if (accepting.length === 0) continue;
    const key = nodes.map((node) => (node.kinds & kind ? 1 : 0)).join("");
    const known = groups.get(key);
    if (known) known.kinds |= kind;
    else groups.set(key, { kinds: kind, nodes: accepting });
  }
  return groups.values();
}

/**
 * Returns the values of alternatives that only list values, or `undefined` if one of them has other constraints, or if
 * the values of `oneOf` overlap.
 */
function unionOfEnums(
  about: readonly Constraint[][],
  disjoint: boolean,
  budget: StepBudget,
): Map<string, JsonValue> | undefined {
  const values = new Map<string, JsonValue>();
  for (const [only, ...more] of about) {
    if (only?.type !== "enum" || more.length > 0) return undefined;
    budget.spend(only.values.size);
    for (const [text, value] of only.values) {
      if (disjoint && values.has(text)) return undefined;
      values.set(text, value);
    }
  }
  return values;
}

function restrict(constraints: readonly Constraint[], kinds: number): Constraint[] {
  return constraints
    .filter((constraint) => constraint.kinds & kinds)
    .map((constraint) => restrictOne(constraint, constraint.kinds & kinds));
}

function restrictOne(constraint: Constraint, kinds: number): Constraint {
  if (kinds === INTEGER && (constraint.type === "minimum" || constraint.type === "maximum"))
    return integerBound(constraint);
  return kinds === constraint.kinds ? constraint : ({ ...constraint, kinds } as Constraint);
}

/** Returns a bound as a bound on integers, which is closed if it is a safe integer: `> 0` becomes `>= 1`. */
function integerBound(constraint: BoundConstraint): BoundConstraint {
  if (!constraint.exclusive && constraint.kinds === INTEGER && Number.isInteger(constraint.value)) return constraint;
  const lower = constraint.type === "minimum";
  const whole = lower ? Math.ceil(constraint.value) : Math.floor(constraint.value);
  const value = constraint.exclusive && whole === constraint.value ? whole + (lower ? 1 : -1) : whole;
  return Number.isSafeInteger(value)
    ? { ...constraint, kinds: INTEGER, value, exclusive: false }
    : { ...constraint, kinds: INTEGER };
}

/**
 * Returns whether a constraint restricts nothing because it is an `enum` that lists every value of a kind, such as
 * `true` and `false`.
 */
function isVoid(constraint: Constraint): boolean {
  if (constraint.type !== "enum") return false;
  return (
    (constraint.kinds === NULL && constraint.values.size === 1) ||
    (constraint.kinds === BOOLEAN && constraint.values.size === 2)
  );
}

/** Returns a key for the subject of a constraint. Constraints with equal keys can be replaced by the strictest of them. */
function subject(constraint: Constraint): unknown {
  switch (constraint.type) {
    case "minimum":
    case "maximum":
    case "enum":
    case "minLength":
    case "maxLength":
    case "minItems":
    case "maxItems":
    case "minProperties":
    case "maxProperties":
    case "uniqueItems":
      return `${constraint.type}|${constraint.kinds}`;
    case "multipleOf":
      return `${constraint.type}|${constraint.kinds}|${constraint.value}`;
    case "pattern":
      return `${constraint.type}|${constraint.source}`;
    case "required":
      return `${constraint.type}|${constraint.name}`;
    case "opaque":
      return `${constraint.type}|${constraint.kinds}|${constraint.key}`;
    default:
      return constraint;
  }
}

function stricter(a: Constraint, b: Constraint, budget: StepBudget): Constraint {
  if (a.type === "enum" && b.type === "enum") {
    budget.spend(a.values.size);
    return { ...a, values: new Map([...a.values].filter(([text]) => b.values.has(text))) };
  }
  if (!("value" in a && "value" in b) || typeof a.value !== "number" || typeof b.value !== "number") return a;
  if (a.value === b.value) return "exclusive" in a && a.exclusive ? a : b;
  return a.type.startsWith("min") === a.value > b.value ? a : b;
}
