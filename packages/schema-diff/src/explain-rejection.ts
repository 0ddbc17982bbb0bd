import { isJsonObject, type JsonObject, type JsonValue, type PathSegment, toPointer } from "@agentprint/canonical-json";
import { StepBudget, withinBudget } from "./budget.ts";
import type { CompiledSchema, Compiler } from "./compile/compiler.ts";
import { Evaluator } from "./evaluate.ts";
import { kindOf, maskOfType } from "./kinds.ts";
import { MAX_REJECTED_PLACES, MAX_REJECTION_DEPTH, MAX_REJECTION_STEPS } from "./limits.ts";
import type { Constraint, ElementsConstraint, IfConstraint, MembersConstraint, SchemaNode } from "./schema-graph.ts";

/** A place in a value that the schema rejects, and the place in the schema that rejects it. */
export interface RejectedPlace {
  /** RFC 6901 JSON Pointer into the value. */
  readonly valuePath: string;
  /**
   * RFC 6901 JSON Pointer of the keyword in the schema, or of the schema if several keywords reject the value together.
   */
  readonly path: string;
}

/** Returns the places at which a schema rejects a value; at least one. */
export function explainRejection(
  { compiler, root }: CompiledSchema,
  value: JsonValue,
  total: StepBudget,
): readonly RejectedPlace[] {
  const explanation = new Explanation(compiler, new StepBudget(MAX_REJECTION_STEPS, total));
  withinBudget(() => explanation.node(root, value, []));
  const places = explanation.places.slice(0, MAX_REJECTED_PLACES);
  return places.length > 0 ? places : [{ valuePath: "", path: root.pointer }];
}

/** Follows a rejection into the value's parts for as long as a single schema or constraint is the reason. */
class Explanation {
  readonly places: RejectedPlace[] = [];
  readonly #compiler: Compiler;
  readonly #evaluator: Evaluator;
  #depth = 0;

  constructor(compiler: Compiler, budget: StepBudget) {
    this.#compiler = compiler;
    this.#evaluator = new Evaluator(budget);
  }

  /** @param node A schema that rejects the value. */
  node(node: SchemaNode, value: JsonValue, path: readonly PathSegment[]): void {
    if (this.places.length >= MAX_REJECTED_PLACES) return;
    const kind = kindOf(value);
    const known = this.places.length;
    if (!(node.kinds & kind)) {
      this.#add(path, this.#hasOtherType(node, kind) ? `${node.pointer}/type` : node.pointer);
      return;
    }
    if (++this.#depth < MAX_REJECTION_DEPTH) {
      for (const constraint of node.constraints)
        if (this.#evaluator.constraint(constraint, value) === false) this.#constraint(constraint, value, path);
    }
    this.#depth--;
    if (this.places.length === known) this.#add(path, node.pointer);
  }

  #constraint(constraint: Constraint, value: JsonValue, path: readonly PathSegment[]): void {
    switch (constraint.type) {
      case "members":
        this.#members(constraint, value as JsonObject, path);
        break;
      case "elements":
        this.#elements(constraint, value as readonly JsonValue[], path);
        break;
      case "dependent":
        this.node(constraint.node, value, path);
        break;
      case "if":
        this.#condition(constraint, value, path);
        break;
      default:
        this.#add(path, constraint.pointer);
    }
  }

  #condition({ test, yes, no, pointer: at }: IfConstraint, value: JsonValue, path: readonly PathSegment[]): void {
    const holds = this.#evaluator.node(test, value);
    if (holds === undefined) this.#add(path, at);
    else this.node(holds ? yes : no, value, path);
  }

  #members(constraint: MembersConstraint, value: JsonObject, path: readonly PathSegment[]): void {
    for (const name of Object.keys(value).sort()) {
      const item = value[name] as JsonValue;
      for (const node of this.#schemasFor(constraint, name)) this.#below(node, item, [...path, name]);
    }
  }

  #schemasFor({ properties, patterns, rest }: MembersConstraint, name: string): SchemaNode[] {
    const declared = properties.get(name);
    const matches = patterns.map(({ automaton }) => this.#evaluator.matches(automaton, name));
    const nodes = patterns.filter((_, i) => matches[i]).map(({ node }) => node);
    if (declared) nodes.push(declared);
    else if (matches.every((match) => match === false)) nodes.push(rest);
    return nodes;
  }

  #elements({ prefix, rest }: ElementsConstraint, value: readonly JsonValue[], path: readonly PathSegment[]): void {
    for (const [i, item] of value.entries()) this.#below(prefix[i] ?? rest, item, [...path, i]);
  }

  #below(node: SchemaNode, value: JsonValue, path: readonly PathSegment[]): void {
    if (this.#evaluator.node(node, value) === false) this.node(node, value, path);
  }

  #add(path: readonly PathSegment[], pointer: string): void {
    this.places.push({ valuePath: toPointer(path), path: pointer });
  }

  /** Returns whether the keyword `type` by itself excludes a kind of value. */
  #hasOtherType({ pointer }: SchemaNode, kind: number): boolean {
    const schema = this.#compiler.textAt(pointer);
    const type = isJsonObject(schema) ? schema["type"] : undefined;
    const names = typeof type === "string" ? [type] : Array.isArray(type) ? type : undefined;
    return names !== undefined && !names.some((name) => (maskOfType(String(name)) ?? 0) & kind);
  }
}
