import type { JsonValue } from "@agentprint/canonical-json";
import { isDoubtful } from "../compile/keywords.ts";
import { ALL, typeNames } from "../kinds.ts";
import type { Prover } from "../prove/prover.ts";
import type { BeforeAfter, Difference } from "../schema-change.ts";
import type {
  BoundConstraint,
  Constraint,
  EnumConstraint,
  MultipleConstraint,
  OpaqueConstraint,
  PatternConstraint,
  RequiredConstraint,
  SchemaNode,
  SizeConstraint,
} from "../schema-graph.ts";
import { list, show } from "./sentences.ts";

export function compareTypes(before: SchemaNode, after: SchemaNode): Difference[] {
  if (before.kinds === after.kinds) return [];
  const names = (kinds: number): JsonValue | undefined => {
    const [first, ...others] = typeNames(kinds);
    return kinds === ALL ? undefined : first === undefined ? [] : others.length > 0 ? [first, ...others] : first;
  };
  const direction =
    (before.kinds & after.kinds) === after.kinds
      ? "tightened"
      : (before.kinds & after.kinds) === before.kinds
        ? "loosened"
        : "changed";
  const [from, to] = [names(before.kinds), names(after.kinds)];
  const text = (value: JsonValue | undefined): string => (value === undefined ? "any type" : show(value));
  const message = `type changed from ${text(from)} to ${text(to)}`;
  return [{ subject: "type", direction, path: `${after.pointer}/type`, before: from, after: to, message }];
}

export function compareEnums({ before, after }: BeforeAfter<readonly EnumConstraint[]>): Difference[] {
  const common = kindsOf(before) & kindsOf(after);
  const [valuesBefore, valuesAfter] = [valuesOf(before, common), valuesOf(after, common)];
  const removed = [...valuesBefore].filter(([text]) => !valuesAfter.has(text)).map(([, value]) => value);
  const added = [...valuesAfter].filter(([text]) => !valuesBefore.has(text)).map(([, value]) => value);
  const differences: Difference[] = [];
  if (removed.length > 0 || added.length > 0) {
    const messages = [
      removed.length > 0 ? `no longer allowed: ${list(removed)}` : "",
      added.length > 0 ? `now allowed: ${list(added)}` : "",
    ];
    differences.push({
      subject: "enum",
      direction: removed.length === 0 ? "loosened" : added.length === 0 ? "tightened" : "changed",
      path: after.find(({ kinds }) => kinds & common)?.pointer ?? "",
      before: [...valuesBefore.values()],
      after: [...valuesAfter.values()],
      message: messages.filter(Boolean).join("; "),
    });
  }
  const [onlyBefore, onlyAfter] = [before, after].map((each) => each.filter(({ kinds }) => !(kinds & common)));
  const all = (constraints: readonly EnumConstraint[]): JsonValue[] =>
    constraints.flatMap(({ values }) => [...values.values()]);
  if (onlyBefore?.[0])
    differences.push({ subject: "enum", direction: "removed", path: onlyBefore[0].pointer, before: all(onlyBefore) });
  if (onlyAfter?.[0])
    differences.push({ subject: "enum", direction: "added", path: onlyAfter[0].pointer, after: all(onlyAfter) });
  return differences;
}

function kindsOf(constraints: readonly EnumConstraint[]): number {
  return constraints.reduce((mask, { kinds }) => mask | kinds, 0);
}

/** Returns the values of the given kinds that constraints list, by canonical text. */
function valuesOf(constraints: readonly EnumConstraint[], kinds: number): Map<string, JsonValue> {
  return new Map(constraints.filter((constraint) => constraint.kinds & kinds).flatMap(({ values }) => [...values]));
}

/** Compares bounds and sizes. Each side has at most one constraint of each type for a kind of value. */
export function compareLimits(sides: BeforeAfter<readonly (BoundConstraint | SizeConstraint)[]>): Difference[] {
  return pair(
    sides,
    (a, b) => a.type === b.type,
    limitOf,
    (a, b) => {
      return { direction: compareStrictness(b, a) > 0 ? "tightened" : "loosened" };
    },
  );
}

export function compareMultiples(sides: BeforeAfter<readonly MultipleConstraint[]>, prover: Prover): Difference[] {
  return pair(
    sides,
    () => true,
    (constraint) => constraint.value,
    (a, b) => byEffect(prover, a, b),
  );
}

