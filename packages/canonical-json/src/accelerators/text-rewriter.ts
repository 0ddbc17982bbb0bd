/**
 * Rewrites the bytes of strict JSON text as canonical text, without an intermediate value: it copies canonical parts in
 * the longest possible runs, and sorts the members of an unsorted object in the output. It leaves text that it does not
 * support (malformed, deep, or with an escape in a name) to the plain reader, which decides every error.
 *
 * Improves the benchmarks from text to digest.
 */
import { fromLatin1, toUtf8 } from "#platform";
import { plainEnd } from "./escape-scan.ts";
import { escapedCodePoint, escapeLength, isKept } from "./escape-sequence.ts";
import { compareMembers, END, FIELDS, memberOrder, nameStart, START } from "./member-order.ts";
import { numberEnd } from "./number-text.ts";
import type { RewrittenItems } from "./rewritten-items.ts";
import { RunOutput } from "./run-output.ts";

const TAB = 0x09;
const LINE_FEED = 0x0a;
const CARRIAGE_RETURN = 0x0d;
const SPACE = 0x20;
const QUOTE = 0x22;
const COMMA = 0x2c;
const COLON = 0x3a;
const OPEN_ARRAY = 0x5b;
const BACKSLASH = 0x5c;
const CLOSE_ARRAY = 0x5d;
const LOWER_F = 0x66;
const LOWER_N = 0x6e;
const LOWER_T = 0x74;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;
const TRUE = /* @__PURE__ */ toUtf8("true");
const FALSE = /* @__PURE__ */ toUtf8("false");
const NULL = /* @__PURE__ */ toUtf8("null");

const NOTHING = /* @__PURE__ */ new Uint8Array();
const FOUR_SPACES = 0x20202020;
/**
 * The initial capacity of the list of member numbers, and the size up to which a grown list is reused for the next
 * text.
 */
const MEMBERS = 1024;
const MAX_KEPT_MEMBERS = 16_384;
/** Deeper text is left to the plain reader, which needs no call stack. */
export const MAX_REWRITTEN_DEPTH = 64;
/** Longer numbers are left to the plain reader. */
const MAX_NUMBER = 64;

export class TextRewriter {
  readonly #output = new RunOutput();
  #source: Uint8Array = NOTHING;
  #view: DataView = this.#output.source.view;
  /** The index of the byte that is read next. */
  #at = 0;
  /** The source as a string with one character per byte, made for the first number that has to be converted. */
  #characters: string | undefined;
  /** The members of the open objects, with {@link FIELDS} numbers for each, and how many numbers there are. */
  #members = new Int32Array(MEMBERS);
  #count = 0;
  #maxDepth = 0;
  #maxNumber = 0;
  /** The depth of the container that was already open; −1 if a complete text is rewritten. */
  #open = -1;
  /** The size of the open container's rewritten part: bytes of the source, bytes of the output, and items. */
  #kept = { end: 0, written: 0, items: 0 };

