import type { JsonValue } from "@agentprint/canonical-json";
import { ENTRIES_A_STEP, type StepBudget } from "../budget.ts";
import { ALL, BOOLEAN, FRACTION, INTEGER, KINDS, NULL } from "../kinds.ts";
import type { BoundPart, Node, Part } from "../node.ts";

/** What a schema says: see {@link Node}. */
export type Statement = Pick<Node, "kinds" | "parts">;

/** The statement that all of these hold. Parts about the same thing become one, in its strictest form. */
export function conjoin(statements: readonly Statement[], budget: StepBudget): Statement {
  budget.spend(1);
  let kinds = ALL;
  const parts = new Map<unknown, Part>();
  for (const statement of statements) {
    kinds &= statement.kinds;
    budget.spend(statement.parts.length);
    for (const part of statement.parts) {
      const key = subject(part);
      const known = parts.get(key);
      parts.set(key, known && known !== part ? stricter(known, part, budget) : part);
    }
  }
  for (const part of parts.values()) {
    if (part.part === "enum" && part.values.size === 0) kinds &= ~part.kinds;
    if (part.part === "multipleOf" && Number.isInteger(part.value)) kinds &= ~(part.kinds & FRACTION);
  }
  return { kinds, parts: restrict([...parts.values()], kinds).filter((part) => !isVoid(part)) };
}

/** The statement that any one (or exactly one) of these holds, taken apart by kind of value. */
export function disjoin(nodes: readonly Node[], part: "any" | "one", at: string, budget: StepBudget): Statement {
  for (const node of nodes) budget.spend(KINDS.length + (node.parts.length * KINDS.length) / ENTRIES_A_STEP);
  let kinds = 0;
  const parts: Part[] = [];
  for (const group of groupKinds(nodes)) {
    const [first, ...others] = group.nodes;
    if (first && others.length === 0) {
      kinds |= group.kinds;
      parts.push(...restrict(first.parts, group.kinds));
      continue;
    }
    let open = 0;
    for (const kind of KINDS.filter((k) => k & group.kinds)) {
      const about = group.nodes.map((node) => node.parts.filter((p) => p.kinds & kind));
      const unconditional = about.filter((list) => list.length === 0).length;
      if (part === "one" && unconditional > 1) continue;
      kinds |= kind;
      if (part === "any" && unconditional > 0) continue;
      const values = unionOfEnums(about, part === "one", budget);
      if (values) parts.push({ part: "enum", kinds: kind, at, values });
      else open |= kind;
    }
    if (open) parts.push({ part, kinds: open, at, nodes: group.nodes });
  }
  return conjoin([{ kinds, parts }], budget);
}

/** The kinds of value, grouped by the alternatives that accept them. */
function groupKinds(nodes: readonly Node[]): Iterable<{ kinds: number; nodes: Node[] }> {
  const groups = new Map<string, { kinds: number; nodes: Node[] }>();
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

/** The values of alternatives that only list values; `undefined` when one says more, or they overlap and must not. */
function unionOfEnums(
  about: readonly Part[][],
  disjoint: boolean,
  budget: StepBudget,
): Map<string, JsonValue> | undefined {
  const values = new Map<string, JsonValue>();
  for (const [only, ...more] of about) {
    if (only?.part !== "enum" || more.length > 0) return undefined;
    budget.spend(only.values.size);
    for (const [text, value] of only.values) {
      if (disjoint && values.has(text)) return undefined;
      values.set(text, value);
    }
  }
  return values;
}

function restrict(parts: readonly Part[], kinds: number): Part[] {
  return parts.filter((part) => part.kinds & kinds).map((part) => restrictPart(part, part.kinds & kinds));
}

function restrictPart(part: Part, kinds: number): Part {
  if (kinds === INTEGER && (part.part === "minimum" || part.part === "maximum")) return integerBound(part);
  return kinds === part.kinds ? part : ({ ...part, kinds } as Part);
}

/** Among integers every bound is a closed integer bound: above 0 is from 1. */
function integerBound(part: BoundPart): BoundPart {
  if (!part.open && part.kinds === INTEGER && Number.isInteger(part.value)) return part;
  const lower = part.part === "minimum";
  const whole = lower ? Math.ceil(part.value) : Math.floor(part.value);
  const value = part.open && whole === part.value ? whole + (lower ? 1 : -1) : whole;
  return Number.isSafeInteger(value) ? { ...part, kinds: INTEGER, value, open: false } : { ...part, kinds: INTEGER };
}

/** A list of all the values there are of a kind says nothing. */
function isVoid(part: Part): boolean {
  if (part.part !== "enum") return false;
  return (part.kinds === NULL && part.values.size === 1) || (part.kinds === BOOLEAN && part.values.size === 2);
}

/** Parts with one subject can be replaced by the strictest of them. */
function subject(part: Part): unknown {
  switch (part.part) {
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
      return `${part.part}|${part.kinds}`;
    case "multipleOf":
      return `${part.part}|${part.kinds}|${part.value}`;
    case "pattern":
      return `${part.part}|${part.source}`;
    case "required":
      return `${part.part}|${part.name}`;
    case "opaque":
      return `${part.part}|${part.kinds}|${part.key}`;
    default:
      return part;
  }
}

function stricter(a: Part, b: Part, budget: StepBudget): Part {
  if (a.part === "enum" && b.part === "enum") {
    budget.spend(a.values.size);
    return { ...a, values: new Map([...a.values].filter(([text]) => b.values.has(text))) };
  }
  if (!("value" in a && "value" in b) || typeof a.value !== "number" || typeof b.value !== "number") return a;
  if (a.value === b.value) return "open" in a && a.open ? a : b;
  return a.part.startsWith("min") === a.value > b.value ? a : b;
}
