import type { JsonValue } from "@agentprint/canonical-json";
import type { Automaton } from "./regex/automaton.ts";

/*
 * A compiled schema: the kinds of value it accepts, and constraints that a value of an accepted kind must all satisfy.
 * A constraint says nothing about values outside its `kinds`. Its `pointer` is the JSON Pointer of the keyword that it was
 * read from.
 */
export interface SchemaNode {
  pointer: string;
  kinds: number;
  constraints: readonly Constraint[];
  /**
   * Equal numbers mean equal schemas; different numbers mean nothing. The number is set once the complete graph is
   * compiled.
   */
  equivalenceClass: number;
}

interface ConstraintBase {
  readonly kinds: number;
  readonly pointer: string;
}

export interface EnumConstraint extends ConstraintBase {
  readonly type: "enum";
  /** The values by canonical text, all of a kind in `kinds`. */
  readonly values: ReadonlyMap<string, JsonValue>;
}
export interface BoundConstraint extends ConstraintBase {
  readonly type: "minimum" | "maximum";
  readonly value: number;
  /** Whether the bound itself is excluded. */
  readonly exclusive: boolean;
}
export interface MultipleConstraint extends ConstraintBase {
  readonly type: "multipleOf";
  readonly value: number;
}
export interface SizeConstraint extends ConstraintBase {
  readonly type: "minLength" | "maxLength" | "minItems" | "maxItems" | "minProperties" | "maxProperties";
  readonly value: number;
}
export interface PatternConstraint extends ConstraintBase {
  readonly type: "pattern";
  readonly source: string;
  /** Absent if no finite automaton can express the pattern. */
  readonly automaton: Automaton | undefined;
}
interface UniqueConstraint extends ConstraintBase {
  readonly type: "uniqueItems";
}
/** `prefixItems` and `items` in all their notations. */
export interface ElementsConstraint extends ConstraintBase {
  readonly type: "elements";
  readonly prefix: readonly SchemaNode[];
  readonly rest: SchemaNode;
}
export interface ContainsConstraint extends ConstraintBase {
  readonly type: "contains";
  readonly node: SchemaNode;
  readonly min: number;
  readonly max: number;
  /** The statement that no element matches. */
  readonly none: ElementsConstraint;
}
export interface RequiredConstraint extends ConstraintBase {
  readonly type: "required";
  readonly name: string;
}
export interface PatternMember {
  readonly source: string;
  readonly automaton: Automaton | undefined;
  readonly node: SchemaNode;
}
/** `properties`, `patternProperties` and `additionalProperties`, which have a meaning only together. */
export interface MembersConstraint extends ConstraintBase {
  readonly type: "members";
  readonly properties: ReadonlyMap<string, SchemaNode>;
  readonly patterns: readonly PatternMember[];
  readonly rest: SchemaNode;
}
interface NamesConstraint extends ConstraintBase {
  readonly type: "propertyNames";
  readonly node: SchemaNode;
}
/**
 * `dependentRequired`, `dependentSchemas` and `dependencies`: an object that has the member `trigger` must fulfil the
 * node.
 */
export interface DependentConstraint extends ConstraintBase {
  readonly type: "dependent";
  readonly trigger: RequiredConstraint;
  readonly node: SchemaNode;
}
export interface GroupConstraint extends ConstraintBase {
  readonly type: "anyOf" | "oneOf";
  readonly nodes: readonly SchemaNode[];
}
interface NotConstraint extends ConstraintBase {
  readonly type: "not";
  readonly node: SchemaNode;
}
export interface IfConstraint extends ConstraintBase {
  readonly type: "if";
  readonly test: SchemaNode;
  readonly yes: SchemaNode;
  readonly no: SchemaNode;
}
/**
 * A statement that is not evaluated, such as `format`. Two of these with equal `key` are both true or both false for
 * every value.
 */
export interface OpaqueConstraint extends ConstraintBase {
  readonly type: "opaque";
  readonly keyword: string;
  readonly key: string;
  readonly value: JsonValue;
  /** Values for which the statement is true in every validator. */
  readonly samples: readonly JsonValue[];
}

export type Constraint =
  | EnumConstraint
  | BoundConstraint
  | MultipleConstraint
  | SizeConstraint
  | PatternConstraint
  | UniqueConstraint
  | ElementsConstraint
  | ContainsConstraint
  | RequiredConstraint
  | MembersConstraint
  | NamesConstraint
  | DependentConstraint
  | GroupConstraint
  | NotConstraint
  | IfConstraint
  | OpaqueConstraint;
