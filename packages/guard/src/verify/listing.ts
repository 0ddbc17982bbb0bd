import { isSameJson, type JsonObject, type JsonValue } from "@agentprint/canonical-json/json-value";
import { isBegunAgain, type ListKind, type NumberTexts, nextCursorOf } from "@agentprint/mcp";
import type { Policy } from "@agentprint/policy";
import type { Digested, EventSources } from "../event-sink.ts";
import type { Limits } from "../limits.ts";
import { fingerprintLocked, type Locked, type LockedWorld, type SessionKind } from "./baseline.ts";
import { type JudgedPage, judgePage } from "./judge-page.ts";
import { requireComplete, UnreadablePage } from "./page-items.ts";
import type { PageMemos } from "./page-memos.ts";
import type { ItemVerdict } from "./verdict.ts";

/** A reading of a list, page by page. */
export interface ListReading {
  /** When its first page was requested. */
  readonly since: number;
  /** The number of announced changes when the reading began. */
  readonly generation: number;
  /** The list that it reads. */
  readonly list: Listing;
  /** The number of changes to the names in the lock when the reading began. */
  readonly epoch: number;
  readonly verdicts: Map<string, ItemVerdict>;
  /** The cursor of the page that was requested; absent for the first page. */
  cursor?: string | undefined;
  /** The items of the first page. */
  first?: JsonValue | undefined;
  pages: number;
  /** The number of characters in the messages of its pages. */
  length: number;
}

/** A page that a server sent. */
interface ReadPage {
  readonly page: JsonObject;
  /** The text of the message that contained the page. */
  readonly text: string | undefined;
  /** The texts of the page's numbers that a double changes, by pointer in the message; absent for a parsed value. */
  readonly numbers: NumberTexts | undefined;
  /**
   * The reading that the page continues; absent if the guard saw no such reading, so that the page is judged by itself.
   */
  readonly asked: ListReading | undefined;
}

/** The verdicts on a page and, with the last page of a reading, on the complete list. */
interface JudgedList extends JudgedPage {
  /** The verdicts by item name; absent if this page does not verify the list. */
  readonly whole?: ReadonlyMap<string, ItemVerdict> | undefined;
  /** The cursor of the next page; absent at the end of the list. */
  readonly next?: string | undefined;
}

/**
 * Returns the sources for an event about a complete list: the verdicts on tools, and the verdicts for a set hash of
 * tools or prompts.
 */
export function wholeOf(
  { list }: ListKind,
  { whole }: JudgedList,
): Pick<EventSources, "verdicts"> & Pick<Digested, "listing"> {
  return {
    verdicts: list === "tools" ? whole : undefined,
    listing: list === "tools" || list === "prompts" ? whole : undefined,
  };
}

/** A page with its place in a reading. */
interface PlacedPage extends Pick<ReadPage, "page" | "numbers"> {
  readonly reading: ListReading | undefined;
  /** Whether the server started the list again. */
  readonly isAgain: boolean;
  readonly isLast: boolean;
}

/** The generation of a reading that cannot verify anything. */
const NEVER = -1;

/** The maximum number of unfinished readings. Above this, the oldest reading is verified only page by page. */
const MAX_OPEN_READINGS = 16;

/** The verified state of a list, for one client in one era. */
export class Listing {
  readonly kind: ListKind;
  readonly session: SessionKind;
  /** The verdicts by item name, from the last time that the complete list was verified. */
  verdicts: ReadonlyMap<string, ItemVerdict> = new Map();
  /** The time of this verification, in milliseconds; absent if the server announced a change after it. */
  verifiedAt: number | undefined;
  /** The number of successive readings of the complete list that had the same items. */
  sameReadings = 0;
  readonly #limits: Limits;
  #generation = 0;
  #epoch = 0;
  readonly #passed = new Map<string, Locked>();
  readonly #open = new Map<string, ListReading>();
  /** The latest verdicts on first pages, because a server usually repeats a page. */
  readonly #memos: PageMemos;

