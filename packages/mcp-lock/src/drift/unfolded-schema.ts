import { canonicalize, fromPointer, isJsonObject, type JsonValue } from "@agentprint/canonical-json";
import {
  formOf,
  keywordOf,
  type Meter,
  type Place,
  pathOf,
  SchemaDocument,
  type SchemaSlot,
  schemaSlots,
} from "@agentprint/json-schema";
import { isDraft, MAX_DEPTH } from "@agentprint/tool-pins/judgement";
import { MAX_REFERENCE_STEPS } from "../limits.ts";

/** A keyword of a schema, with its value. */
export class Member {
  readonly keyword: string;
  readonly value: JsonValue;
  #text: string | undefined;

  constructor(keyword: string, value: JsonValue) {
    this.keyword = keyword;
    this.value = value;
  }

  /** Returns the keyword and its value as text, by which members are compared. */
  get text(): string {
    this.#text ??= `${this.keyword} ${canonicalize(this.#compared(), { maxDepth: MAX_DEPTH })}`;
    return this.#text;
  }

  #compared(): JsonValue {
    const { keyword, value } = this;
    return keyword === "required" && Array.isArray(value) ? value.map((name) => JSON.stringify(name)).sort() : value;
  }
}

/** A schema in a document. */
export interface SchemaNode {
  readonly id: number;
  readonly place: Place;
  /** Its titles, descriptions and other prose. */
  readonly prose: readonly Member[];
  /**
   * Everything else in the schema itself, except for the schemas inside it and a reference to another schema of the
   * document.
   */
  readonly rest: readonly Member[];
  /** The schemas in it, by keyword and key. */
  readonly inside: ReadonlyMap<string, SchemaNode>;
  /** The definitions in it, by name, under either keyword. */
  readonly definitions: ReadonlyMap<string, SchemaNode>;
  /** The schema that its reference leads to. */
  readonly target?: SchemaNode;
}

type Writable = Omit<SchemaNode, "inside" | "definitions" | "rest" | "target"> & {
  readonly inside: Map<string, Writable>;
  readonly definitions: Map<string, Writable>;
  readonly rest: Member[];
  target?: SchemaNode;
};

/**
 * Returns all schemas of a document, the root first. The schemas are linked by their references, so that the schemas
 * that apply at a place can be found. Returns `undefined` if `definitions` and `$defs` of one schema share a name, so
 * that two schemas would be the same definition, or if resolving the references takes too long.
 */
export function unfoldSchema(schema: JsonValue): readonly SchemaNode[] | undefined {
  try {
    return nodesOf(schema, new ReferenceMeter());
  } catch (error) {
    if (error instanceof OutOfSteps) return undefined;
    throw error;
  }
}

function nodesOf(schema: JsonValue, meter: Meter): SchemaNode[] | undefined {
  const document = new SchemaDocument(schema, meter);
  const root = nodeOf(document.root, 0);
  const nodes = [root];
  for (const node of nodes) {
    const { value } = node.place;
    for (const slot of isJsonObject(value) ? schemaSlots(value) : []) {
      const inner = nodeOf(document.child(node.place, ...pathOf(slot)) as Place, nodes.length);
      nodes.push(inner);
      if (slot.keyword.kind !== "definitions") node.inside.set(keyOf(slot), inner);
      else if (node.definitions.has(String(slot.key))) return undefined;
      else node.definitions.set(String(slot.key), inner);
    }
  }
  for (const node of nodes) addTarget(node, root, document, meter);
  return nodes;
}

class OutOfSteps extends Error {}

class ReferenceMeter implements Meter {
  #left = MAX_REFERENCE_STEPS;

  spend(steps: number): void {
    this.#left -= steps;
    if (this.#left < 0) throw new OutOfSteps();
  }
}

/** The number of a pointer's code units that one step reads. */
const UNITS_A_STEP = 32;

function addTarget(node: Writable, root: SchemaNode, document: SchemaDocument, meter: Meter): void {
  const { value, base } = node.place;
  const reference = isJsonObject(value) && Object.hasOwn(value, "$ref") ? value["$ref"] : undefined;
  if (reference === undefined) return;
  const found = typeof reference === "string" ? document.resolve(reference, base) : undefined;
  const pointer = found?.type === "found" ? found.place.pointer : undefined;
  if (pointer !== undefined) meter.spend(pointer.length / UNITS_A_STEP);
  const target = pointer === undefined ? undefined : nodeAt(root, pointer);
  if (target === undefined) node.rest.push(new Member("$ref", reference));
  else node.target = target;
}

function nodeOf(place: Place, id: number): Writable {
  const { value } = place;
  const members = isJsonObject(value) ? Object.entries(value) : [["", value] as const];
  const [prose, rest]: [Member[], Member[]] = [[], []];
  for (const [name, inner] of members) {
    const keyword = keywordOf(name);
    if (keyword?.kind === "prose") prose.push(new Member(name, inner));
    else if (isOwn(name, inner)) rest.push(new Member(name, inner));
  }
  return { id, place, prose, rest, inside: new Map(), definitions: new Map() };
}

/**
 * Returns whether a member other than prose is compared as part of its schema; inner schemas, the reference and the
 * name of a draft are not.
 */
function isOwn(name: string, value: JsonValue): boolean {
  if (name === "$ref" || (name === "$schema" && typeof value === "string" && isDraft(value))) return false;
  return formOf(keywordOf(name)?.content, value) === undefined;
}

function keyOf({ keyword, key }: SchemaSlot): string {
  return key === undefined ? keyword.name : `${keyword.name}/${key}`;
}

/** Returns the schema at a pointer; `undefined` if no schema is there. */
function nodeAt(root: SchemaNode, pointer: string): SchemaNode | undefined {
  let node: SchemaNode | undefined = root;
  const path = fromPointer(pointer);
  for (let index = 0; node !== undefined && index < path.length; index++) {
    const keyword = path[index] as string;
    const alone: SchemaNode | undefined = node.inside.get(keyword);
    const key = path[index + 1];
    if (alone === undefined) index++;
    node = alone ?? (key === undefined ? undefined : memberNode(node, keyword, key));
  }
  return node;
}

function memberNode(node: SchemaNode, keyword: string, key: string): SchemaNode | undefined {
  if (keywordOf(keyword)?.kind === "definitions") return node.definitions.get(key);
  return node.inside.get(`${keyword}/${key}`);
}
