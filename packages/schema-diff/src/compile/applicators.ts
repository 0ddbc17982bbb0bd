import type { Place } from "@agentprint/json-schema";
import type { StepBudget } from "../budget.ts";
import { ALL, ARRAY, OBJECT } from "../kinds.ts";
import type { ElementsPart, Node, Part, PatternMember } from "../node.ts";
import { compilePattern } from "../regex/compile-pattern.ts";
import { conjoin, disjoin, type Statement } from "./combine.ts";
import { expectArray, expectEntries, expectSize, type Keyword, readRequired } from "./keywords.ts";

/** What the reader of a schema needs to reach the schemas inside. */
export interface Applicators {
  readonly budget: StepBudget;
  create(pointer: string, statement: Statement): Node;
  child(place: Place, ...segments: (string | number)[]): Place;
  /** The node of a schema that applies to a part of the value; filled in some time later. */
  later(place: Place): Node;
  /** The node of a schema that applies to the value itself, filled. */
  now(place: Place): Node;
}

type Read = (keyword: string) => Keyword | undefined;

const ANYTHING: Statement = { kinds: ALL, parts: [] };

/** What the keywords that contain schemas say. */
export function readApplicators(read: Read, place: Place, to: Applicators): Statement[] {
  const parts: Part[] = [...readMembers(read, place, to), ...readElements(read, place, to)];
  const names = read("propertyNames");
  if (names)
    parts.push({
      part: "propertyNames",
      kinds: OBJECT,
      at: names.at,
      node: to.later(to.child(place, "propertyNames")),
    });
  const contains = read("contains");
  if (contains) parts.push(...readContains(contains, read, place, to));
  parts.push(...readDependents(read, place, to), ...readCondition(read, place, to));
  return [{ kinds: ALL, parts }, ...readGroups(read, place, to)];
}

function readGroups(read: Read, place: Place, to: Applicators): Statement[] {
  const statements: Statement[] = [];
  const list = (name: string): { nodes: Node[]; at: string } | undefined => {
    const keyword = read(name);
    return keyword && { nodes: expectArray(keyword).map((_, i) => to.now(to.child(place, name, i))), at: keyword.at };
  };
  statements.push(...(list("allOf")?.nodes ?? []));
  const any = list("anyOf");
  if (any) statements.push(disjoin(any.nodes, "any", any.at, to.budget));
  const one = list("oneOf");
  if (one) statements.push(disjoin(one.nodes, "one", one.at, to.budget));
  const not = read("not");
  if (not) statements.push(negate(to.now(to.child(place, "not")), not.at));
  return statements;
}

/** Kinds that the node accepts whole are excluded; for the others the parts must fail. */
function negate(node: Node, at: string): Statement {
  const open = node.parts.reduce((mask, part) => mask | part.kinds, 0) & node.kinds;
  const parts: Part[] = open ? [{ part: "not", kinds: open, at, node }] : [];
  return { kinds: (ALL & ~node.kinds) | open, parts };
}

function readMembers(read: Read, place: Place, to: Applicators): Part[] {
  const properties = read("properties");
  const patterns = read("patternProperties");
  const additional = read("additionalProperties");
  const at = (properties ?? patterns ?? additional)?.at;
  if (at === undefined) return [];
  const entries = properties ? expectEntries(properties) : [];
  const byPattern = patterns ? expectEntries(patterns) : [];
  return [
    {
      part: "members",
      kinds: OBJECT,
      at: place.pointer,
      properties: new Map(entries.map(({ name }) => [name, to.later(to.child(place, "properties", name))])),
      patterns: byPattern.map(
        ({ name }): PatternMember => ({
          source: name,
          automaton: compilePattern(name, to.budget),
          node: to.later(to.child(place, "patternProperties", name)),
        }),
      ),
      rest: additional
        ? to.later(to.child(place, "additionalProperties"))
        : to.create(`${place.pointer}/additionalProperties`, ANYTHING),
    },
  ];
}

/** `prefixItems` and `items`, or up to 2019-09 a list of `items` and `additionalItems`. */
function readElements(read: Read, place: Place, to: Applicators): Part[] {
  const items = read("items");
  const isList = Array.isArray(items?.value);
  const list = isList ? items : read("prefixItems");
  const rest = isList ? read("additionalItems") : items;
  if (!list && !rest) return [];
  const name = isList ? "items" : "prefixItems";
  const restName = isList ? "additionalItems" : "items";
  return [
    {
      part: "elements",
      kinds: ARRAY,
      at: place.pointer,
      prefix: list ? expectArray(list).map((_, i) => to.later(to.child(place, name, i))) : [],
      rest: rest ? to.later(to.child(place, restName)) : to.create(`${place.pointer}/${restName}`, ANYTHING),
    },
  ];
}

function readContains({ at }: Keyword, read: Read, place: Place, to: Applicators): Part[] {
  const atLeast = read("minContains");
  const atMost = read("maxContains");
  const min = atLeast ? expectSize(atLeast) : 1;
  const max = atMost ? expectSize(atMost) : Number.POSITIVE_INFINITY;
  if (min === 0 && max === Number.POSITIVE_INFINITY) return [];
  const node = to.later(to.child(place, "contains"));
  const rest = to.create(at, { kinds: ALL, parts: [{ part: "not", kinds: ALL, at, node }] });
  const none: ElementsPart = { part: "elements", kinds: ARRAY, at, prefix: [], rest };
  return [{ part: "contains", kinds: ARRAY, at, node, min, max, none }];
}

function readDependents(read: Read, place: Place, to: Applicators): Part[] {
  const parts: Part[] = [];
  for (const name of ["dependentRequired", "dependentSchemas", "dependencies"]) {
    const keyword = read(name);
    if (!keyword) continue;
    for (const entry of expectEntries(keyword)) {
      const isList = name === "dependentRequired" || (name === "dependencies" && Array.isArray(entry.value));
      const node = isList
        ? to.create(entry.at, conjoin([{ kinds: ALL, parts: readRequired(entry) }], to.budget))
        : to.now(to.child(place, name, entry.name));
      const trigger: Part = { part: "required", kinds: OBJECT, at: entry.at, name: entry.name };
      parts.push({ part: "dependent", kinds: OBJECT, at: entry.at, trigger, node });
    }
  }
  return parts;
}

function readCondition(read: Read, place: Place, to: Applicators): Part[] {
  const test = read("if");
  const branch = (name: string): Node =>
    read(name) ? to.now(to.child(place, name)) : to.create(`${place.pointer}/${name}`, ANYTHING);
  if (!test || !(read("then") || read("else"))) return [];
  return [
    {
      part: "if",
      kinds: ALL,
      at: test.at,
      test: to.now(to.child(place, "if")),
      yes: branch("then"),
      no: branch("else"),
    },
  ];
}
