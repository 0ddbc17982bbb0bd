import type { Draft } from "./dialect.ts";

/** Which schemas or data a keyword's value holds. */
export type KeywordContent =
  | "schema"
  /** An array of schemas. */
  | "list"
  /** An object with a schema under each name. */
  | "by-name"
  /** One schema, or up to 2019-09 an array of them: `items`. */
  | "schema-or-list"
  /** Plain JSON data: a member named like a keyword is not one. */
  | "data";

/** The keywords of all drafts, grouped by the content of their values; `none` means neither schemas nor data. */
const NAMES: Readonly<Record<KeywordContent | "none", string>> = {
  schema:
    "not if then else additionalProperties propertyNames contains additionalItems unevaluatedItems unevaluatedProperties contentSchema",
  list: "allOf anyOf oneOf prefixItems",
  "by-name": "dependentSchemas dependencies properties patternProperties definitions $defs",
  "schema-or-list": "items",
  data: "enum const default examples",
  none: "type multipleOf maximum exclusiveMaximum minimum exclusiveMinimum maxLength minLength pattern maxItems minItems uniqueItems maxProperties minProperties required maxContains minContains dependentRequired format contentEncoding contentMediaType readOnly writeOnly deprecated title description $comment $schema $vocabulary id $id $anchor $dynamicAnchor $recursiveAnchor $ref $dynamicRef $recursiveRef",
};

let contents: ReadonlyMap<string, KeywordContent | undefined> | undefined;

function contentsByName(): ReadonlyMap<string, KeywordContent | undefined> {
  contents ??= new Map(
    Object.entries(NAMES).flatMap(([content, names]) =>
      names.split(" ").map((name) => [name, content === "none" ? undefined : (content as KeywordContent)] as const),
    ),
  );
  return contents;
}

/**
 * Returns whether any draft of JSON Schema has a keyword with this name.
 *
 * @example
 * ```ts
 * import { isKeyword } from "@agentprint/json-schema";
 *
 * console.log(isKeyword("type"), isKeyword("x-order")); // true false
 * ```
 */
export function isKeyword(name: string): boolean {
  return contentsByName().has(name);
}

/**
 * Returns the kind of schemas or data that a keyword's value holds, or `undefined` if it holds neither, or if no
 * keyword has this name.
 *
 * @example
 * ```ts
 * import { contentOf } from "@agentprint/json-schema";
 *
 * console.log(contentOf("properties"), contentOf("enum"), contentOf("type")); // by-name data undefined
 * ```
 */
export function contentOf(name: string): KeywordContent | undefined {
  return contentsByName().get(name);
}

/**
 * Returns whether a keyword describes the value to people and models (2020-12 Validation §9.1, §9.5, Core §8.3).
 *
 * @example
 * ```ts
 * import { isProse } from "@agentprint/json-schema";
 *
 * console.log(isProse("description"), isProse("default")); // true false
 * ```
 */
export function isProse(name: string): boolean {
  return name === "title" || name === "description" || name === "examples" || name === "$comment";
}

/** The purpose of a keyword. */
export type KeywordKind =
  /** Applies schemas to the value or to parts of it. */
  | "applicator"
  /** Restricts the value directly. */
  | "assertion"
  /** Holds schemas that apply only where a reference leads to them. */
  | "definitions"
  /** Gives a URI to a schema or to a place in it. */
  | "identifier"
  /** Names the dialect and its vocabularies. */
  | "dialect"
  /** Leads to a schema that is determined by the document's text. */
  | "reference"
  /** Leads to a schema that also depends on the schemas through which a validator has passed. */
  | "dynamic-reference"
  /** Describes the value to programs without restricting it. */
  | "annotation"
  /** Describes the value to people and models (2020-12 Validation §9.1, §9.5, Core §8.3). */
  | "prose"
  /**
   * Describes the content encoded in a string: an assertion to some validators of draft-07, and an annotation to all
   * others.
   */
  | "content"
  /** Is an assertion to some validators and an annotation to others (2020-12 Validation §7.2.1). */
  | "format";