  constructor(kind: ListKind, { era, view }: SessionKind, limits: Limits, memos: PageMemos) {
    this.kind = kind;
    this.session = { era, view };
    this.#limits = limits;
    this.#memos = memos;
  }

  /** Marks the list as unverified, because the server announced a change. */
  invalidate(): void {
    this.#generation++;
    this.verifiedAt = undefined;
  }

  /** Forgets the verdicts with findings, which may change with the names of the tools in the lock. */
  forgetFound(): void {
    const hasFound = ({ findings }: { readonly findings: readonly string[] }) => findings.length > 0;
    const memo = this.#memos.get(this);
    if (memo && hasFound(memo.decided)) this.#memos.forget(this);
    this.#epoch++;
    if (![...this.verdicts.values()].some(hasFound)) return;
    this.verdicts = new Map();
    this.invalidate();
  }

  /**
   * Returns the reading to which a request for a page belongs: without a cursor, a new reading; otherwise, the reading
   * at that cursor.
   */
  reading(cursor: string | undefined, now: number): ListReading | undefined {
    if (cursor === undefined) {
      const begun = { since: now, generation: this.#generation, list: this, epoch: this.#epoch };
      return { ...begun, verdicts: new Map(), pages: 0, length: 0 };
    }
    const open = this.#open.get(cursor);
    this.#open.delete(cursor);
    if (open) open.cursor = cursor;
    return open;
  }

  /**
   * Judges a page. The last page of a reading verifies the list.
   *
   * @throws {@link UnreadablePage} when the page cannot be read, or the list exceeds a limit.
   */
  judge({ page, text, numbers, asked }: ReadPage, world: LockedWorld, policy: Policy): JudgedList {
    requireComplete(page);
    const reading = this.#current(asked);
    if (reading) this.#require(reading, text);
    const cursor = nextCursorOf(page);
    if (cursor === null) throw new UnreadablePage("a cursor is a string");
    const isFirst = reading !== undefined && reading.pages === 1;
    const items = page[this.kind.list];
    if (isFirst) reading.first = items;
    const isAgain = reading !== undefined && isBegunAgain(reading.cursor, items, reading.first);
    const next = isAgain || (cursor === "" && reading?.cursor === "") ? undefined : cursor;
    const said = isFirst && text !== undefined ? withoutId(text) : undefined;
    const known = said === undefined ? undefined : this.#remembered(page, said);
    const isLast = reading !== undefined && next === undefined;
    const judged = known ?? this.#judge({ page, numbers, reading, isAgain, isLast }, world, policy);
    if (said !== undefined && !known) this.#remember(page, said, judged);
    for (const verdict of judged.verdicts.values()) this.#rememberPassed(verdict);
    if (reading) this.#continue(reading, judged, next);
    const isVerified = next === undefined && this.verifiedAt !== undefined;
    return { ...judged, next, whole: isVerified ? reading?.verdicts : undefined };
  }

  /**
   * Returns the reading that the page continues. A reading that began under another lock continues only if its first
   * page has not been read yet, and it then verifies nothing.
   */
  #current(reading: ListReading | undefined): ListReading | undefined {
    if (reading === undefined || (reading.list === this && reading.epoch === this.#epoch)) return reading;
    return reading.pages === 0 ? { ...reading, list: this, epoch: this.#epoch, generation: NEVER } : undefined;
  }

  #judge({ page, numbers, reading, isAgain, isLast }: PlacedPage, world: LockedWorld, policy: Policy): JudgedPage {
    const { kind, session } = this;
    const context = { world, policy, session, kind, numbers, known: this.verdicts, passed: this.#passed };
    const seen: ReadonlyMap<string, ItemVerdict> = reading?.verdicts ?? new Map();
    if (!isAgain) return judgePage(page, { ...context, seen, isLast });
    const judged = judgePage(page, { ...context, seen: new Map(), isLast: false });
    for (const [name, { live, numbers: before }] of seen) {
      const now = judged.verdicts.get(name);
      if (now && !isSameJson([live, before ?? {}], [now.live, now.numbers ?? {}]))
        throw new UnreadablePage("an item is listed twice");
    }
    return judged;
  }

  /** Returns the stored verdicts on the same page. */
  #remembered(page: JsonObject, said: string): JudgedPage | undefined {
    const memo = this.#memos.get(this);
    return memo?.said === said ? { ...memo.decided, result: memo.changed ?? page } : undefined;
  }

  #remember(page: JsonObject, said: string, { result, ...decided }: JudgedPage): void {
    this.#memos.keep(this, { said, decided, changed: result === page ? undefined : result });
  }

  /** Checks the limits before a page is judged, because judging takes time in proportion to its length. */
  #require(reading: ListReading, text = ""): void {
    const { pages, listLength } = this.#limits;
    reading.pages++;
    reading.length += text.length;
    if (reading.pages > pages) throw new UnreadablePage(`a list has at most ${pages} pages`);
    if (reading.length > listLength) throw new UnreadablePage(`a list has at most ${listLength} characters`);
  }

