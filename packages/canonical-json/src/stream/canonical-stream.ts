import { fromUtf8, toUtf8 } from "#platform";
import type { RewrittenItems } from "../accelerators/rewritten-items.ts";
import { write } from "../canonicalize.ts";
import type { JsonValue } from "../json-value/json-value.ts";
import { resolveOptions } from "../options.ts";
import type { ParseLimits } from "../parse/limits.ts";
import { withRewriter } from "../rewrite-text.ts";
import type { ByteSink } from "../writer/byte-buffer.ts";
import { JoinedOutput } from "./joined-output.ts";
import { type OpenContainer, OpenContainers } from "./open-containers.ts";
import { stringPart } from "./string-part.ts";
import { TextCursor } from "./text-cursor.ts";
import type { TextWindow } from "./text-window.ts";
import { stringEnd, valueEnd } from "./value-end.ts";

const QUOTE = 0x22;
const COMMA = 0x2c;
const COLON = 0x3a;
const OPEN_ARRAY = 0x5b;
const CLOSE_ARRAY = 0x5d;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;
/** The length of an escaped surrogate pair. No part of a string splits one. */
const LONGEST_ESCAPE = 12;
const UNLIMITED = /* @__PURE__ */ resolveOptions({ maxDepth: 1e15 });

/**
 * The part that is read next: an item or the end of a container, an item, a colon, a value, more of a string, or what
 * follows a value.
 */
type Next = "first" | "item" | "colon" | "value" | "string" | "after";

/** Passes on the canonical text of JSON text while the text arrives. */
export class CanonicalStream {
  readonly #out: JoinedOutput;
  readonly #limits: ParseLimits;
  readonly #text: TextCursor;
  readonly #window: TextWindow;
  readonly #open = new OpenContainers();
  #next: Next = "item";
  /**
   * Where, in the remaining bytes, the containers start that are too large to hold in memory. The nearest is the last.
   */
  #large: number[] = [];

  /** @param window Holds the text. An object of at most half its capacity is put in order. */
  constructor(sink: ByteSink, limits: ParseLimits, window: TextWindow) {
    this.#out = new JoinedOutput(sink);
    this.#limits = limits;
    this.#text = new TextCursor(window, limits, this.#open);
    this.#window = window;
  }

  /**
   * Continues reading and returns the number of bytes read. Pass the other bytes again in the next call, together with
   * more.
   *
   * @param bytes The window's bytes, which are well-formed UTF-8
   * @param isLast Whether the text ends with these bytes
   * @throws {@link CanonicalJsonError} as `parseJson` does, `too-large` and `unordered-members` for text that cannot be
   * held in memory
   */
  read(bytes: Uint8Array, isLast: boolean): number {
    this.#text.start(bytes, isLast);
    while (this.#step()) {}
    if (isLast) this.#out.flush();
    this.#large = this.#large.map((start) => start - this.#text.at);
    return this.#text.at;
  }

  /** Reads one part; returns `false` if more bytes are needed or if the text has ended. */
  #step(): boolean {
    if (this.#next !== "string") this.#text.skip();
    const isWhole = this.#next === "after" && this.#open.depth === 0;
    if (this.#text.at === this.#text.bytes.length && (isWhole || !this.#text.isLast)) return false;
    switch (this.#next) {
      case "first":
        return this.#first();
      case "item":
        return this.#item();
      case "colon":
        return this.#colon();
      case "value":
        return this.#value();
      case "string":
        return this.#string();
      case "after":
        return this.#after();
    }
  }

  #first(): boolean {
    const { isObject } = this.#open.innermost as OpenContainer;
    if (this.#text.byte === (isObject ? CLOSE_OBJECT : CLOSE_ARRAY)) this.#leave();
    else this.#next = "item";
    return true;
  }

  #item(): boolean {
    const level = this.#open.innermost;
    if (level === undefined) return this.#value();
    const items = this.#rewriteItems(level);
    if (items !== undefined) return !this.#isShort(items);
    if (level.isObject) return this.#name(level);
    this.#open.path.push(level.items);
    this.#next = "value";
    return true;
  }

  /**
   * Returns whether so few bytes remain after the items that more should arrive first, because the next item may be
   * incomplete.
   */
  #isShort({ isClosed }: RewrittenItems): boolean {
    return !isClosed && !this.#text.isLast && this.#text.bytes.length - this.#text.at < this.#window.minBytes / 2;
  }

