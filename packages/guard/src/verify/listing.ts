import { isSameJson, type JsonObject } from "@agentprint/canonical-json/json-value";
import type { Era, ListKind } from "@agentprint/mcp";
import type { Policy } from "@agentprint/policy";
import type { Digested, EventSources } from "../event-sink.ts";
import type { Limits } from "../limits.ts";
import { fingerprintLocked, type Locked, type LockedWorld } from "./baseline.ts";
import { type JudgedPage, judgePage, UnreadablePage } from "./judge-page.ts";
import type { PageMemos } from "./page-memos.ts";
import type { ItemVerdict } from "./verdict.ts";

/** One reading of a list, page by page. */
export interface ListReading {
  /** The time of the request for its first page. */
  readonly since: number;
  /** The number of announced changes when it began. */
  readonly generation: number;
  /** The list that it reads. */
  readonly list: Listing;
  /** The number of changes to the names in the lock when it began. */
  readonly epoch: number;
  readonly verdicts: Map<string, ItemVerdict>;
  pages: number;
  /** Characters of the messages of its pages. */
  length: number;
}

/** A page that a server sent. */
interface ReadPage {
  readonly page: JsonObject;
  /** The text of the message that the page came in. */
  readonly text: string | undefined;
  /** The reading that the page continues; absent where the guard saw none, so that the page is judged alone. */
  readonly asked: ListReading | undefined;
}

/** The verdicts on a page and, with the last page of a reading, on the whole list. */
interface JudgedList extends JudgedPage {
  /** The verdicts by item name; absent where this page does not verify the list. */
  readonly whole?: ReadonlyMap<string, ItemVerdict> | undefined;
}

/** The sources of an event about a whole list: the verdicts on tools, and those that a set hash of tools or prompts is made of. */
export function wholeOf(
  { list }: ListKind,
  { whole }: JudgedList,
): Pick<EventSources, "verdicts"> & Pick<Digested, "listing"> {
  return {
    verdicts: list === "tools" ? whole : undefined,
    listing: list === "tools" || list === "prompts" ? whole : undefined,
  };
}

/** The generation of a reading that verifies nothing. */
const NEVER = -1;

/** The most unfinished readings. Beyond it, the oldest one is verified page by page only. */
const MAX_OPEN_READINGS = 16;

/** The verified state of one list, for one client in one era. */
export class Listing {
  readonly kind: ListKind;
  readonly era: Era;
  /** The verdicts by item name from the last verification of the whole list. */
  verdicts: ReadonlyMap<string, ItemVerdict> = new Map();
  /** The time of that verification, in milliseconds; absent where the server announced a change after it. */
  verifiedAt: number | undefined;
  /** How many readings of the whole list in a row had the same items. */
  sameReadings = 0;
  readonly #limits: Limits;
  #generation = 0;
  #epoch = 0;
  readonly #passed = new Map<string, Locked>();
  readonly #open = new Map<string, ListReading>();
  /** The latest verdicts on first pages: a server mostly repeats a page. */
  readonly #memos: PageMemos;

  constructor(kind: ListKind, era: Era, limits: Limits, memos: PageMemos) {
    this.kind = kind;
    this.era = era;
    this.#limits = limits;
    this.#memos = memos;
  }

  /** Marks the list as unverified, because the server announced a change. */
  invalidate(): void {
    this.#generation++;
    this.verifiedAt = undefined;
  }