  /**
   * Returns the canonical text as a view of memory that is reused, or of `source` if it is already canonical;
   * `undefined` if the text is left to the plain reader.
   *
   * @param source The text as well-formed UTF-8
   */
  rewrite(source: Uint8Array, maxDepth: number, maxNumber: number): Uint8Array | undefined {
    this.#start(source, maxDepth, maxNumber);
    this.#skip();
    if (!this.#value(0)) return undefined;
    this.#skip();
    if (this.#at !== source.length) return undefined;
    return this.#output.finish() ?? source;
  }

  /**
   * Rewrites elements of an open array, or members of an open object. Stops at the bracket, or at the first element or
   * member that is incomplete in the source, that is out of order, or that the plain reader must read.
   *
   * @param source Well-formed UTF-8 that begins with an element or a member
   */
  rewriteItems(source: Uint8Array, isObject: boolean, maxDepth: number, maxNumber: number): RewrittenItems {
    this.#start(source, maxDepth, maxNumber);
    this.#open = 0;
    const isClosed = isObject ? this.#object(0) : this.#array(0);
    if (isClosed) this.#keep();
    const { end, written, items: count } = this.#kept;
    const name = (at: number): Uint8Array => source.subarray(this.#members[at], this.#members[at + 1]);
    const names = isObject && count > 0 ? ([name(0), name((count - 1) * FIELDS)] as const) : undefined;
    return { text: this.#output.part(end, written), end, count, isClosed, names };
  }

  #start(source: Uint8Array, maxDepth: number, maxNumber: number): void {
    this.#output.start(source);
    this.#source = this.#output.source.bytes;
    this.#view = this.#output.source.view;
    this.#maxDepth = Math.min(maxDepth, MAX_REWRITTEN_DEPTH);
    this.#maxNumber = maxNumber;
  }

  /** Releases the source and memory that only a large text needed. */
  reset(): void {
    this.#output.reset();
    this.#source = NOTHING;
    this.#view = this.#output.source.view;
    this.#characters = undefined;
    this.#at = 0;
    this.#count = 0;
    this.#open = -1;
    this.#kept = { end: 0, written: 0, items: 0 };
    if (this.#members.length > MAX_KEPT_MEMBERS) this.#members = new Int32Array(MEMBERS);
  }

  /** Skips white space and returns the byte after it. */
  #skip(): number {
    const source = this.#source;
    let at = this.#at;
    let c = source[at] as number;
    if (c > SPACE || at === source.length) return c;
    this.#output.endRun(at);
    const lastWord = source.length - 4;
    while (c === SPACE || c === LINE_FEED || c === CARRIAGE_RETURN || c === TAB) {
      at++;
      while (at <= lastWord && this.#view.getInt32(at, true) === FOUR_SPACES) at += 4;
      c = source[at] as number;
    }
    this.#at = at;
    this.#output.startRun(at);
    return c;
  }

  #value(depth: number): boolean {
    switch (this.#source[this.#at]) {
      case QUOTE:
        return this.#string();
      case OPEN_OBJECT:
        return depth < this.#maxDepth && this.#object(depth + 1);
      case OPEN_ARRAY:
        return depth < this.#maxDepth && this.#array(depth + 1);
      case LOWER_T:
        return this.#literal(TRUE);
      case LOWER_F:
        return this.#literal(FALSE);
      case LOWER_N:
        return this.#literal(NULL);
      default:
        return this.#number();
    }
  }

  /** Records the rewritten part of the open container up to here. */
  #keep(): void {
    const kept = this.#kept;
    kept.end = this.#at;
    kept.written = this.#output.position(this.#at);
    kept.items++;
  }

  #array(depth: number): boolean {
    if (depth !== this.#open) this.#at++;
    if (this.#skip() === CLOSE_ARRAY && depth !== this.#open) {
      this.#at++;
      return true;
    }
    for (;;) {
      if (!this.#value(depth)) return false;
      const c = this.#skip();
      this.#at++;
      if (c === CLOSE_ARRAY) return true;
      if (c !== COMMA) return false;
      this.#skip();
      if (depth === this.#open) this.#keep();
    }
  }

  #object(depth: number): boolean {
    const base = this.#count;
    if (depth !== this.#open) this.#at++;
    let c = this.#skip();
    if (c === CLOSE_OBJECT && depth !== this.#open) {
      this.#at++;
      return true;
    }
    let sorted = true;
    for (;;) {
      const written = this.#output.position(this.#at);
      const name = this.#at + 1;
      if (c !== QUOTE || !this.#name()) return false;
      const nameEnd = this.#at - 1;
      if (this.#skip() !== COLON) return false;
      this.#at++;
      this.#skip();
      if (!this.#value(depth)) return false;
      sorted = this.#remember(base, name, nameEnd, written) && sorted;
      if (!sorted && depth === this.#open) return false;
      c = this.#skip();
      this.#at++;
      if (c === CLOSE_OBJECT) break;
      if (c !== COMMA) return false;
      c = this.#skip();
      if (depth === this.#open) this.#keep();
    }
    const done = sorted || this.#sort(base);
    this.#count = base;
    return done;
  }

  /** Remembers a member that was read; returns whether it follows the previous one in the order of names. */
  #remember(base: number, name: number, nameEnd: number, written: number): boolean {
    const count = this.#count;
    if (count + FIELDS > this.#members.length) {
      const grown = new Int32Array(2 * this.#members.length);
      grown.set(this.#members);
      this.#members = grown;
    }
    const members = this.#members;
    members[count] = name;
    members[count + 1] = nameEnd;
    members[count + 2] = nameStart(this.#view, name, nameEnd);
    members[count + START] = written;
    members[count + END] = this.#output.position(this.#at);
    this.#count = count + FIELDS;
    return count === base || compareMembers(this.#source, members, count - FIELDS, count) < 0;
  }

  /** Orders the members from `base` on in the output; returns `false` if a name occurs twice. */
  #sort(base: number): boolean {
    const members = this.#members;
    const order = memberOrder(this.#source, members, base, this.#count);
    if (order === undefined) return false;
    this.#output.endRun(this.#at);
    this.#output.reorder(members, base, order);
    return true;
  }

  /** Reads a name without escapes. */
  #name(): boolean {
    const end = plainEnd(this.#source, this.#view, this.#at + 1);
    this.#at = end + 1;
    return this.#source[end] === QUOTE;
  }

  #string(): boolean {
    const source = this.#source;
    this.#at++;
    for (;;) {
      const end = plainEnd(source, this.#view, this.#at);
      this.#at = end;
      const c = source[end];
      if (c === QUOTE) {
        this.#at++;
        return true;
      }
      if (c !== BACKSLASH) return false;
      if (isKept(source[end + 1])) this.#at += 2;
      else if (!this.#escape()) return false;
    }
  }

  #escape(): boolean {
    const code = escapedCodePoint(this.#source, this.#at);
    if (code < 0) return false;
    this.#output.endRun(this.#at);
    this.#output.codePoint(code);
    this.#at += escapeLength(this.#source, this.#at, code);
    this.#output.startRun(this.#at);
    return true;
  }

  #literal(text: Uint8Array): boolean {
    for (let i = 0; i < text.length; i++) if (this.#source[this.#at + i] !== text[i]) return false;
    this.#at += text.length;
    return true;
  }

  #number(): boolean {
    const start = this.#at;
    const found = numberEnd(this.#source, start);
    const end = found < 0 ? ~found : found;
    if (end === 0 || end - start > MAX_NUMBER) return false;
    this.#at = end;
    if (found > 0) return true;
    this.#characters ??= fromLatin1(this.#source);
    const text = this.#characters.slice(start, end);
    const value = Number(text);
    if (value > this.#maxNumber || value < -this.#maxNumber) return false;
    const written = String(value);
    if (written === text) return true;
    this.#output.endRun(start);
    this.#output.ascii(written);
    this.#output.startRun(end);
    return true;
  }
}
