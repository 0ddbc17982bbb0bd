import { isJsonObject, type JsonObject, type JsonValue, type PathSegment, toPointer } from "@agentprint/canonical-json";
import { StepBudget, withinBudget } from "./budget.ts";
import type { CompiledSchema } from "./compile/compile-schema.ts";
import type { Compiler } from "./compile/compiler.ts";
import { Evaluator } from "./evaluate.ts";
import { kindOf, maskOfType } from "./kinds.ts";
import type { ElementsPart, IfPart, MembersPart, Node, Part } from "./node.ts";

/** Where a value breaks a schema. */
export interface RejectedPlace {
  /** RFC 6901 JSON Pointer into the value. */
  readonly valuePath: string;
  /** RFC 6901 JSON Pointer into the schema: of the keyword, or of the schema where several keywords together reject. */
  readonly path: string;
}

/** More places than anyone reads. */
const MAX_PLACES = 100;
/** Steps that naming the places may take: the verdict is known already. */
const MAX_EXPLAIN_STEPS = 100_000;
/** Schemas inside one another that are looked into; a place deeper down is named by the last of them. */
const MAX_EXPLAIN_DEPTH = 500;

/** The places where a value breaks a schema that rejects it; at least one. */
export function explainRejection(
  { compiler, root }: CompiledSchema,
  value: JsonValue,
  total: StepBudget,
): readonly RejectedPlace[] {
  const explanation = new Explanation(compiler, new StepBudget(MAX_EXPLAIN_STEPS, total));
  withinBudget(() => explanation.node(root, value, []));
  const places = explanation.places.slice(0, MAX_PLACES);
  return places.length > 0 ? places : [{ valuePath: "", path: root.pointer }];
}

/** Follows rejection inwards for as long as one schema or one part alone is to blame. */
class Explanation {
  readonly places: RejectedPlace[] = [];
  readonly #compiler: Compiler;
  readonly #evaluator: Evaluator;
  #depth = 0;

  constructor(compiler: Compiler, budget: StepBudget) {
    this.#compiler = compiler;
    this.#evaluator = new Evaluator(budget);
  }

  /** @param node Rejects the value. */
  node(node: Node, value: JsonValue, path: readonly PathSegment[]): void {
    if (this.places.length >= MAX_PLACES) return;
    const kind = kindOf(value);
    const known = this.places.length;
    if (!(node.kinds & kind)) {
      this.#add(path, this.#hasOtherType(node, kind) ? `${node.pointer}/type` : node.pointer);
      return;
    }
    if (++this.#depth < MAX_EXPLAIN_DEPTH) {
      for (const part of node.parts) if (this.#evaluator.part(part, value) === false) this.#part(part, value, path);
    }
    this.#depth--;
    if (this.places.length === known) this.#add(path, node.pointer);
  }

  #part(part: Part, value: JsonValue, path: readonly PathSegment[]): void {
    switch (part.part) {
      case "members":
        this.#members(part, value as JsonObject, path);
        break;
      case "elements":
        this.#elements(part, value as readonly JsonValue[], path);
        break;
      case "dependent":
        this.node(part.node, value, path);
        break;
      case "if":
        this.#condition(part, value, path);
        break;
      default:
        this.#add(path, part.at);
    }
  }

  #condition({ test, yes, no, at }: IfPart, value: JsonValue, path: readonly PathSegment[]): void {
    const holds = this.#evaluator.node(test, value);
    if (holds === undefined) this.#add(path, at);
    else this.node(holds ? yes : no, value, path);
  }

  #members(part: MembersPart, value: JsonObject, path: readonly PathSegment[]): void {
    for (const [name, item] of Object.entries(value)) {
      for (const node of this.#schemasFor(part, name)) this.#below(node, item, [...path, name]);
    }
  }

  #schemasFor({ properties, patterns, rest }: MembersPart, name: string): Node[] {
    const declared = properties.get(name);
    const matches = patterns.map(({ automaton }) => this.#evaluator.matches(automaton, name));
    const nodes = patterns.filter((_, i) => matches[i]).map(({ node }) => node);
    if (declared) nodes.push(declared);
    else if (matches.every((match) => match === false)) nodes.push(rest);
    return nodes;
  }

  #elements({ prefix, rest }: ElementsPart, value: readonly JsonValue[], path: readonly PathSegment[]): void {
    for (const [i, item] of value.entries()) this.#below(prefix[i] ?? rest, item, [...path, i]);
  }

  #below(node: Node, value: JsonValue, path: readonly PathSegment[]): void {
    if (this.#evaluator.node(node, value) === false) this.node(node, value, path);
  }

  #add(path: readonly PathSegment[], pointer: string): void {
    this.places.push({ valuePath: toPointer(path), path: pointer });
  }

  /** Whether the keyword `type` alone excludes a kind of value. */
  #hasOtherType({ pointer }: Node, kind: number): boolean {
    const schema = this.#compiler.textAt(pointer);
    const type = isJsonObject(schema) ? schema["type"] : undefined;
    const names = typeof type === "string" ? [type] : Array.isArray(type) ? type : undefined;
    return names !== undefined && !names.some((name) => (maskOfType(String(name)) ?? 0) & kind);
  }
}
