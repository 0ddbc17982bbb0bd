import { isTrivial } from "../compile/combine.ts";
import { ALL, ARRAY, OBJECT } from "../kinds.ts";
import { schemasOf } from "../prove/member-cases.ts";
import type { BeforeAfter, ChangeSubject, Difference, Polarity } from "../schema-change.ts";
import type {
  Constraint,
  ElementsConstraint,
  GroupConstraint,
  MembersConstraint,
  SchemaNode,
} from "../schema-graph.ts";
import type { ChangeWalk } from "./change-walk.ts";
import { show } from "./sentences.ts";
import {
  compareConditions,
  compareContains,
  compareDependents,
  compareSchemaKeyword,
  flip,
} from "./single-schema-keywords.ts";

const ANYTHING: SchemaNode = { pointer: "", kinds: ALL, constraints: [], equivalenceClass: 0 };
const ANY_MEMBERS: MembersConstraint = {
  type: "members",
  kinds: OBJECT,
  pointer: "",
  properties: new Map(),
  patterns: [],
  rest: ANYTHING,
};
const ANY_ELEMENTS: ElementsConstraint = { type: "elements", kinds: ARRAY, pointer: "", prefix: [], rest: ANYTHING };

/** Lists the differences between the constraints that contain schemas. */
export function compareChildren(walk: ChangeWalk, all: BeforeAfter<readonly Constraint[]>, polarity: Polarity): void {
  const { before, after } = withoutEqual(walk, all);
  const both = <K extends Constraint["type"]>(type: K): BeforeAfter<Extract<Constraint, { type: K }>[]> => ({
    before: before.filter((each): each is Extract<Constraint, { type: K }> => each.type === type),
    after: after.filter((each): each is Extract<Constraint, { type: K }> => each.type === type),
  });
  for (const [a, b] of zip(both("members"))) compareMembers(walk, a ?? ANY_MEMBERS, b ?? ANY_MEMBERS, polarity);
  for (const [a, b] of zip(both("elements"))) compareElements(walk, a ?? ANY_ELEMENTS, b ?? ANY_ELEMENTS, polarity);
  for (const [a, b] of zip(both("propertyNames"))) compareSchemaKeyword(walk, "propertyNames", a, b, polarity);
  for (const [a, b] of zip(both("contains"))) compareContains(walk, a, b, polarity);
  for (const [a, b] of zip(both("not"))) compareSchemaKeyword(walk, "not", a, b, flip(polarity));
  for (const [a, b] of zip(both("if"))) compareConditions(walk, a, b, polarity);
  compareDependents(walk, both("dependent"), polarity);
  compareGroups(walk, both("anyOf"), polarity);
  compareGroups(walk, both("oneOf"), 0);
}

/** Yields the elements of two lists in pairs. Beyond the end of the shorter list, its elements are `undefined`. */
function* zip<T>({ before, after }: BeforeAfter<readonly T[]>): Iterable<[T | undefined, T | undefined]> {
  for (let i = 0; i < Math.max(before.length, after.length); i++) yield [before[i], after[i]];
}

function withoutEqual(
  walk: ChangeWalk,
  { before, after }: BeforeAfter<readonly Constraint[]>,
): BeforeAfter<readonly Constraint[]> {
  const byKey = (constraints: readonly Constraint[]): Map<string, Constraint> =>
    new Map(constraints.map((constraint) => [walk.keyOf(constraint), constraint]));
  const [keysBefore, keysAfter] = [byKey(before), byKey(after)];
  return {
    before: [...keysBefore].filter(([key]) => !keysAfter.has(key)).map(([, constraint]) => constraint),
    after: [...keysAfter].filter(([key]) => !keysBefore.has(key)).map(([, constraint]) => constraint),
  };
}

function compareMembers(
  walk: ChangeWalk,
  before: MembersConstraint,
  after: MembersConstraint,
  polarity: Polarity,
): void {
  for (const name of new Set([...before.properties.keys(), ...after.properties.keys()])) {
    const [a, b] = [before.properties.get(name), after.properties.get(name)];
    if (a && b) walk.compare(a, b, polarity);
    else walk.add([propertyPresence(walk, name, before, after)], polarity);
  }
  const [patternsBefore, patternsAfter] = [patternsOf(before), patternsOf(after)];
  for (const source of new Set([...patternsBefore.keys(), ...patternsAfter.keys()])) {
    const [a, b] = [patternsBefore.get(source), patternsAfter.get(source)];
    if (a && b) walk.compare(a, b, polarity);
    else walk.add([patternPresence(walk, source, before, after)], polarity);
  }
  compareRest(walk, "additionalProperties", before.rest, after.rest, polarity);
}

function patternsOf({ patterns }: MembersConstraint): Map<string, SchemaNode> {
  return new Map(patterns.map(({ source, node }) => [source, node]));
}

/** Returns the difference when only one side declares a property. For the other side it is an additional property. */
function propertyPresence(
  walk: ChangeWalk,
  name: string,
  before: MembersConstraint,
  after: MembersConstraint,
): Difference {
  const memberCase = { name, matched: new Set<string>() };
  const [a, b] = [before.properties.get(name), after.properties.get(name)];
  const hasPatterns = before.patterns.length + after.patterns.length > 0;
  const effect = hasPatterns
    ? "unknown"
    : walk.effectOf(schemasOf(before, memberCase)[0] as SchemaNode, schemasOf(after, memberCase)[0] as SchemaNode);
  const message = `property ${show(name)} was ${b ? "added" : "removed"}`;
  return { ...presence(walk, "property", a, b), effect, message };
}