  /** Passes on as many items as the rewriter accepts together; returns `undefined` if it accepts none. */
  #rewriteItems(level: OpenContainer): RewrittenItems | undefined {
    const end = Math.min(this.#text.at + this.#window.minBytes, this.#nextLarge() ?? this.#text.bytes.length);
    if (end <= this.#text.at) return undefined;
    const { maxDepth, maxNumber } = this.#limits;
    const source = this.#text.bytes.subarray(this.#text.at, end);
    return withRewriter((rewriter) => {
      const items = rewriter.rewriteItems(source, level.isObject, maxDepth - this.#open.depth, maxNumber);
      if (items.count === 0) return undefined;
      if (items.names !== undefined) {
        const [first, last] = items.names.map(fromUtf8) as [string, string];
        if (level.items > 0 && level.name >= first) return undefined;
        this.#holdName(level, last);
      }
      this.#out.bytes(items.text);
      this.#text.at += items.end;
      level.items += items.count;
      if (items.isClosed) this.#left();
      return items;
    });
  }

  #name(level: OpenContainer): boolean {
    const start = this.#text.at;
    const isName = this.#text.bytes[start] === QUOTE;
    const end = isName ? stringEnd(this.#text.bytes, start) : start;
    if (end < 0 && !this.#text.isLast) return this.#text.hold("names");
    if (!this.#text.hasContext(end)) return false;
    const scanner = this.#text.scanner(end < 0 ? this.#text.bytes.length : end);
    const isTaken = (name: string): boolean => level.items > 0 && name === level.name;
    const name = this.#text.reader(scanner).name(isTaken);
    if (level.items > 0 && name < level.name) {
      const expected = `members in the order of their names in an object of more than ${this.#window.maxBytes / 2} bytes`;
      scanner.fail("unordered-members", expected, 0, `${JSON.stringify(name)} behind ${JSON.stringify(level.name)}`);
    }
    this.#holdName(level, name);
    this.#write(name);
    this.#text.at = end;
    this.#next = "colon";
    return true;
  }

  /** Remembers the last name in an object. All names of open objects together may take as much memory as the window. */
  #holdName(level: OpenContainer, name: string): void {
    this.#open.rename(level, name);
    if (this.#open.nameUnits > this.#window.maxBytes) this.#text.refuse("names");
  }

  #colon(): boolean {
    if (this.#text.byte !== COLON) this.#text.reader(this.#text.scanner(this.#text.at)).colon();
    this.#put(COLON);
    this.#next = "value";
    return true;
  }

  #value(): boolean {
    const start = this.#text.at;
    const c = this.#text.bytes[start];
    if (start === this.#nextLarge()) return this.#enter(c === OPEN_OBJECT);
    const isRoot = this.#open.depth === 0;
    if (isRoot && this.#text.isLast) return this.#whole(this.#text.bytes.length);
    // A root object is usually the complete text, so its end is not searched for before it is held in memory.
    if (isRoot && c === OPEN_OBJECT && !this.#text.isHeld) return false;
    const { end, open } = valueEnd(this.#text.bytes, start);
    if (end >= 0 || this.#text.isLast)
      return this.#text.hasContext(end) && this.#whole(end < 0 ? this.#text.bytes.length : end);
    return this.#part(open);
  }

  /** Returns where the next container starts that is too large to hold in memory. */
  #nextLarge(): number | undefined {
    while ((this.#large.at(-1) ?? this.#text.at) < this.#text.at) this.#large.pop();
    return this.#large.at(-1);
  }

  /** Passes on a value whose bytes are available up to `end`. */
  #whole(end: number): boolean {
    const { maxDepth, maxNumber } = this.#limits;
    const source = this.#text.bytes.subarray(this.#text.at, end);
    const isTaken = withRewriter((rewriter) => {
      const text = rewriter.rewrite(source, maxDepth - this.#open.depth, maxNumber);
      if (text !== undefined) this.#out.bytes(text);
      return text !== undefined;
    });
    if (isTaken) this.#text.at = end;
    else this.#plain(end);
    this.#done();
    return true;
  }

  /** Passes on a value with the plain reader, which decides every error. */
  #plain(end: number): void {
    const scanner = this.#text.scanner(end);
    this.#write(this.#text.reader(scanner).value());
    this.#text.at += toUtf8(scanner.text.slice(0, scanner.offset)).length;
  }

  /** Starts a value whose end is not available yet, unless the value is held in memory until then. */
  #part(open: readonly number[]): boolean {
    const start = this.#text.at;
    const c = this.#text.bytes[start];
    const isLong = this.#text.bytes.length - start >= this.#window.minBytes / 2;
    if (c === QUOTE && isLong) {
      this.#put(QUOTE);
      this.#next = "string";
      return true;
    }
    const isOpened = c === OPEN_OBJECT ? this.#text.isHeld : c === OPEN_ARRAY && isLong;
    if (!isOpened) return c === OPEN_OBJECT || c === OPEN_ARRAY || c === QUOTE ? false : this.#text.hold("numbers");
    const isLarge = (index: number): boolean =>
      this.#text.bytes[index] === OPEN_ARRAY || this.#text.bytes.length - index > this.#window.maxBytes / 2;
    const small = open.findIndex((index) => !isLarge(index));
    this.#large = open.slice(1, small < 0 ? open.length : small).reverse();
    return this.#enter(c === OPEN_OBJECT);
  }

  #enter(isObject: boolean): boolean {
    // The plain reader throws the error for a value that is too deep.
    if (this.#open.depth >= this.#limits.maxDepth) this.#plain(this.#text.at);
    this.#put(isObject ? OPEN_OBJECT : OPEN_ARRAY);
    this.#open.enter(isObject);
    this.#next = "first";
    return true;
  }

  #string(): boolean {
    const scanner = this.#text.scanner(this.#text.at + this.#window.minBytes, 0);
    const isRest = this.#text.isLast && this.#text.at + this.#window.minBytes >= this.#text.bytes.length;
    const stop = isRest ? Number.POSITIVE_INFINITY : scanner.text.length - LONGEST_ESCAPE;
    if (stop <= 0) return false;
    const { value, isEnd } = stringPart(scanner, stop);
    this.#out.bytes(write(value, UNLIMITED, undefined, ({ out }) => out.peek()).subarray(1, -1));
    this.#text.at += toUtf8(scanner.text.slice(0, scanner.offset)).length;
    if (isEnd) {
      this.#out.byte(QUOTE);
      this.#done();
    }
    return true;
  }

  #after(): boolean {
    const level = this.#open.innermost;
    const c = this.#text.byte;
    if (level === undefined) this.#text.reader(this.#text.scanner(this.#text.at)).end();
    else if (c === COMMA) {
      this.#put(COMMA);
      this.#next = "item";
    } else if (c === (level.isObject ? CLOSE_OBJECT : CLOSE_ARRAY)) this.#leave();
    else this.#text.reader(this.#text.scanner(this.#text.at)).unexpectedNext(!level.isObject);
    return true;
  }

  #write(value: JsonValue): void {
    write(value, UNLIMITED, { update: (bytes) => this.#out.bytes(bytes) }, ({ out }) => this.#out.bytes(out.peek()));
  }

  #put(byte: number): void {
    this.#out.byte(byte);
    this.#text.at++;
  }

  #leave(): void {
    this.#put(this.#text.byte as number);
    this.#left();
  }

  #left(): void {
    this.#open.leave();
    this.#next = "after";
  }

  #done(): void {
    this.#open.endItem();
    this.#next = "after";
  }
}
