import { ALL, ARRAY, OBJECT } from "../kinds.ts";
import { type ElementsPart, isTrivial, type MembersPart, type Node, type Part } from "../node.ts";
import { schemasOf } from "../prove/situations.ts";
import { type Difference, type Polarity, turn } from "./change-list.ts";
import type { ChangeWalk } from "./find-changes.ts";
import { compareConditions, compareContains, compareDependents, compareGroups, compareHolders } from "./holders.ts";
import type { ChangeSubject } from "./schema-change.ts";
import { show } from "./sentences.ts";
import { type Sides, zip } from "./sides.ts";

const ANYTHING: Node = { pointer: "", kinds: ALL, parts: [], shape: 0 };
const ANY_MEMBERS: MembersPart = {
  part: "members",
  kinds: OBJECT,
  at: "",
  properties: new Map(),
  patterns: [],
  rest: ANYTHING,
};
const ANY_ELEMENTS: ElementsPart = { part: "elements", kinds: ARRAY, at: "", prefix: [], rest: ANYTHING };

/** Names what differs in the parts that contain schemas. */
export function compareChildren(walk: ChangeWalk, sides: Sides<Part>, polarity: Polarity): void {
  const { before, after } = withoutEqual(walk, sides);
  const both = <K extends Part["part"]>(name: K): Sides<Extract<Part, { part: K }>> => ({
    before: before.filter((part): part is Extract<Part, { part: K }> => part.part === name),
    after: after.filter((part): part is Extract<Part, { part: K }> => part.part === name),
  });
  for (const [a, b] of zip(both("members"))) compareMembers(walk, a ?? ANY_MEMBERS, b ?? ANY_MEMBERS, polarity);
  for (const [a, b] of zip(both("elements"))) compareElements(walk, a ?? ANY_ELEMENTS, b ?? ANY_ELEMENTS, polarity);
  for (const [a, b] of zip(both("propertyNames"))) compareHolders(walk, "propertyNames", a, b, polarity);
  for (const [a, b] of zip(both("contains"))) compareContains(walk, a, b, polarity);
  for (const [a, b] of zip(both("not"))) compareHolders(walk, "not", a, b, turn(polarity));
  for (const [a, b] of zip(both("if"))) compareConditions(walk, a, b, polarity);
  compareDependents(walk, both("dependent"), polarity);
  compareGroups(walk, both("any"), polarity);
  compareGroups(walk, both("one"), 0);
}

function withoutEqual(walk: ChangeWalk, { before, after }: Sides<Part>): Sides<Part> {
  const keyed = (parts: readonly Part[]): Map<string, Part> => new Map(parts.map((part) => [walk.keyOf(part), part]));
  const [old, young] = [keyed(before), keyed(after)];
  return {
    before: [...old].filter(([key]) => !young.has(key)).map(([, part]) => part),
    after: [...young].filter(([key]) => !old.has(key)).map(([, part]) => part),
  };
}

function compareMembers(walk: ChangeWalk, before: MembersPart, after: MembersPart, polarity: Polarity): void {
  for (const name of new Set([...before.properties.keys(), ...after.properties.keys()])) {
    const [a, b] = [before.properties.get(name), after.properties.get(name)];
    if (a && b) walk.compare(a, b, polarity);
    else walk.add([presence(walk, name, before, after)], polarity);
  }
  const patterns = (part: MembersPart): Map<string, Node> =>
    new Map(part.patterns.map(({ source, node }) => [source, node]));
  const [old, young] = [patterns(before), patterns(after)];
  for (const source of new Set([...old.keys(), ...young.keys()])) {
    const [a, b] = [old.get(source), young.get(source)];
    if (a && b) walk.compare(a, b, polarity);
    else walk.add([patternPresence(walk, source, before, after)], polarity);
  }
  compareRest(walk, "additionalProperties", before.rest, after.rest, polarity);
}

/** A property that only one side declares; to the other it is an additional one. */
function presence(walk: ChangeWalk, name: string, before: MembersPart, after: MembersPart): Difference {
  const situation = { name, matched: new Set<string>() };
  const [a, b] = [before.properties.get(name), after.properties.get(name)];
  const [old, young] = [a ?? schemasOf(before, situation)[0], b ?? schemasOf(after, situation)[0]] as [Node, Node];
  const hasPatterns = before.patterns.length + after.patterns.length > 0;
  const effect = hasPatterns ? "unknown" : walk.relate(old, young);
  const message = `property ${show(name)} was ${b ? "added" : "removed"}`;
  return { ...childPresence(walk, "property", a, b), effect, message };
}

/** A pattern that only one side has; names that match it are additional ones to the other, unless declared there. */
function patternPresence(walk: ChangeWalk, source: string, before: MembersPart, after: MembersPart): Difference {
  const schemaOf = ({ patterns }: MembersPart): Node | undefined =>
    patterns.find((pattern) => pattern.source === source)?.node;
  const [a, b] = [schemaOf(before), schemaOf(after)];
  const change = childPresence(walk, "patternProperty", a, b);
  const [has, lacks] = a ? [before, after] : [after, before];
  if (isTrivial(lacks.rest, ALL)) return change;
  const isAlone = has.patterns.length === 1 && lacks.patterns.length === 0;
  const declared = has.properties.size + lacks.properties.size;
  const effect = isAlone && declared === 0 ? walk.relate(a ?? before.rest, b ?? after.rest) : "unknown";
  return { ...change, effect };
}

function childPresence(walk: ChangeWalk, subject: ChangeSubject, a: Node | undefined, b: Node | undefined): Difference {
  return {
    subject,
    manner: b ? "added" : "removed",
    path: (b ?? (a as Node)).pointer,
    before: a && walk.text("before", a),
    after: b && walk.text("after", b),
    effect: walk.relate(a ?? ANYTHING, b ?? ANYTHING),
  };
}

function compareElements(walk: ChangeWalk, before: ElementsPart, after: ElementsPart, polarity: Polarity): void {
  for (let i = 0; i < Math.max(before.prefix.length, after.prefix.length); i++) {
    walk.compare(before.prefix[i] ?? before.rest, after.prefix[i] ?? after.rest, polarity);
  }
  compareRest(walk, "items", before.rest, after.rest, polarity);
}

/** The schema for all other members or elements: opened, closed, or changed inside. */
function compareRest(walk: ChangeWalk, subject: ChangeSubject, before: Node, after: Node, polarity: Polarity): void {
  const isSimple = [before, after].some((node) => node.kinds === 0 || isTrivial(node, ALL));
  const effect = isSimple ? walk.relate(before, after) : "none";
  if (!isSimple) walk.compare(before, after, polarity);
  if (effect === "none") return;
  const manner = effect === "widens" ? "loosened" : "tightened";
  const path = after === ANYTHING ? before.pointer : after.pointer;
  walk.add(
    [{ subject, manner, path, before: walk.text("before", before), after: walk.text("after", after), effect }],
    polarity,
  );
}