/** A JSON Schema keyword and the content of its value. */
export interface Keyword {
  readonly name: string;
  readonly kind: KeywordKind;
  /** Absent if the keyword's value holds neither schemas nor data. */
  readonly content?: KeywordContent;
  /** For an applicator: whether its schemas apply to the value itself, or to its members, their names, or its elements. */
  readonly appliesTo?: "value" | "parts";
  readonly since: Draft;
  readonly until: Draft;
  /** No later draft gives the keyword a meaning, but their meta-schemas still describe its form. */
  readonly isRetained: boolean;
}

type Row = Omit<Keyword, "name" | "content" | "isRetained"> & { readonly isRetained?: boolean; readonly names: string };

const FIRST: Draft = 4;
const LAST: Draft = 2020;

function rows(): readonly Row[] {
  const ALWAYS = { since: FIRST, until: LAST } as const;
  const SINCE_6 = { since: 6, until: LAST } as const;
  const SINCE_7 = { since: 7, until: LAST } as const;
  const SINCE_2019 = { since: 2019, until: LAST } as const;
  const SINCE_2020 = { since: 2020, until: LAST } as const;
  const UNTIL_7 = { since: FIRST, until: 7, isRetained: true } as const;

  const IN_PLACE = { kind: "applicator", appliesTo: "value" } as const;
  const INSIDE = { kind: "applicator", appliesTo: "parts" } as const;
  return [
    { names: "allOf anyOf oneOf", ...IN_PLACE, ...ALWAYS },
    { names: "not", ...IN_PLACE, ...ALWAYS },
    { names: "if then else", ...IN_PLACE, ...SINCE_7 },
    { names: "dependentSchemas", ...IN_PLACE, ...SINCE_2019 },
    { names: "dependencies", ...IN_PLACE, ...UNTIL_7 },
    { names: "properties patternProperties", ...INSIDE, ...ALWAYS },
    { names: "additionalProperties", ...INSIDE, ...ALWAYS },
    { names: "propertyNames contains", ...INSIDE, ...SINCE_6 },
    { names: "items", ...INSIDE, ...ALWAYS },
    { names: "additionalItems", ...INSIDE, since: FIRST, until: 2019 },
    { names: "prefixItems", ...INSIDE, ...SINCE_2020 },
    { names: "unevaluatedItems unevaluatedProperties", ...INSIDE, ...SINCE_2019 },
    { names: "definitions", kind: "definitions", ...UNTIL_7 },
    { names: "$defs", kind: "definitions", ...SINCE_2019 },
    { names: "enum", kind: "assertion", ...ALWAYS },
    { names: "const", kind: "assertion", ...SINCE_6 },
    { names: "type multipleOf maximum exclusiveMaximum minimum exclusiveMinimum", kind: "assertion", ...ALWAYS },
    { names: "maxLength minLength pattern maxItems minItems uniqueItems", kind: "assertion", ...ALWAYS },
    { names: "maxProperties minProperties required", kind: "assertion", ...ALWAYS },
    { names: "maxContains minContains dependentRequired", kind: "assertion", ...SINCE_2019 },
    { names: "format", kind: "format", ...ALWAYS },
    { names: "contentEncoding contentMediaType", kind: "content", ...SINCE_7 },
    { names: "contentSchema", kind: "content", ...SINCE_2019 },
    { names: "default", kind: "annotation", ...ALWAYS },
    { names: "readOnly writeOnly", kind: "annotation", ...SINCE_7 },
    { names: "deprecated", kind: "annotation", ...SINCE_2019 },
    { names: "title description", kind: "prose", ...ALWAYS },
    { names: "examples", kind: "prose", ...SINCE_6 },
    { names: "$comment", kind: "prose", ...SINCE_7 },
    { names: "$schema", kind: "dialect", ...ALWAYS },
    { names: "$vocabulary", kind: "dialect", ...SINCE_2019 },
    { names: "id", kind: "identifier", since: FIRST, until: FIRST },
    { names: "$id", kind: "identifier", ...SINCE_6 },
    { names: "$anchor", kind: "identifier", ...SINCE_2019 },
    { names: "$dynamicAnchor", kind: "identifier", ...SINCE_2020 },
    { names: "$recursiveAnchor", kind: "identifier", since: 2019, until: 2019, isRetained: true },
    { names: "$ref", kind: "reference", ...ALWAYS },
    { names: "$dynamicRef", kind: "dynamic-reference", ...SINCE_2020 },
    { names: "$recursiveRef", kind: "dynamic-reference", since: 2019, until: 2019, isRetained: true },
  ];
}

