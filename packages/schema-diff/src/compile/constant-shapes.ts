import { canonicalize, type JsonValue } from "@agentprint/canonical-json";
import { isJsonObject } from "@agentprint/canonical-json/json-value";
import { type StepBudget, UNITS_A_STEP } from "../budget.ts";
import { ARRAY, OBJECT } from "../kinds.ts";
import type { Constraint, SchemaNode } from "../schema-graph.ts";
import { conjoin } from "./combine.ts";
import { readValues } from "./keywords.ts";

/** Schemas that each accept only one array or object and are written with its parts, by the value's canonical text. */
export type ConstantShapes = ReadonlyMap<string, SchemaNode>;

/**
 * Writes each array and object that the `const` and `enum` keywords of schemas list, and each one inside it, as a
 * schema with closed parts: `{ const: { a: 1 } }` becomes `{ type: "object", required: ["a"], properties: { a: { const:
 * 1 } }, additionalProperties: false }`. A value that is not the constant then violates one of these keywords.
 */
export function constantShapes(nodes: Iterable<SchemaNode>, budget: StepBudget): ConstantShapes {
  const shapes = new Map<string, SchemaNode>();
  const listed = new Set<ReadonlyMap<string, JsonValue>>();
  for (const { constraints } of nodes) {
    for (const constraint of constraints) if (constraint.type === "enum") listed.add(constraint.values);
  }
  for (const values of listed) for (const value of values.values()) addShape(value, shapes, budget);
  return shapes;
}

function addShape(value: JsonValue, shapes: Map<string, SchemaNode>, budget: StepBudget): void {
  if (typeof value !== "object" || value === null) return;
  const text = canonicalize(value);
  budget.spend(1 + text.length / UNITS_A_STEP);
  if (shapes.has(text)) return;
  const kinds = isJsonObject(value) ? OBJECT : ARRAY;
  const constraints = isJsonObject(value) ? objectShape(value, budget) : arrayShape(value as JsonValue[], budget);
  shapes.set(text, node(conjoin([{ kinds, constraints }], budget)));
  for (const part of Object.values(value)) addShape(part, shapes, budget);
}

function objectShape(value: { readonly [name: string]: JsonValue }, budget: StepBudget): Constraint[] {
  const entries = Object.entries(value);
  const properties = new Map(entries.map(([name, part]) => [name, constant(part, budget)]));
  return [
    ...entries.map(([name]): Constraint => ({ type: "required", kinds: OBJECT, pointer: "", name })),
    { type: "members", kinds: OBJECT, pointer: "", properties, patterns: [], rest: nothing() },
  ];
}

function arrayShape(value: readonly JsonValue[], budget: StepBudget): Constraint[] {
  const prefix = value.map((part) => constant(part, budget));
  const elements: Constraint = { type: "elements", kinds: ARRAY, pointer: "", prefix, rest: nothing() };
  if (value.length === 0) return [elements];
  return [{ type: "minItems", kinds: ARRAY, pointer: "", value: value.length }, elements];
}

function constant(value: JsonValue, budget: StepBudget): SchemaNode {
  return node(conjoin([readValues({ value, pointer: "" }, [value], budget)], budget));
}

function nothing(): SchemaNode {
  return node({ kinds: 0, constraints: [] });
}

function node(statement: Pick<SchemaNode, "kinds" | "constraints">): SchemaNode {
  return { pointer: "", ...statement, equivalenceClass: 0 };
}
