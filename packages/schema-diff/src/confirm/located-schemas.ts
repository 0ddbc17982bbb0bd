import { isJsonObject, type JsonObject, type JsonValue, ownMember } from "@agentprint/canonical-json/json-value";
import {
  type Dialect,
  type Draft,
  dialectOf,
  keywordOf,
  type Place,
  pathOf,
  SchemaDocument,
  schemaSlots,
  someMember,
} from "@agentprint/json-schema";
import { ENTRIES_A_STEP, type StepBudget, UNITS_A_STEP } from "../budget.ts";
import { type LocatedSchema, type Resource, type Rule, SchemaRefused, type Target } from "./application.ts";
import { IN_PLACE, PARTS } from "./applicator-rules.ts";
import { ASSERTIONS } from "./value-rules.ts";

/** The rule for each keyword that restricts values. */
const RULES: ReadonlyMap<string, Rule> = new Map(Object.entries({ ...ASSERTIONS, ...IN_PLACE, ...PARTS }));
const ROOT = "#";
const OUTSIDE: Target = { schema: true };
const REFERENCES: readonly string[] = ["$ref", "$dynamicRef", "$recursiveRef"];

/**
 * All schemas in a document with the rules of their draft and with all references resolved.
 *
 * @throws {@link SchemaRefused} if a reference leads nowhere, or may lead to either of two schemas.
 */
export class LocatedSchemas {
  /** Whether a schema depends on what other schemas have evaluated. */
  hasUnevaluated = false;
  readonly #document: SchemaDocument;
  readonly #budget: StepBudget;
  readonly #draft: Draft;
  readonly #schemas = new Map<JsonObject, LocatedSchema>();
  readonly #resources = new Map<string, Resource>();

  constructor(document: JsonValue, budget: StepBudget) {
    this.#document = new SchemaDocument(document, budget);
    this.#budget = budget;
    // Without `$schema`, a list of `items` indicates a draft before 2020-12.
    const isOlder = someMember(document, (name, value) => name === "items" && Array.isArray(value));
    this.#draft = draftOf(dialectOf(document)) ?? (isOlder ? 7 : 2020);
    const open = [this.#document.root];
    for (let place = open.pop(); place; place = open.pop()) {
      if (isJsonObject(place.value) && !this.#schemas.has(place.value)) open.push(...this.#add(place, place.value));
    }
  }

  at(schema: JsonValue): LocatedSchema {
    const located = isJsonObject(schema) ? this.#schemas.get(schema) : undefined;
    if (!located) throw new SchemaRefused();
    return located;
  }

  /** Adds a schema, and returns the schemas below it and those to which it refers. */
  #add(place: Place, schema: JsonObject): Place[] {
    const names = Object.keys(schema);
    this.#budget.spend(1 + names.length / ENTRIES_A_STEP + place.pointer.length / UNITS_A_STEP);
    const draft = draftOf(place.dialect) ?? this.#draft;
    const resource = this.#resourceOf(place, schema, draft);
    const keywords = new Map(
      this.#knownNames(place, names, draft).map((name) => [name, schema[name] as JsonValue] as const),
    );
    const targets = new Map<string, Target>();
    const next: Place[] = [];
    for (const keyword of REFERENCES) {
      const reference = keywords.get(keyword);
      if (reference === undefined) continue;
      const found = this.#resolve(reference, place);
      if (found) next.push(found);
      targets.set(keyword, found ? targetOf(keyword, reference as string, found.value) : OUTSIDE);
    }
    this.#schemas.set(schema, { draft, keywords, rules: this.#rules(keywords), targets, resource });
    for (const slot of schemaSlots(schema, draftOf(place.dialect))) {
      next.push(this.#document.child(place, ...pathOf(slot)) as Place);
    }
    return next;
  }

  /**
   * Returns the names of the keywords that the draft knows. Up to draft-07, keywords next to a `$ref` are ignored
   * (draft-07 Core §8.3).
   */
  #knownNames({ dialect }: Place, names: readonly string[], draft: Draft): readonly string[] {
    if (names.includes("$ref") && (draftOf(dialect) ?? 2020) < 2019) return ["$ref"];
    return names.filter((name) => name === "nullable" || isKnown(name, draft));
  }

  #rules(keywords: ReadonlyMap<string, JsonValue>): LocatedSchema["rules"] {
    const names = [...keywords.keys()];
    const last = names.filter((name) => name.startsWith("unevaluated"));
    if (last.length > 0) this.hasUnevaluated = true;
    return [...names.filter((name) => !last.includes(name)), ...last].flatMap((name) => {
      const rule = RULES.get(name);
      return rule ? [[rule, keywords.get(name) as JsonValue] as const] : [];
    });
  }

  #resourceOf(place: Place, schema: JsonObject, draft: Draft): Resource {
    const resource: Resource = this.#resources.get(place.base) ?? { dynamic: new Map() };
    this.#resources.set(place.base, resource);
    const anchor = draft === 2020 ? ownMember(schema, "$dynamicAnchor") : undefined;
    if (typeof anchor === "string") resource.dynamic.set(anchor, schema);
    const isRecursive = draft === 2019 && isRecursiveAnchor(schema) && this.#resolve(ROOT, place)?.value === schema;
    if (isRecursive) resource.dynamic.set(ROOT, schema);
    return resource;
  }

  /** Returns the place to which a reference leads, or `undefined` if it is outside the document. */
  #resolve(reference: JsonValue, { base }: Place): Place | undefined {
    const found = typeof reference === "string" ? this.#document.resolve(reference, base) : undefined;
    if (found?.type === "found") return found.place;
    if (found?.type === "remote") return undefined;
    throw new SchemaRefused();
  }
}

function targetOf(keyword: string, reference: string, schema: JsonValue): Target {
  if (!isJsonObject(schema)) return { schema };
  if (keyword === "$recursiveRef") return { schema, ...(isRecursiveAnchor(schema) && { anchor: ROOT }) };
  const [, anchor = ""] = reference.split("#");
  const isDynamic = keyword === "$dynamicRef" && ownMember(schema, "$dynamicAnchor") === anchor;
  return { schema, ...(isDynamic && { anchor }) };
}

function isRecursiveAnchor(schema: JsonObject): boolean {
  return ownMember(schema, "$recursiveAnchor") === true;
}

function isKnown(name: string, draft: Draft): boolean {
  const keyword = keywordOf(name, draft);
  // The meta-schema of 2020-12 retains `$recursiveRef`, but gives it no meaning.
  return keyword !== undefined && !(keyword.kind === "dynamic-reference" && keyword.until < draft);
}

function draftOf(dialect: Dialect): Draft | undefined {
  return dialect === "unknown" ? undefined : dialect;
}