  #continue(reading: ListReading, { verdicts }: JudgedPage, nextCursor: string | undefined): void {
    for (const [name, verdict] of verdicts) reading.verdicts.set(name, verdict);
    if (reading.verdicts.size > this.#limits.items)
      throw new UnreadablePage(`a list has at most ${this.#limits.items} items`);
    if (nextCursor === undefined) {
      this.sameReadings = haveSameItems(this.verdicts, reading.verdicts) ? this.sameReadings + 1 : 1;
      this.verdicts = reading.verdicts;
      this.verifiedAt = reading.generation === this.#generation ? reading.since : undefined;
      return;
    }
    const [oldest] = this.#open.keys();
    if (this.#open.size >= MAX_OPEN_READINGS && oldest !== undefined) this.#open.delete(oldest);
    this.#open.set(nextCursor, reading);
  }

  /** Remembers a new item that a policy lets through, so that a later item with its name is compared with it. */
  #rememberPassed({ name, decision, live, numbers, locked }: ItemVerdict): void {
    if (decision !== "pass" || locked || this.#passed.has(name) || this.#passed.size >= this.#limits.items) return;
    this.#passed.set(name, fingerprintLocked(this.kind.item, live, numbers));
  }
}

function haveSameItems(a: ReadonlyMap<string, ItemVerdict>, b: ReadonlyMap<string, ItemVerdict>): boolean {
  if (a.size !== b.size) return false;
  return [...a].every(([name, { live, numbers = {} }]) => {
    const other = b.get(name);
    return isSameJson(live, other?.live) && isSameJson(numbers, other?.numbers ?? {});
  });
}

/**
 * The beginning of an answer whose id is written before its result; the next pattern is the end of an answer whose id
 * is written after it.
 */
const ID_FIRST = /^\{"jsonrpc":"2\.0","id":(?:\d{1,16}|"[^"\\]{0,64}"),"result":/;
const ID_LAST = /,"jsonrpc":"2\.0","id":(?:\d{1,16}|"[^"\\]{0,64}")\}$/;
/** The length of the ends that are searched, in UTF-16 units. */
const MAX_END = 128;

/**
 * Returns the text of an answer without its id. Answers whose texts are equal except for the id have the same result.
 * Returns `undefined` if the id is not written as most libraries write it.
 *
 * @param text A message in strict JSON.
 */
function withoutId(text: string): string | undefined {
  const [beginning] = ID_FIRST.exec(text.slice(0, MAX_END)) ?? [];
  if (beginning !== undefined) return text.slice(beginning.length);
  const [end] = ID_LAST.exec(text.slice(-MAX_END)) ?? [];
  return end === undefined ? undefined : text.slice(0, -end.length);
}
