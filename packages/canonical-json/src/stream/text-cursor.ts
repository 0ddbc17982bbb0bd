import { fromUtf8 } from "#platform";
import type { ParseLimits } from "../parse/limits.ts";
import { StepReader } from "../parse/parse-stepwise.ts";
import { TextScanner } from "../parse/text-scanner.ts";
import type { OpenContainers } from "./open-containers.ts";
import type { TextWindow } from "./text-window.ts";

const TAB = 0x09;
const LINE_FEED = 0x0a;
const CARRIAGE_RETURN = 0x0d;
const SPACE = 0x20;
/** A message can repeat this many bytes after a token. */
const CONTEXT = 64;
/** The number of bytes that a window may omit at its end. */
const LONGEST_CHARACTER = 4;

/** The held bytes of a text, the current place in them, and the plain reader for them. */
export class TextCursor {
  bytes: Uint8Array = new Uint8Array();
  /** The index of the byte that is read next. */
  at = 0;
  /** Whether the text ends with these bytes. */
  isLast = false;
  readonly #window: TextWindow;
  readonly #limits: ParseLimits;
  readonly #open: OpenContainers;

  constructor(window: TextWindow, limits: ParseLimits, open: OpenContainers) {
    this.#window = window;
    this.#limits = limits;
    this.#open = open;
  }

  start(bytes: Uint8Array, isLast: boolean): void {
    this.bytes = bytes;
    this.at = 0;
    this.isLast = isLast;
  }

  get byte(): number | undefined {
    return this.bytes[this.at];
  }

  /** Skips white space. */
  skip(): void {
    for (let c = this.byte; c === SPACE || c === LINE_FEED || c === CARRIAGE_RETURN || c === TAB; c = this.byte)
      this.at++;
  }

  /** Whether the window holds the maximum number of bytes from here on. */
  get isHeld(): boolean {
    return this.bytes.length - this.at >= this.#window.maxBytes - LONGEST_CHARACTER;
  }

  /** Returns `false`, which requests more bytes for a token; throws if no more can be held. */
  hold(tokens: string): boolean {
    return this.isHeld && this.refuse(tokens);
  }

  refuse(tokens: string): never {
    return this.scanner(this.at).fail("too-large", `${tokens} of at most ${this.#window.maxBytes} bytes`, 0);
  }

  /** Returns whether a message can repeat the text after a token. */
  hasContext(end: number): boolean {
    return this.isLast || end + CONTEXT <= this.bytes.length || this.isHeld;
  }

  /**
   * Returns a scanner for the text from here up to an index, or up to the end of a character that crosses the index.
   */
  scanner(index: number, context: number = CONTEXT): TextScanner {
    let end = Math.min(index + context, this.bytes.length);
    while (((this.bytes[end] ?? 0) & 0xc0) === 0x80) end--;
    const text = fromUtf8(this.bytes.subarray(this.at, end));
    return new TextScanner(text, this.#limits, this.#open.path, this.#window.placeAt(this.at));
  }

  /** Returns the plain reader for a text within the open containers. */
  reader(scanner: TextScanner): StepReader {
    return new StepReader(scanner, this.#limits.maxDepth, undefined, this.#open.depth);
  }
}