  /** Forgets verdicts with findings: other names in the lock may lead to other findings. */
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
   * Returns the reading that a request for a page belongs to: a new one without a cursor, else the one at that cursor.
   */
  reading(cursor: string | undefined, now: number): ListReading | undefined {
    if (cursor === undefined) {
      const begun = { since: now, generation: this.#generation, list: this, epoch: this.#epoch };
      return { ...begun, verdicts: new Map(), pages: 0, length: 0 };
    }
    const open = this.#open.get(cursor);
    this.#open.delete(cursor);
    return open;
  }

  /**
   * Judges a page. With the last page of a reading, the list is verified.
   *
   * @throws {@link UnreadablePage} when the page cannot be read, or the list is beyond a limit.
   */
  judge({ page, text, asked }: ReadPage, world: LockedWorld, policy: Policy): JudgedList {
    const reading = this.#current(asked);
    if (reading) this.#require(reading, text);
    const { nextCursor } = page;
    if (nextCursor !== undefined && typeof nextCursor !== "string") throw new UnreadablePage("a cursor is a string");
    const isFirst = reading !== undefined && reading.pages === 1;
    const said = isFirst && text !== undefined ? withoutId(text) : undefined;
    const known = said === undefined ? undefined : this.#remembered(page, said);
    const judged = known ?? this.#judge(page, reading, world, policy);
    if (said !== undefined && !known) this.#remember(page, said, judged);
    for (const verdict of judged.verdicts.values()) this.#rememberPassed(verdict);
    if (reading) this.#continue(reading, judged, nextCursor);
    const isVerified = nextCursor === undefined && this.verifiedAt !== undefined;
    return { ...judged, whole: isVerified ? reading?.verdicts : undefined };
  }

  /** Returns the reading to continue. One that began by another lock continues at its first page only, unverified. */
  #current(reading: ListReading | undefined): ListReading | undefined {
    if (reading === undefined || (reading.list === this && reading.epoch === this.#epoch)) return reading;
    return reading.pages === 0 ? { ...reading, list: this, epoch: this.#epoch, generation: NEVER } : undefined;
  }

  #judge(page: JsonObject, reading: ListReading | undefined, world: LockedWorld, policy: Policy): JudgedPage {
    const { kind, era } = this;
    return judgePage(page, {
      world,
      policy,
      era,
      kind,
      known: this.verdicts,
      passed: this.#passed,
      seen: reading?.verdicts ?? new Map(),
      isLast: reading !== undefined && page["nextCursor"] === undefined,
    });
  }

  /** Returns the kept verdicts on the same page. */
  #remembered(page: JsonObject, said: string): JudgedPage | undefined {
    const memo = this.#memos.get(this);
    return memo?.said === said ? { ...memo.decided, result: memo.changed ?? page } : undefined;
  }

  #remember(page: JsonObject, said: string, { result, ...decided }: JudgedPage): void {
    this.#memos.keep(this, { said, decided, changed: result === page ? undefined : result });
  }

  /** Checks the limits before a page is judged, which takes time in proportion to its length. */
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

  /** Remembers a new item that a policy lets through: a later item of its name is compared with it. */
  #rememberPassed({ name, decision, live, locked }: ItemVerdict): void {
    if (decision !== "pass" || locked || this.#passed.has(name) || this.#passed.size >= this.#limits.items) return;
    this.#passed.set(name, fingerprintLocked(this.kind.item, live));
  }
}

function haveSameItems(a: ReadonlyMap<string, ItemVerdict>, b: ReadonlyMap<string, ItemVerdict>): boolean {
  if (a.size !== b.size) return false;
  return [...a].every(([name, { live }]) => isSameJson(live, b.get(name)?.live));
}

/**
 * The beginning of an answer whose id is written before its result, and the end of one whose id is written behind it.
 */
const ID_FIRST = /^\{"jsonrpc":"2\.0","id":(?:\d{1,16}|"[^"\\]{0,64}"),"result":/;
const ID_LAST = /,"jsonrpc":"2\.0","id":(?:\d{1,16}|"[^"\\]{0,64}")\}$/;
/** The length of the searched ends, in UTF-16 units. */
const MAX_END = 128;

/**
 * Returns the text of an answer without its id. Answers whose texts are equal without the id have the same result.
 * Returns `undefined` where the id is not written as most libraries write it.
 *
 * @param text One message of strict JSON.
 */
function withoutId(text: string): string | undefined {
  const [beginning] = ID_FIRST.exec(text.slice(0, MAX_END)) ?? [];
  if (beginning !== undefined) return text.slice(beginning.length);
  const [end] = ID_LAST.exec(text.slice(-MAX_END)) ?? [];
  return end === undefined ? undefined : text.slice(0, -end.length);
}