/**
 * Returns the difference when only one side has a pattern. The other side treats matching names as additional
 * properties, unless it declares them.
 */
function patternPresence(
  walk: ChangeWalk,
  source: string,
  before: MembersConstraint,
  after: MembersConstraint,
): Difference {
  const [a, b] = [patternsOf(before).get(source), patternsOf(after).get(source)];
  const difference = presence(walk, "patternProperty", a, b);
  const [has, lacks] = a ? [before, after] : [after, before];
  if (isTrivial(lacks.rest, ALL)) return difference;
  const isAlone = has.patterns.length === 1 && lacks.patterns.length === 0;
  const declared = has.properties.size + lacks.properties.size;
  const effect = isAlone && declared === 0 ? walk.effectOf(a ?? before.rest, b ?? after.rest) : "unknown";
  return { ...difference, effect };
}

function presence(
  walk: ChangeWalk,
  subject: ChangeSubject,
  a: SchemaNode | undefined,
  b: SchemaNode | undefined,
): Difference {
  return {
    subject,
    direction: b ? "added" : "removed",
    path: (b ?? (a as SchemaNode)).pointer,
    before: a && walk.text("before", a),
    after: b && walk.text("after", b),
    effect: walk.effectOf(a ?? ANYTHING, b ?? ANYTHING),
  };
}

function compareElements(
  walk: ChangeWalk,
  before: ElementsConstraint,
  after: ElementsConstraint,
  polarity: Polarity,
): void {
  for (let i = 0; i < Math.max(before.prefix.length, after.prefix.length); i++) {
    walk.compare(before.prefix[i] ?? before.rest, after.prefix[i] ?? after.rest, polarity);
  }
  compareRest(walk, "items", before.rest, after.rest, polarity);
}

/**
 * Compares the schemas for all other members or elements: either one side accepts anything or nothing, or the schemas
 * are compared part by part.
 */
function compareRest(
  walk: ChangeWalk,
  subject: ChangeSubject,
  before: SchemaNode,
  after: SchemaNode,
  polarity: Polarity,
): void {
  const isSimple = [before, after].some((node) => node.kinds === 0 || isTrivial(node, ALL));
  const effect = isSimple ? walk.effectOf(before, after) : "none";
  if (!isSimple) walk.compare(before, after, polarity);
  if (effect === "none") return;
  const direction = effect === "widens" ? "loosened" : "tightened";
  const path = after === ANYTHING || !walk.isWritten("after", after) ? before.pointer : after.pointer;
  const texts = { before: walk.text("before", before), after: walk.text("after", after) };
  walk.add([{ subject, direction, path, ...texts, effect }], polarity);
}

/**
 * Compares alternatives. Equal alternatives are left out; then alternatives are paired if one accepts more than the
 * other.
 */
export function compareGroups(
  walk: ChangeWalk,
  groups: BeforeAfter<readonly GroupConstraint[]>,
  polarity: Polarity,
): void {
  for (const [a, b] of zip(groups)) {
    const alternatives = { before: [...(a?.nodes ?? [])], after: [...(b?.nodes ?? [])] };
    takePairs(walk, alternatives, (before, after) => walk.effectOf(before, after) === "none");
    const related = takePairs(walk, alternatives, (before, after) =>
      ["narrows", "widens"].includes(walk.effectOf(before, after)),
    );
    const { before, after } = alternatives;
    const [onlyBefore, onlyAfter] = [before[0], after[0]];
    if (onlyBefore && onlyAfter && before.length === 1 && after.length === 1) related.push([onlyBefore, onlyAfter]);
    else addAlternatives(walk, a, b, alternatives, polarity);
    for (const [one, other] of related) walk.compare(one, other, polarity);
  }
}

/** Removes the pairs that belong together from both lists, and returns the pairs. */
function takePairs(
  walk: ChangeWalk,
  { before, after }: BeforeAfter<SchemaNode[]>,
  belong: (before: SchemaNode, after: SchemaNode) => boolean,
): [before: SchemaNode, after: SchemaNode][] {
  const pairs: [SchemaNode, SchemaNode][] = [];
  for (const a of [...before]) {
    if (walk.isExhausted) break;
    const b = after.find((node) => belong(a, node));
    if (!b) continue;
    pairs.push([a, b]);
    before.splice(before.indexOf(a), 1);
    after.splice(after.indexOf(b), 1);
  }
  return pairs;
}

function addAlternatives(
  walk: ChangeWalk,
  a: GroupConstraint | undefined,
  b: GroupConstraint | undefined,
  { before, after }: BeforeAfter<readonly SchemaNode[]>,
  polarity: Polarity,
): void {
  const subject = (b ?? a)?.type === "oneOf" ? "oneOf" : "anyOf";
  // With one more alternative, a group accepts more values. A new group rejects all values that none of its
  // alternatives accepts.
  const [lost, gained] = a && b ? (["narrows", "widens"] as const) : (["widens", "narrows"] as const);
  for (const node of before) {
    const text = walk.text("before", node);
    walk.add([{ subject, direction: "removed", path: node.pointer, before: text, effect: lost }], polarity);
  }
  for (const node of after) {
    const text = walk.text("after", node);
    walk.add([{ subject, direction: "added", path: node.pointer, after: text, effect: gained }], polarity);
  }
}
