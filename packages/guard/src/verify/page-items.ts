import { isJsonObject, isSameJson, type JsonObject } from "@agentprint/canonical-json/json-value";
import { type ListKind, type NumberTexts, numbersByPart } from "@agentprint/mcp";
import { type DriftFinding, itemSubject, varyingFindings } from "@agentprint/mcp-lock";
import { nameFault } from "../read/read-shape.ts";
import { type LockedWorld, type SessionKind, sessionOf } from "./baseline.ts";

/** Thrown for a page of a list that cannot be read, or that clients cannot read. */
export class UnreadablePage extends Error {
  /** The ids of the rules because of which the page is refused. */
  readonly findings: readonly string[];

  constructor(reason: string, findings: readonly string[] = []) {
    super(reason);
    this.findings = findings;
  }
}

/**
 * Requires that a list or a greeting is a complete result, because a server may neither request anything in one (MCP
 * 2026-07-28, "Multi Round-Trip Requests") nor answer with a task.
 */
export function requireComplete({ resultType = "complete" }: JsonObject): void {
  if (resultType !== "complete") throw new UnreadablePage("a list or a greeting is complete");
}

/** Returns the items of a page. */
export function itemsOf(page: JsonObject, { list }: ListKind): readonly JsonObject[] {
  const items = page[list];
  if (!Array.isArray(items)) throw new UnreadablePage(`a page has an array of ${list}`);
  for (const item of items) {
    if (!isJsonObject(item)) throw new UnreadablePage("an item is an object");
    const { annotations } = item;
    const fault = nameFault(item) ?? (isJsonObject(annotations) ? nameFault(annotations) : undefined);
    if (fault) throw new UnreadablePage(fault.reason);
  }
  return items as JsonObject[];
}

/** Returns an item's name, or a resource's URI. */
export function nameOf(item: JsonObject, { key }: ListKind): string {
  const name = item[key];
  if (typeof name !== "string") throw new UnreadablePage(`an item has a string as ${key}`);
  return name;
}

/** The list that a page belongs to. */
export interface ListContext {
  readonly world: LockedWorld;
  /** The session that the list is for. */
  readonly session: SessionKind;
  readonly kind: ListKind;
  /**
   * The texts of the message's numbers that a double changes; absent for a parsed value, whose numbers are not compared
   * in this way.
   */
  readonly numbers: NumberTexts | undefined;
}

/** The members that forbid caching a page. */
export const NOT_CACHED = { ttlMs: 0, cacheScope: "private" } as const;

/** The number of segments of an item's pointer in its message. */
const ITEM_DEPTH = 3;

/**
 * Returns the page with the pinned value of each varying member, and the texts of the numbers in its items, by place;
 * the same page if no value and no text differs.
 */
export function withPinned(
  page: JsonObject,
  { kind, world, session, numbers }: ListContext,
): { readonly page: JsonObject; readonly numbersOf: ReadonlyMap<number, NumberTexts> } {
  const parts = numbersByPart(numbers ?? {}, ITEM_DEPTH);
  const { item, list } = kind;
  const items = itemsOf(page, kind);
  const given = items.map((_, index) => parts.get(`/result/${list}/${index}`) ?? {});
  if (item === "resourceTemplate" || world.entry.varies === undefined) return { page, numbersOf: byPlace(given) };
  const names = items.map((live) => nameOf(live, kind));
  const shown = items.map((live, index) =>
    world.pinned.item(item, names[index] as string, live, numbers && given[index]),
  );
  const texts = items.map((live, index) =>
    numbers === undefined ? {} : world.pinned.numbers(item, names[index] as string, live, given[index] as NumberTexts),
  );
  const isSame = shown.every((live, index) => live === items[index]) && isSameJson(texts, given);
  if (isSame) return { page, numbersOf: byPlace(given) };
  return {
    page: { ...page, [list]: shown, ...(session.era === "modern" && NOT_CACHED) },
    numbersOf: byPlace(texts),
  };
}

function byPlace(texts: readonly NumberTexts[]): ReadonlyMap<number, NumberTexts> {
  return new Map([...texts.entries()].filter(([, numbers]) => Object.keys(numbers).length > 0));
}

/** Returns the findings about the live values that the pinned values replace, by item name. */
export function findVarying(
  page: JsonObject,
  { kind, world, session: { era } }: ListContext,
): ReadonlyMap<string, readonly DriftFinding[]> {
  const { item, list } = kind;
  if (item === "resourceTemplate" || world.entry.varies === undefined) return new Map();
  const items = itemsOf(page, kind).map((live) => nameOf(live, kind));
  const names = [...world.names, ...(list === "tools" ? items : [])];
  const bySubject = new Map<string, DriftFinding[]>();
  for (const finding of varyingFindings(
    world.entry,
    { sessions: [sessionOf(era, { lists: { [list]: [[page]] } })] },
    names,
  )) {
    bySubject.set(finding.place.subject, [...(bySubject.get(finding.place.subject) ?? []), finding]);
  }
  return new Map(
    items.flatMap((name) => {
      const own = bySubject.get(itemSubject(world.entry.name, item, name));
      return own ? [[name, own]] : [];
    }),
  );
}
