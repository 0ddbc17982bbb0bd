import { canonicalize, type JsonValue, toPointer } from "@agentprint/canonical-json";
import { isJsonObject, type JsonObject, ownMember } from "@agentprint/canonical-json/json-value";
import { type Draft, keywordsOf, type Place, SchemaDocument } from "@agentprint/json-schema";
import { StepBudget, UNITS_A_STEP, withinBudget } from "../budget.ts";
import { type SchemaDiffArgument, SchemaDiffError } from "../errors.ts";
import { ALL } from "../kinds.ts";
import { MAX_COMPILE_STEPS, MAX_IN_PLACE_CHAIN } from "../limits.ts";
import type { Obstacle, SchemaNoteCode } from "../notes.ts";
import type { OpaqueConstraint, SchemaNode } from "../schema-graph.ts";
import { type Applicators, readApplicators } from "./applicators.ts";
import { conjoin, type Statement } from "./combine.ts";
import { foreignGroups } from "./foreign-groups.ts";
import {
  DOUBTFUL,
  expectString,
  InvalidKeyword,
  isDoubtful,
  type Keyword,
  readAssertions,
  readContent,
} from "./keywords.ts";

/**
 * The number of UTF-16 code units of a pointer per step. A long name is expensive, because it is part of the pointers
 * of all places below it.
 */
const POINTER_UNITS_A_STEP = 4;

/** Keywords that change a schema's meaning and that this package does not evaluate. */
const UNSUPPORTED = ["$dynamicRef", "$recursiveRef", "unevaluatedItems", "unevaluatedProperties"] as const;
/** Keywords that do not change which values are accepted, even if a validator reads them next to a `$ref`. */
const INERT: ReadonlySet<string> = new Set([
  ...["$anchor", "$id", "$ref", "$schema"],
  ...keywordsOf()
    .filter(({ kind }) => kind === "annotation" || kind === "definitions" || kind === "prose")
    .map(({ name }) => name),
]);

/** A schema as a graph of nodes. */
export interface CompiledSchema {
  readonly compiler: Compiler;
  readonly root: SchemaNode;
}

/**
 * Compiles a schema, or returns `undefined` when the caller's budget is used up.
 *
 * @throws {@link SchemaDiffError} `schema-too-large` when compiling takes more than a million steps, which no real
 * schema does.
 */
export function compileSchema(
  schema: JsonValue,
  which: SchemaDiffArgument,
  total: StepBudget,
): CompiledSchema | undefined {
  const budget = new StepBudget(MAX_COMPILE_STEPS, total);
  const compiled = withinBudget(() => {
    const compiler = new Compiler(schema, which, budget);
    return { compiler, root: compiler.compile() };
  });
  if (compiled) return compiled;
  if (total.isExhausted) return undefined;
  throw new SchemaDiffError("schema-too-large", which, "", "expected fewer schemas, or shorter names around them");
}

/**
 * Compiles one schema document into a graph of nodes. Schemas that apply to parts of a value are compiled from a queue.
 */
export class Compiler implements Applicators {
  readonly nodes: SchemaNode[] = [];
  readonly budget: StepBudget;
  readonly #obstacles: Obstacle[] = [];
  readonly #which: SchemaDiffArgument;
  readonly #document: SchemaDocument;
  readonly #known = new Map<string, { node: SchemaNode; state: "queued" | "active" | "done" }>();
  readonly #queue: Place[] = [];
  #chain = 0;

  constructor(document: JsonValue, which: SchemaDiffArgument, budget: StepBudget) {
    this.#which = which;
    this.#document = new SchemaDocument(document, budget);
    this.budget = budget;
  }