export function comparePatterns(sides: BeforeAfter<readonly PatternConstraint[]>, prover: Prover): Difference[] {
  return pair(
    sides,
    () => true,
    (constraint) => constraint.source,
    (a, b) => byEffect(prover, a, b),
  );
}

export function compareOpaque({ before, after }: BeforeAfter<readonly OpaqueConstraint[]>): Difference[] {
  return pair(
    { before, after },
    (a, b) => a.keyword === b.keyword,
    (constraint) => constraint.value,
    (a, b) => (a.key === b.key ? undefined : { direction: "changed" }),
  ).map((difference) => ({ ...difference, effect: difference.effect ?? "unknown" }));
}

export function compareRequired({ before, after }: BeforeAfter<readonly RequiredConstraint[]>): Difference[] {
  const [namesBefore, namesAfter] = [new Set(before.map(({ name }) => name)), new Set(after.map(({ name }) => name))];
  const removed = before.filter(({ name }) => !namesAfter.has(name));
  const added = after.filter(({ name }) => !namesBefore.has(name));
  return [
    ...removed.map(({ pointer, name }): Difference => {
      const message = `${show(name)} is no longer required`;
      return { subject: "required", direction: "removed", path: pointer, before: name, message };
    }),
    ...added.map(({ pointer, name }): Difference => {
      const message = `${show(name)} became required`;
      return { subject: "required", direction: "added", path: pointer, after: name, message };
    }),
  ];
}

function byEffect(prover: Prover, a: Constraint, b: Constraint): Pick<Difference, "direction" | "effect"> | undefined {
  const effect = prover.effectOfConstraint(a, b);
  if (effect === "none") return undefined;
  return { direction: effect === "narrows" ? "tightened" : effect === "widens" ? "loosened" : "changed", effect };
}

function limitOf(constraint: BoundConstraint | SizeConstraint): JsonValue {
  if (!("exclusive" in constraint) || !constraint.exclusive) return constraint.value;
  return `${constraint.type === "minimum" ? ">" : "<"} ${constraint.value}`;
}

/** Returns a number above zero if `a` excludes more values than `b`. */
function compareStrictness(a: BoundConstraint | SizeConstraint, b: BoundConstraint | SizeConstraint): number {
  const excluded = (constraint: BoundConstraint | SizeConstraint): number =>
    "exclusive" in constraint && constraint.exclusive ? 1 : 0;
  const difference = a.type.startsWith("min") ? a.value - b.value : b.value - a.value;
  return difference || excluded(a) - excluded(b);
}

/** Pairs the two sides' constraints that belong together according to `match`, and lists the differences. */
function pair<C extends Exclude<Constraint, { type: "anyOf" | "oneOf" }>>(
  { before, after }: BeforeAfter<readonly C[]>,
  match: (a: C, b: C) => boolean,
  valueFor: (constraint: C) => JsonValue,
  compare: (a: C, b: C) => Pick<Difference, "direction" | "effect"> | undefined,
): Difference[] {
  const keyOf = (constraint: C): string =>
    `${constraint.type === "opaque" ? constraint.keyword : constraint.type} ${JSON.stringify(valueFor(constraint))}`;
  const [keysBefore, keysAfter] = [new Set(before.map(keyOf)), new Set(after.map(keyOf))];
  const removed = before.filter((a) => !keysAfter.has(keyOf(a)));
  const differences: Difference[] = [];
  for (const b of after.filter((constraint) => !keysBefore.has(keyOf(constraint)))) {
    const a = removed.find((candidate) => match(candidate, b));
    if (a) removed.splice(removed.indexOf(a), 1);
    const difference = a ? compare(a, b) : { direction: "added" as const };
    if (!difference) continue;
    const values = { before: a && valueFor(a), after: valueFor(b) };
    differences.push({ subject: subjectOf(b), path: b.pointer, ...values, ...difference });
  }
  for (const a of removed) {
    differences.push({ subject: subjectOf(a), direction: "removed", path: a.pointer, before: valueFor(a) });
  }
  return differences;
}

function subjectOf(constraint: Constraint): Difference["subject"] {
  if (constraint.type !== "opaque") return constraint.type as Difference["subject"];
  return isDoubtful(constraint.keyword) ? constraint.keyword : "schema";
}