let known: ReadonlyMap<string, Keyword> | undefined;

/** Returns the keywords by name. The map is made on first use, because programs that only read tools do not need it. */
function keywords(): ReadonlyMap<string, Keyword> {
  known ??= new Map(
    rows().flatMap(({ names, isRetained = false, ...row }) =>
      names.split(" ").map((name) => {
        const content = contentOf(name);
        return [name, Object.freeze({ name, isRetained, ...row, ...(content !== undefined && { content }) })];
      }),
    ),
  );
  return known;
}

/**
 * Returns a keyword's kind and content, or `undefined` if JSON Schema has no keyword with that name.
 *
 * @param draft Only keywords of this draft are known, and older keywords that its meta-schema retains. By default the
 * keywords of all drafts are known.
 * @example
 * ```ts
 * import { keywordOf } from "@agentprint/json-schema";
 *
 * console.log(keywordOf("properties")?.content); // by-name
 * console.log(keywordOf("items")?.content, keywordOf("items", 2020)?.content); // schema-or-list schema
 * console.log(keywordOf("prefixItems", 7), keywordOf("x-order")); // undefined undefined
 * ```
 */
export function keywordOf(name: string, draft?: Draft): Keyword | undefined {
  const keyword = keywords().get(name);
  if (keyword === undefined || draft === undefined) return keyword;
  if (draft < keyword.since || (draft > keyword.until && !keyword.isRetained)) return undefined;
  if (name !== "items" || draft !== LAST) return keyword;
  itemsOf2020 ??= Object.freeze({ ...keyword, content: "schema" });
  return itemsOf2020;
}

let itemsOf2020: Keyword | undefined;

/**
 * Returns all keywords of one draft, with the older keywords that its meta-schema retains, or all keywords of all
 * drafts.
 *
 * @example
 * ```ts
 * import { keywordsOf } from "@agentprint/json-schema";
 *
 * const lists = keywordsOf(2020).filter(({ content }) => content === "list");
 * console.log(lists.map(({ name }) => name).join()); // allOf,anyOf,oneOf,prefixItems
 * ```
 */
export function keywordsOf(draft?: Draft): readonly Keyword[] {
  return [...keywords().keys()].flatMap((name) => keywordOf(name, draft) ?? []);
}

/**
 * Returns whether a draft gives a keyword a meaning in the notation in which it is used. `exclusiveMinimum` is a
 * boolean in draft-04 and a number in later drafts; `items` can be an array only up to 2019-09.
 *
 * @example
 * ```ts
 * import { isMeaningful } from "@agentprint/json-schema";
 *
 * console.log(isMeaningful("exclusiveMinimum", true, 4), isMeaningful("exclusiveMinimum", true, 7)); // true false
 * ```
 */
export function isMeaningful(name: string, value: unknown, draft: Draft): boolean {
  const keyword = keywords().get(name);
  if (keyword === undefined || draft < keyword.since || draft > keyword.until) return false;
  if (name === "items") return !Array.isArray(value) || draft < LAST;
  const isExclusive = name === "exclusiveMinimum" || name === "exclusiveMaximum";
  return !isExclusive || (typeof value === "boolean") === (draft === FIRST);
}
