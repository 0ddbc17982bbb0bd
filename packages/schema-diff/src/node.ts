import type { JsonValue } from "@agentprint/canonical-json";
import type { Automaton } from "./regex/automaton.ts";

/*
 * A compiled schema: the kinds of value it accepts, and parts that a value of an accepted kind must all satisfy.
 * A part says nothing about values outside `kinds`. `at` is the JSON Pointer of the keyword it was read from.
 */
export interface Node {
  pointer: string;
  kinds: number;
  parts: readonly Part[];
  /** Equal numbers mean equal schemas; unequal numbers mean nothing. Set once the whole graph is compiled. */
  shape: number;
}

interface PartBase {
  readonly kinds: number;
  readonly at: string;
}

export interface EnumPart extends PartBase {
  readonly part: "enum";
  /** By canonical text; all of kinds in `kinds`. */
  readonly values: ReadonlyMap<string, JsonValue>;
}
export interface BoundPart extends PartBase {
  readonly part: "minimum" | "maximum";
  readonly value: number;
  /** True when the bound itself is excluded. */
  readonly open: boolean;
}
export interface MultiplePart extends PartBase {
  readonly part: "multipleOf";
  readonly value: number;
}
export interface SizePart extends PartBase {
  readonly part: "minLength" | "maxLength" | "minItems" | "maxItems" | "minProperties" | "maxProperties";
  readonly value: number;
}
export interface PatternPart extends PartBase {
  readonly part: "pattern";
  readonly source: string;
  /** Absent when the pattern uses what a finite automaton cannot carry. */
  readonly automaton: Automaton | undefined;
}
interface UniquePart extends PartBase {
  readonly part: "uniqueItems";
}
/** `prefixItems` and `items` in all their notations. */
export interface ElementsPart extends PartBase {
  readonly part: "elements";
  readonly prefix: readonly Node[];
  readonly rest: Node;
}
export interface ContainsPart extends PartBase {
  readonly part: "contains";
  readonly node: Node;
  readonly min: number;
  readonly max: number;
  /** The statement that no element matches. */
  readonly none: ElementsPart;
}
export interface RequiredPart extends PartBase {
  readonly part: "required";
  readonly name: string;
}
export interface PatternMember {
  readonly source: string;
  readonly automaton: Automaton | undefined;
  readonly node: Node;
}
/** `properties`, `patternProperties` and `additionalProperties`, which only have a meaning together. */
export interface MembersPart extends PartBase {
  readonly part: "members";
  readonly properties: ReadonlyMap<string, Node>;
  readonly patterns: readonly PatternMember[];
  readonly rest: Node;
}
interface NamesPart extends PartBase {
  readonly part: "propertyNames";
  readonly node: Node;
}
/** `dependentRequired`, `dependentSchemas`, `dependencies`: if the trigger is present, the node holds. */
export interface DependentPart extends PartBase {
  readonly part: "dependent";
  readonly trigger: RequiredPart;
  readonly node: Node;
}
export interface GroupPart extends PartBase {
  readonly part: "any" | "one";
  readonly nodes: readonly Node[];
}
interface NotPart extends PartBase {
  readonly part: "not";
  readonly node: Node;
}
export interface IfPart extends PartBase {
  readonly part: "if";
  readonly test: Node;
  readonly yes: Node;
  readonly no: Node;
}
/** A statement whose truth cannot be computed here. Two with one `key` have the same truth for every value. */
export interface OpaquePart extends PartBase {
  readonly part: "opaque";
  readonly keyword: string;
  readonly key: string;
  readonly value: JsonValue;
  /** Values for which every reading says true. */
  readonly samples: readonly JsonValue[];
}

export type Part =
  | EnumPart
  | BoundPart
  | MultiplePart
  | SizePart
  | PatternPart
  | UniquePart
  | ElementsPart
  | ContainsPart
  | RequiredPart
  | MembersPart
  | NamesPart
  | DependentPart
  | GroupPart
  | NotPart
  | IfPart
  | OpaquePart;

/** Whether a node accepts every value of these kinds. */
export function isTrivial(node: Node, kinds: number): boolean {
  return (node.kinds & kinds) === kinds && !node.parts.some((part) => part.kinds & kinds);
}