  /** Compiles every schema that can be reached from the root, and returns the root's node. */
  compile(): SchemaNode {
    const root = this.compileDeferred(this.#document.root);
    for (const place of this.#queue) this.#fill(place);
    return root;
  }

  /** Returns the value at a pointer in the document. */
  textAt(pointer: string): JsonValue | undefined {
    return this.#document.at(pointer);
  }

  /** Adds a node for a statement. */
  create(pointer: string, statement: Statement): SchemaNode {
    const node: SchemaNode = { pointer, ...statement, equivalenceClass: 0 };
    this.nodes.push(node);
    return node;
  }

  child(place: Place, ...segments: (string | number)[]): Place {
    return this.#document.child(place, ...segments) as Place;
  }

  compileDeferred(place: Place): SchemaNode {
    const known = this.#known.get(place.pointer);
    if (known) return known.node;
    this.budget.spend(place.pointer.length / POINTER_UNITS_A_STEP);
    const node = this.create(place.pointer, { kinds: ALL, constraints: [] });
    this.#known.set(place.pointer, { node, state: "queued" });
    this.#queue.push(place);
    return node;
  }

  compileInPlace(place: Place, referrer: string = place.pointer): SchemaNode {
    const node = this.compileDeferred(place);
    return this.#fill(place)
      ? node
      : this.create(place.pointer, this.#opaque("ref-cycle", "$ref", place, place.pointer, referrer));
  }

  /** Returns the parts of the schema that are not compared, including formats and patterns. */
  obstacles(): readonly Obstacle[] {
    const found = new Map(this.#obstacles.map((obstacle) => [obstacle.path, obstacle]));
    for (const constraint of this.nodes.flatMap((node) => node.constraints)) {
      if (constraint.type === "opaque" && isDoubtful(constraint.keyword)) {
        const { keyword, pointer, key } = constraint;
        found.set(pointer, { code: DOUBTFUL[keyword], path: pointer, key });
      }
      if (constraint.type === "pattern" && !constraint.automaton)
        found.set(constraint.pointer, { code: "pattern", path: constraint.pointer, key: constraint.source });
    }
    return [...found.values()];
  }

  /** Returns a statement that is not compared. It equals only a statement with the same text in the same dialect. */
  #opaque(
    code: SchemaNoteCode,
    keyword: string,
    place: Place,
    about: JsonValue,
    pointer: string = place.pointer + toPointer([keyword]),
    text: string = canonicalize(about),
  ): Statement {
    this.budget.spend(1 + text.length / UNITS_A_STEP);
    // The document and the base URI determine the meaning of a reference, so equal references in two documents, or at
    // two bases, can have different meanings.
    const isLocal =
      code === "unresolved-ref" || code === "ref-cycle" || /"\$(?:ref|dynamicRef|recursiveRef)"/.test(text);
    const dialects = [this.#document.root, place].map(({ dialect = 2020 }) => dialect);
    const key = [code, keyword, isLocal ? `${this.#which} ${place.base}` : "", ...dialects, text].join(":");
    this.#obstacles.push({ code, path: pointer, key });
    const constraint: OpaqueConstraint = {
      type: "opaque",
      kinds: ALL,
      pointer,
      keyword,
      key,
      value: about,
      samples: [],
    };
    return { kinds: ALL, constraints: [constraint] };
  }

  /**
   * Fills the node of a place, or returns `false` if that is already under way, because the schema then applies to the
   * same value through itself.
   */
  #fill(place: Place): boolean {
    const known = this.#known.get(place.pointer);
    if (known?.state === "active") return false;
    if (!known || known.state === "done") return true;
    known.state = "active";
    if (++this.#chain > MAX_IN_PLACE_CHAIN) {
      throw this.#error(
        "schema-too-deep",
        place.pointer,
        `expected at most ${MAX_IN_PLACE_CHAIN} schemas that apply to the same value`,
      );
    }
    const { kinds, constraints, pointer } = this.#read(place);
    this.#chain--;
    this.budget.spend(1 + constraints.length);
    Object.assign(known.node, { kinds, constraints, pointer });
    known.state = "done";
    return true;
  }

  #read(place: Place): Statement & { pointer: string } {
    const { value, pointer } = place;
    if (typeof value === "boolean") return { kinds: value ? ALL : 0, constraints: [], pointer };
    if (!isJsonObject(value)) throw this.#error("invalid-schema", pointer, "expected a schema: an object or a boolean");
    const { dialect } = this.#document.root;
    if (dialect === "unknown") return { ...this.#opaque("unknown-dialect", "$schema", place, value), pointer };
    // Some validators read the complete document in one dialect, others read each schema in its own dialect.
    if (place.dialect === "unknown" || (dialect !== undefined && place.dialect !== dialect))
      return { ...this.#opaque("unsupported-keyword", "$schema", place, value), pointer };
    try {
      const statements = this.#statements(place, value, place.dialect);
      const [only, ...others] = statements.filter(({ kinds, constraints }) => kinds !== ALL || constraints.length > 0);
      // A schema that is only a reference shares its target's statement.
      const isReference = only !== undefined && others.length === 0 && "pointer" in only;
      return isReference ? (only as SchemaNode) : { ...conjoin(statements, this.budget), pointer };
    } catch (error) {
      if (error instanceof InvalidKeyword) throw this.#error("invalid-schema", error.path, error.message);
      throw error;
    }
  }

  #statements(place: Place, schema: JsonObject, draft: Draft | undefined): Statement[] {
    const reference = ownMember(schema, "$ref");
    const statements: Statement[] =
      reference === undefined ? [] : [this.#refer(place, { value: reference, pointer: `${place.pointer}/$ref` })];
    const beside = Object.keys(schema).filter((key) => !INERT.has(key));
    if (reference !== undefined && isBefore2019(draft)) {
      // Up to draft-07 the standard ignores keywords next to a `$ref`; many validators obey them.
      const siblings = Object.fromEntries(beside.map((key) => [key, schema[key] as JsonValue]));
      if (beside.length > 0) statements.push(this.#opaque("foreign-keyword", "$ref", place, siblings));
      return statements;
    }
    for (const keyword of UNSUPPORTED) {
      if (Object.hasOwn(schema, keyword)) statements.push(this.#opaque("unsupported-keyword", keyword, place, schema));
    }
    const foreign = new Set<string>();
    for (const group of foreignGroups(schema, draft)) {
      const present = group.filter((keyword) => Object.hasOwn(schema, keyword));
      for (const keyword of present) foreign.add(keyword);
      const text = Object.fromEntries(present.map((keyword) => [keyword, schema[keyword] as JsonValue]));
      statements.push(this.#opaque("foreign-keyword", present[0] as string, place, text));
    }
    const read = (keyword: string): Keyword | undefined =>
      Object.hasOwn(schema, keyword) && !foreign.has(keyword)
        ? { value: schema[keyword] as JsonValue, pointer: `${place.pointer}/${keyword}` }
        : undefined;
    if (draft === 7) statements.push(readContent(read));
    return [...statements, ...readAssertions(read, this.budget), ...readApplicators(read, place, this)];
  }

  #refer(place: Place, keyword: Keyword): Statement {
    const reference = expectString(keyword);
    // Up to draft-07 the standard also ignores an id next to a `$ref`. The root's id changes no reference within the
    // document.
    const isNamed = ["$id", "id"].some((id) => Object.hasOwn(place.value as JsonObject, id));
    if (isNamed && place.pointer !== "" && isBefore2019(place.dialect))
      return this.#opaque("foreign-keyword", "$ref", place, place.value);
    const target = this.#document.resolve(reference, place.base);
    switch (target.type) {
      case "found":
        return this.compileInPlace(target.place, keyword.pointer);
      case "remote":
        return this.#opaque("remote-ref", "$ref", place, reference, keyword.pointer, target.uri);
      default:
        return this.#opaque("unresolved-ref", "$ref", place, keyword.value);
    }
  }

  #error(code: "invalid-schema" | "schema-too-deep", path: string, message: string): SchemaDiffError {
    return new SchemaDiffError(code, this.#which, path, message);
  }
}

function isBefore2019(dialect: Place["dialect"]): boolean {
  return typeof dialect === "number" && dialect < 2019;
}
