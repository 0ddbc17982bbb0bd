import type { Place } from "@agentprint/json-schema";
import type { StepBudget } from "../budget.ts";
import { ALL, ARRAY, OBJECT } from "../kinds.ts";
import { compilePattern } from "../regex/compile-pattern.ts";
import type { Constraint, ElementsConstraint, PatternMember, SchemaNode } from "../schema-graph.ts";
import { conjoin, disjoin, type Statement } from "./combine.ts";
import { expectArray, expectEntries, expectSize, type Keyword, readRequired } from "./keywords.ts";

/** Provides the nodes of the schemas inside a schema while it is read. */
export interface Applicators {
  readonly budget: StepBudget;
  create(pointer: string, statement: Statement): SchemaNode;
  child(place: Place, ...segments: (string | number)[]): Place;
  /** Returns the node of a schema that applies to a part of the value. The node is filled later. */
  compileDeferred(place: Place): SchemaNode;
  /** Returns the node of a schema that applies to the value itself. The node is filled when the method returns. */
  compileInPlace(place: Place): SchemaNode;
}

type Read = (keyword: string) => Keyword | undefined;

const ANYTHING: Statement = { kinds: ALL, constraints: [] };

/** Returns the statements of the keywords that contain schemas. */
export function readApplicators(read: Read, place: Place, to: Applicators): Statement[] {
  const constraints: Constraint[] = [...readMembers(read, place, to), ...readElements(read, place, to)];
  const names = read("propertyNames");
  if (names)
    constraints.push({
      type: "propertyNames",
      kinds: OBJECT,
      pointer: names.pointer,
      node: to.compileDeferred(to.child(place, "propertyNames")),
    });
  const contains = read("contains");
  if (contains) constraints.push(...readContains(contains, read, place, to));
  constraints.push(...readDependents(read, place, to), ...readCondition(read, place, to));
  return [{ kinds: ALL, constraints }, ...readGroups(read, place, to)];
}

function readGroups(read: Read, place: Place, to: Applicators): Statement[] {
  const statements: Statement[] = [];
  const list = (name: string): { nodes: SchemaNode[]; pointer: string } | undefined => {
    const keyword = read(name);
    return (
      keyword && {
        nodes: expectArray(keyword).map((_, i) => to.compileInPlace(to.child(place, name, i))),
        pointer: keyword.pointer,
      }
    );
  };
  statements.push(...(list("allOf")?.nodes ?? []));
  const any = list("anyOf");
  if (any) statements.push(disjoin(any.nodes, "anyOf", any.pointer, to.budget));
  const one = list("oneOf");
  if (one) statements.push(disjoin(one.nodes, "oneOf", one.pointer, to.budget));
  const not = read("not");
  if (not) statements.push(negate(to.compileInPlace(to.child(place, "not")), not.pointer));
  return statements;
}

/** Returns the statement that a node rejects the value. Kinds whose every value the node accepts are excluded. */
function negate(node: SchemaNode, pointer: string): Statement {
  const partial = node.constraints.reduce((mask, constraint) => mask | constraint.kinds, 0) & node.kinds;
  const constraints: Constraint[] = partial ? [{ type: "not", kinds: partial, pointer, node }] : [];
  return { kinds: (ALL & ~node.kinds) | partial, constraints };
}

function readMembers(read: Read, place: Place, to: Applicators): Constraint[] {
  const properties = read("properties");
  const patterns = read("patternProperties");
  const additional = read("additionalProperties");
  if (!properties && !patterns && !additional) return [];
  const entries = properties ? expectEntries(properties) : [];
  const byPattern = patterns ? expectEntries(patterns) : [];
  return [
    {
      type: "members",
      kinds: OBJECT,
      pointer: place.pointer,
      properties: new Map(entries.map(({ name }) => [name, to.compileDeferred(to.child(place, "properties", name))])),
      patterns: byPattern.map(
        ({ name }): PatternMember => ({
          source: name,
          automaton: compilePattern(name, to.budget),
          node: to.compileDeferred(to.child(place, "patternProperties", name)),
        }),
      ),
      rest: additional
        ? to.compileDeferred(to.child(place, "additionalProperties"))
        : to.create(`${place.pointer}/additionalProperties`, ANYTHING),
    },
  ];
}

/** Reads `prefixItems` and `items`, or, up to 2019-09, a list of `items` and `additionalItems`. */
function readElements(read: Read, place: Place, to: Applicators): Constraint[] {
  const items = read("items");
  const isList = Array.isArray(items?.value);
  const list = isList ? items : read("prefixItems");
  const rest = isList ? read("additionalItems") : items;
  if (!list && !rest) return [];
  const name = isList ? "items" : "prefixItems";
  const restName = isList ? "additionalItems" : "items";
  return [
    {
      type: "elements",
      kinds: ARRAY,
      pointer: place.pointer,
      prefix: list ? expectArray(list).map((_, i) => to.compileDeferred(to.child(place, name, i))) : [],
      rest: rest ? to.compileDeferred(to.child(place, restName)) : to.create(`${place.pointer}/${restName}`, ANYTHING),
    },
  ];
}

function readContains({ pointer }: Keyword, read: Read, place: Place, to: Applicators): Constraint[] {
  const atLeast = read("minContains");
  const atMost = read("maxContains");
  const min = atLeast ? expectSize(atLeast) : 1;
  const max = atMost ? expectSize(atMost) : Number.POSITIVE_INFINITY;
  if (min === 0 && max === Number.POSITIVE_INFINITY) return [];
  const node = to.compileDeferred(to.child(place, "contains"));
  const rest = to.create(pointer, { kinds: ALL, constraints: [{ type: "not", kinds: ALL, pointer, node }] });
  const none: ElementsConstraint = { type: "elements", kinds: ARRAY, pointer, prefix: [], rest };
  return [{ type: "contains", kinds: ARRAY, pointer, node, min, max, none }];
}

function readDependents(read: Read, place: Place, to: Applicators): Constraint[] {
  const constraints: Constraint[] = [];
  for (const name of ["dependentRequired", "dependentSchemas", "dependencies"]) {
    const keyword = read(name);
    if (!keyword) continue;
    for (const entry of expectEntries(keyword)) {
      const isList = name === "dependentRequired" || (name === "dependencies" && Array.isArray(entry.value));
      const node = isList
        ? to.create(entry.pointer, conjoin([{ kinds: ALL, constraints: readRequired(entry) }], to.budget))
        : to.compileInPlace(to.child(place, name, entry.name));
      const trigger: Constraint = { type: "required", kinds: OBJECT, pointer: entry.pointer, name: entry.name };
      constraints.push({ type: "dependent", kinds: OBJECT, pointer: entry.pointer, trigger, node });
    }
  }
  return constraints;
}

function readCondition(read: Read, place: Place, to: Applicators): Constraint[] {
  const test = read("if");
  const branch = (name: string): SchemaNode =>
    read(name) ? to.compileInPlace(to.child(place, name)) : to.create(`${place.pointer}/${name}`, ANYTHING);
  if (!test || !(read("then") || read("else"))) return [];
  return [
    {
      type: "if",
      kinds: ALL,
      pointer: test.pointer,
      test: to.compileInPlace(to.child(place, "if")),
      yes: branch("then"),
      no: branch("else"),
    },
  ];
}
