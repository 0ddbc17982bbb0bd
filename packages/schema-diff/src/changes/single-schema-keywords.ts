import type { JsonValue } from "@agentprint/canonical-json";
import type { BeforeAfter, ChangeSubject, Difference, Polarity } from "../schema-change.ts";
import type { ContainsConstraint, DependentConstraint, IfConstraint, SchemaNode } from "../schema-graph.ts";
import type { ChangeWalk } from "./change-walk.ts";

/** A keyword whose value is one schema. */
interface SchemaKeyword {
  readonly node: SchemaNode;
  readonly pointer: string;
}

/** Returns the polarity of a schema below `not`. */
export function flip(polarity: Polarity): Polarity {
  return polarity === 0 ? 0 : polarity === 1 ? -1 : 1;
}

/** @param polarity The polarity of the schema under the keyword. */
export function compareSchemaKeyword(
  walk: ChangeWalk,
  subject: ChangeSubject,
  a: SchemaKeyword | undefined,
  b: SchemaKeyword | undefined,
  polarity: Polarity,
): void {
  if (a && b) walk.compare(a.node, b.node, polarity);
  // Any added keyword, even `not`, narrows the schema around it, so the caller's flip is undone.
  else walk.add([presence(walk, subject, a, b)], subject === "not" ? flip(polarity) : polarity);
}

function presence(
  walk: ChangeWalk,
  subject: ChangeSubject,
  a: SchemaKeyword | undefined,
  b: SchemaKeyword | undefined,
): Difference {
  const path = (b ?? (a as SchemaKeyword)).pointer;
  if (b) return { subject, direction: "added", path, after: walk.text("after", b.node) };
  return { subject, direction: "removed", path, before: a && walk.text("before", a.node) };
}

export function compareContains(
  walk: ChangeWalk,
  a: ContainsConstraint | undefined,
  b: ContainsConstraint | undefined,
  polarity: Polarity,
): void {
  if (!a || !b) compareSchemaKeyword(walk, "contains", a, b, polarity);
  else if (a.min === b.min && a.max === b.max)
    walk.compare(a.node, b.node, b.max === Number.POSITIVE_INFINITY ? polarity : 0);
  else {
    const text = (side: "before" | "after", { node, min, max }: ContainsConstraint): JsonValue => ({
      contains: walk.text(side, node),
      count: [min, max === Number.POSITIVE_INFINITY ? null : max],
    });
    const difference = { before: text("before", a), after: text("after", b), path: b.pointer };
    walk.add([{ subject: "contains", direction: "changed", ...difference }], polarity);
  }
}

export function compareConditions(
  walk: ChangeWalk,
  a: IfConstraint | undefined,
  b: IfConstraint | undefined,
  polarity: Polarity,
): void {
  const keyword = (constraint: IfConstraint | undefined): SchemaKeyword | undefined =>
    constraint && { node: constraint.test, pointer: constraint.pointer };
  if (!a || !b) compareSchemaKeyword(walk, "condition", keyword(a), keyword(b), polarity);
  else {
    walk.compare(a.test, b.test, 0);
    walk.compare(a.yes, b.yes, polarity);
    walk.compare(a.no, b.no, polarity);
  }
}

export function compareDependents(
  walk: ChangeWalk,
  { before, after }: BeforeAfter<readonly DependentConstraint[]>,
  polarity: Polarity,
): void {
  const byTrigger = (constraints: readonly DependentConstraint[]): Map<string, DependentConstraint> =>
    new Map(constraints.map((constraint) => [constraint.trigger.name, constraint]));
  const [triggersBefore, triggersAfter] = [byTrigger(before), byTrigger(after)];
  for (const name of new Set([...triggersBefore.keys(), ...triggersAfter.keys()])) {
    compareSchemaKeyword(walk, "dependent", triggersBefore.get(name), triggersAfter.get(name), polarity);
  }
}
