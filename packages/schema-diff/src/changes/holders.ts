import type { JsonValue } from "@agentprint/canonical-json";
import type { ContainsPart, DependentPart, GroupPart, IfPart, Node } from "../node.ts";
import { type Difference, type Polarity, turn } from "./change-list.ts";
import type { ChangeWalk } from "./find-changes.ts";
import type { ChangeSubject } from "./schema-change.ts";
import { type Sides, zip } from "./sides.ts";

interface Holder {
  readonly node: Node;
  readonly at: string;
}

/** A keyword with one schema; `polarity` is that of the schema. */
export function compareHolders(
  walk: ChangeWalk,
  subject: ChangeSubject,
  a: Holder | undefined,
  b: Holder | undefined,
  polarity: Polarity,
): void {
  if (a && b) walk.compare(a.node, b.node, polarity);
  // The keyword itself narrows when it is added, also where its schema excludes.
  else
    walk.add(
      [present(subject, a, b, (side, node) => walk.text(side, node))],
      subject === "not" ? turn(polarity) : polarity,
    );
}

function present(
  subject: ChangeSubject,
  a: Holder | undefined,
  b: Holder | undefined,
  text: (side: "before" | "after", node: Node) => JsonValue,
): Difference {
  const path = (b ?? (a as Holder)).at;
  if (b) return { subject, manner: "added", path, after: text("after", b.node) };
  return { subject, manner: "removed", path, before: a && text("before", a.node) };
}

export function compareContains(
  walk: ChangeWalk,
  a: ContainsPart | undefined,
  b: ContainsPart | undefined,
  polarity: Polarity,
): void {
  const count = ({ min, max }: ContainsPart): JsonValue => [min, max === Number.POSITIVE_INFINITY ? null : max];
  if (!a || !b) compareHolders(walk, "contains", a, b, polarity);
  else if (a.min === b.min && a.max === b.max)
    walk.compare(a.node, b.node, b.max === Number.POSITIVE_INFINITY ? polarity : 0);
  else {
    const text = (side: "before" | "after", part: ContainsPart): JsonValue => ({
      contains: walk.text(side, part.node),
      count: count(part),
    });
    const difference = { before: text("before", a), after: text("after", b), path: b.at };
    walk.add([{ subject: "contains", manner: "changed", ...difference }], polarity);
  }
}

export function compareConditions(
  walk: ChangeWalk,
  a: IfPart | undefined,
  b: IfPart | undefined,
  polarity: Polarity,
): void {
  const holder = (part: IfPart | undefined): Holder | undefined => part && { node: part.test, at: part.at };
  if (!a || !b) compareHolders(walk, "condition", holder(a), holder(b), polarity);
  else {
    walk.compare(a.test, b.test, 0);
    walk.compare(a.yes, b.yes, polarity);
    walk.compare(a.no, b.no, polarity);
  }
}

export function compareDependents(walk: ChangeWalk, { before, after }: Sides<DependentPart>, polarity: Polarity): void {
  const named = (parts: readonly DependentPart[]): Map<string, DependentPart> =>
    new Map(parts.map((part) => [part.trigger.name, part]));
  const [old, young] = [named(before), named(after)];
  for (const name of new Set([...old.keys(), ...young.keys()])) {
    compareHolders(walk, "dependent", old.get(name), young.get(name), polarity);
  }
}

/** Alternatives: equal ones are left out, then those are paired of which one accepts more than the other. */
export function compareGroups(walk: ChangeWalk, sides: Sides<GroupPart>, polarity: Polarity): void {
  for (const [a, b] of zip(sides)) {
    const old = [...(a?.nodes ?? [])];
    const young = [...(b?.nodes ?? [])];
    takePairs(walk, old, young, (before, after) => walk.relate(before, after) === "none");
    const related = takePairs(walk, old, young, (before, after) =>
      ["narrows", "widens"].includes(walk.relate(before, after)),
    );
    const [first, second] = [old[0], young[0]];
    if (first && second && old.length === 1 && young.length === 1) related.push([first, second]);
    else addAlternatives(walk, a, b, old, young, polarity);
    for (const [before, after] of related) walk.compare(before, after, polarity);
  }
}

/** Takes out of both lists what belongs together. */
function takePairs(
  walk: ChangeWalk,
  old: Node[],
  young: Node[],
  belong: (before: Node, after: Node) => boolean,
): [before: Node, after: Node][] {
  const pairs: [Node, Node][] = [];
  for (const before of [...old]) {
    if (walk.isExhausted) break;
    const after = young.find((node) => belong(before, node));
    if (!after) continue;
    pairs.push([before, after]);
    old.splice(old.indexOf(before), 1);
    young.splice(young.indexOf(after), 1);
  }
  return pairs;
}

function addAlternatives(
  walk: ChangeWalk,
  a: GroupPart | undefined,
  b: GroupPart | undefined,
  old: readonly Node[],
  young: readonly Node[],
  polarity: Polarity,
): void {
  const subject = (b ?? a)?.part === "one" ? "oneOf" : "anyOf";
  // One more alternative accepts more, but the first ones of a new group exclude what they do not name.
  const [lost, gained] = a && b ? (["narrows", "widens"] as const) : (["widens", "narrows"] as const);
  for (const node of old) {
    const before = walk.text("before", node);
    walk.add([{ subject, manner: "removed", path: node.pointer, before, effect: lost }], polarity);
  }
  for (const node of young) {
    const after = walk.text("after", node);
    walk.add([{ subject, manner: "added", path: node.pointer, after, effect: gained }], polarity);
  }
}
